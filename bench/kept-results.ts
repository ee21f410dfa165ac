/** Reads what benchmarks wrote: bench/results/<name>.json, or .cache/bench/<name>.json of what was put aside. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const repository = join(import.meta.dirname, '..');
export const KEPT_DIRECTORY = join(import.meta.dirname, 'results');

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

/** From 0 to 1; a file that does not say is of a whole run. */
export function effortOf({ method }: KeptReport): number {
  const { effort, isQuick } = method;
  return typeof effort === 'number' ? effort : isQuick === true ? 0 : 1;
}

/** What the run left out, in sentences. */
export function leftOutOf({ method }: KeptReport): readonly string[] {
  return Array.isArray(method['leftOut']) ? (method['leftOut'] as readonly string[]) : [];
}

/** Reports by the benchmark's name; each file is read once. */
export class KeptResults {
  readonly #folder: string;
  readonly #reports = new Map<string, KeptReport | null>();
  readonly #faults = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null where that benchmark was never run, or its file cannot be read. */
  report(name: string): KeptReport | null {
    const known = this.#reports.get(name);
    if (known !== undefined) return known;
    const report = this.#read(name);
    this.#reports.set(name, report);
    return report;
  }

  /** What is wrong with the file of a benchmark and what to do, as a sentence; null when nothing is. */
  fault(name: string): string | null {
    this.report(name);
    return this.#faults.get(name) ?? null;
  }

  /** The results of a benchmark in the shape that it writes. */
  of<T>(name: string): T | null {
    return (this.report(name)?.results as T | undefined) ?? null;
  }

  #read(name: string): KeptReport | null {
    const path = join(this.#folder, `${name}.json`);
    if (!existsSync(path)) return null;
    try {
      const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeptReport> | null;
      if (isReport(read)) return read;
      this.#faults.set(name, this.#sentence(name, path, 'it lacks parts of a result'));
    } catch (error) {
      this.#faults.set(name, this.#sentence(name, path, error instanceof Error ? error.message : String(error)));
    }
    return null;
  }

  #sentence(name: string, path: string, why: string): string {
    const file = relative(repository, path);
    const back = this.#folder === KEPT_DIRECTORY ? `bring it back with git checkout -- ${file}, or ` : '';
    return `${file} is no whole result (${why}): ${back}measure again with npm run bench -- ${name}`;
  }
}

function isReport(read: Partial<KeptReport> | null): read is KeptReport {
  const isObject = (part: unknown): boolean => typeof part === 'object' && part !== null;
  return (
    isObject(read) &&
    typeof read?.at === 'string' &&
    [read.versions, read.method, read.results].every(isObject) &&
    Array.isArray(read.machine?.loadAverageAtEnd)
  );
}
