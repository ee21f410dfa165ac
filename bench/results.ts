/** Where and how a benchmark ran, and its raw numbers, as one JSON file in bench/results. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { basename, join, relative } from 'node:path';

const repository = join(import.meta.dirname, '..');

/** Temporary clusters live here: on the disk of the repository, never on a memory file system that makes fsync free. */
export function benchDirectory(): string {
  const directory = join(repository, '.cache/bench');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/**
 * Writes <name>.json and says so: to bench/results, or beside the clusters when the run was a quick
 * one. `method` names the settings that the numbers depend on.
 */
export function writeResults<M extends { readonly isQuick: boolean }>(name: string, method: M, results: object): void {
  const directory = method.isQuick ? benchDirectory() : join(import.meta.dirname, 'results');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}.json`);
  const report = { name, at: new Date().toISOString(), machine: machine(), versions: versions(), method, results };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`raw numbers: ${relative(repository, path)}`);
}

function machine(): object {
  const processors = cpus();
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).map(Number);
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    kernel: release(),
    fileSystem: run('stat', ['-f', '-c', '%T', benchDirectory()]),
    loadAverageAtEnd: load,
  };
}

function versions(): object {
  return {
    commit: run('git', ['-C', repository, 'rev-parse', '--short', 'HEAD']),
    bun: Bun.version,
    go: Bun.which('go') === null ? 'absent' : run('go', ['env', 'GOVERSION']),
    opConductor: opConductor(),
    raft: /hashicorp\/raft (v\S+)/.exec(readFileSync(join(import.meta.dirname, 'gonode/go.mod'), 'utf8'))?.[1],
  };
}

/** How op-conductor names itself; a build of the released module says which commit or nothing. */
function opConductor(): string {
  const path = process.env['OP_CONDUCTOR_BIN'] ?? '';
  return path === '' ? 'absent' : `${basename(path)}: ${run(path, ['--version'])}`;
}

function run(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
