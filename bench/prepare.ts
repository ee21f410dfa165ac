/**
 * Before anything is measured: brings what ours is compared with and compiles our own programs, so that what is
 * measured is what operators run. What cannot be had is said once, and its side is left out.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Implementation } from '../tests/cluster/node-process.ts';
import type { Benchmark } from './benchmarks.ts';
import { buildGoNode } from './build-gonode.ts';
import { needOpStack } from './op-stack.ts';
import type { BenchOptions } from './options.ts';
import { benchDirectory } from './results.ts';

const repository = join(import.meta.dirname, '..');

/** Sets CONDUCTOR_BIN and OP_CONDUCTOR_BIN for what the benchmarks start; resolves with the sides each can measure. */
export async function prepare(
  chosen: readonly Benchmark[],
  options: BenchOptions,
): Promise<(one: Benchmark) => readonly Implementation[]> {
  const missing = new Set<Benchmark['beside']>();
  const needs = (beside: Benchmark['beside']): boolean => chosen.some((one) => one.beside === beside);
  if (needs('op-conductor')) await compileOurs();
  if (needs('op-conductor') && options.sides.includes('go')) {
    const found = await needOpStack('op-conductor');
    if ('path' in found) process.env['OP_CONDUCTOR_BIN'] = found.path;
    else tellMissing('op-conductor', found.missing);
  }
  if (needs('gonode') && options.sides.includes('go')) {
    const failure = await buildGoNode();
    if (failure !== null) tellMissing('gonode', failure);
  }
  return ({ beside }) => (missing.has(beside) ? options.sides.filter((side) => side !== 'go') : options.sides);

  function tellMissing(beside: Benchmark['beside'], why: string): void {
    console.log(`${why}; measuring ours alone`);
    missing.add(beside);
  }
}

/** Builds this machine's binary unless CONDUCTOR_BIN names one; without a compiler the sources are measured. */
async function compileOurs(): Promise<void> {
  if ((process.env['CONDUCTOR_BIN'] ?? '') !== '') return;
  const outdir = join(benchDirectory(), 'bin');
  const target = `--target=${process.platform}-${process.arch}`;
  const build = Bun.spawn([process.execPath, 'scripts/build.ts', target, `--outdir=${outdir}`], {
    cwd: repository,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [complaint, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  const path = join(outdir, 'conductor');
  if (code === 0 && existsSync(path)) process.env['CONDUCTOR_BIN'] = path;
  else console.log(`the binary could not be built (${complaint.trim()}); measuring the sources under Bun`);
}
