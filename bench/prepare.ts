/**
 * Before anything is measured: brings what ours is compared with and compiles our own programs, so that what is
 * measured is what operators run. What cannot be had is said once, and its side is left out.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from './benchmarks.ts';
import { buildGoNode } from './build-gonode.ts';
import { benchDirectory } from './directories.ts';
import { needOpStack } from './op-stack.ts';
import type { BenchOptions, BenchRun } from './options.ts';
import { opConductorVersion, versionsOf, type OurBinary } from './versions.ts';

const repository = join(import.meta.dirname, '..');
const NONE: OurBinary = { path: '', isNamed: false };

/** The other side of some benchmarks; `leftOut` says why it is not measured, or that it is not the one meant. */
interface OtherSide {
  readonly isThere: boolean;
  readonly leftOut: readonly string[];
  /** Of op-conductor; 'absent' where none is run. */
  readonly version: string;
}

/**
 * Sets CONDUCTOR_BIN and OP_CONDUCTOR_BIN for what the benchmarks start; resolves with what each is given, null for one
 * that has nothing left to measure.
 */
export async function prepare(
  chosen: readonly Benchmark[],
  options: BenchOptions,
): Promise<(one: Benchmark) => BenchRun | null> {
  const conductor = chosen.some(({ ours }) => ours === 'conductor') ? await ourBinary() : NONE;
  const others = new Map<Benchmark['beside'], OtherSide>();
  for (const beside of new Set(chosen.map((one) => one.beside))) others.set(beside, await otherSide(beside, options));
  const [ofBinary, ofSources] = [versionsOf(conductor), versionsOf(NONE)];
  return ({ ours, beside }) => {
    const other = others.get(beside) as OtherSide;
    const sides = options.sides.filter((side) => side === 'bun' || other.isThere);
    if (sides.length === 0) return null;
    const oursLeftOut = options.sides.includes('bun') ? [] : ['ours was left out'];
    const versions = { ...(ours === 'conductor' ? ofBinary : ofSources), opConductor: other.version };
    return { ...options, sides, leftOut: [...other.leftOut, ...oursLeftOut], versions };
  };
}

/** The same for what measures nothing but whole conductors of ours; resolves with the versions. */
export async function prepareOurs(): Promise<Readonly<Record<string, string>>> {
  return versionsOf(await ourBinary());
}

async function otherSide(beside: Benchmark['beside'], options: BenchOptions): Promise<OtherSide> {
  const without = (leftOut: readonly string[]): OtherSide => ({ isThere: false, leftOut, version: 'absent' });
  if (beside === 'nothing') return without([]);
  if (!options.sides.includes('go')) return without([`${beside} was left out`]);
  if (beside === 'gonode') {
    const failure = await buildGoNode();
    return failure === null ? { isThere: true, leftOut: [], version: 'absent' } : without([told(failure)]);
  }
  const found = await needOpStack(beside);
  if ('missing' in found) return without([told(found.missing)]);
  process.env['OP_CONDUCTOR_BIN'] = found.path;
  const { words, isOther } = opConductorVersion(found.path);
  console.log(`op-conductor: ${words}`);
  return { isThere: true, leftOut: isOther ? [`the op-conductor beside is ${words}`] : [], version: words };
}

function told(why: string): string {
  console.log(`${why}; measuring ours alone`);
  return why;
}

/** The binary that CONDUCTOR_BIN names, or this machine's, built now; without a compiler the sources are measured. */
async function ourBinary(): Promise<OurBinary> {
  const named = process.env['CONDUCTOR_BIN'] ?? '';
  if (named !== '') return { path: named, isNamed: true };
  const outdir = join(benchDirectory(), 'bin');
  const target = `--target=${process.platform}-${process.arch}`;
  const build = Bun.spawn([process.execPath, 'scripts/build.ts', target, `--outdir=${outdir}`], {
    cwd: repository,
    env: process.env,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [complaint, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  const path = join(outdir, 'conductor');
  if (code === 0 && existsSync(path)) {
    process.env['CONDUCTOR_BIN'] = path;
    return { path, isNamed: false };
  }
  console.log(`the binary could not be built (${complaint.trim()}); measuring the sources under Bun`);
  return NONE;
}
