/** Reads what benchmarks kept: bench/results/<name>.json of whole runs, .cache/bench/<name>.json of quick ones. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchDirectory } from './results.ts';

/** The parts of a file that say when and where its numbers were measured, and the numbers themselves. */
export interface KeptReport {
  readonly at: string;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly loadAverageAtEnd: readonly number[];
  };
  readonly versions: Readonly<Record<string, string>>;
  readonly method: Readonly<Record<string, unknown>>;
  readonly results: unknown;
}

/** Reports by the benchmark's name; each file is read once. */
export class KeptResults {
  readonly #folder: string;
  readonly #reports = new Map<string, KeptReport | null>();

  constructor(isQuick: boolean, folder = isQuick ? benchDirectory() : join(import.meta.dirname, 'results')) {
    this.#folder = folder;
  }

  /** Null where that benchmark was never run; throws when its file is not JSON. */
  report(name: string): KeptReport | null {
    const known = this.#reports.get(name);
    if (known !== undefined) return known;
    const path = join(this.#folder, `${name}.json`);
    const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as KeptReport) : null;
    this.#reports.set(name, report);
    return report;
  }

  /** The results of a benchmark in the shape that it writes. */
  of<T>(name: string): T | null {
    return (this.report(name)?.results as T | undefined) ?? null;
  }
}
