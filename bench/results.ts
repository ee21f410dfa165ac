/** Where and how a benchmark ran, and its raw numbers, as one JSON file: in bench/results, or aside (keeping.ts). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { benchDirectory } from './directories.ts';
import { whyAside } from './keeping.ts';
import { effortOf, KEPT_DIRECTORY, KeptResults } from './kept-results.ts';
import type { BenchRun } from './options.ts';

const repository = join(import.meta.dirname, '..');

export interface Written {
  readonly name: string;
  /** Settings that the numbers depend on, besides the effort. */
  readonly method: object;
  readonly results: object;
  /** Further files by their paths beside the JSON. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Writes <name>.json, and says where and, if it is put aside, why and how to keep it all the same. */
export function writeResults(
  run: BenchRun,
  { name, method, results, files = {} }: Written,
  folders = { kept: KEPT_DIRECTORY, aside: benchDirectory() },
): void {
  const kept = new KeptResults(folders.kept).report(name);
  const why = whyAside(run, kept === null ? null : effortOf(kept));
  const folder = why === null ? folders.kept : folders.aside;
  const { isQuick, effort, leftOut, versions } = run;
  const report = {
    name,
    at: new Date().toISOString(),
    machine: machine(),
    versions,
    method: { isQuick, effort, ...(leftOut.length > 0 ? { leftOut } : {}), ...method },
    results,
  };
  for (const [path, content] of Object.entries(files)) writeWhole(join(folder, path), content);
  const path = join(folder, `${name}.json`);
  writeWhole(path, `${JSON.stringify(report, null, 2)}\n`);
  const aside = `, which takes no kept result's place: ${why}; --keep puts it into bench/results all the same`;
  console.log(`raw numbers: ${relative(repository, path)}${why === null ? '' : aside}`);
}

/** An interrupted write leaves the file of before. */
function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, content);
  renameSync(fresh, path);
}

function machine(): object {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    kernel: release(),
    fileSystem: fileSystem(),
    loadAverageAtEnd: loadavg(),
  };
}

/** 'unknown' where stat is not that of Linux. */
function fileSystem(): string {
  try {
    const words = ['-f', '-c', '%T', benchDirectory()];
    return execFileSync('stat', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
