/**
 * A soak in shards: one space of seeds, run k of it in shard k mod n, so that n machines do together what one would do
 * alone. What a shard has done is a value that can be kept and gone on with; the first run to reach a notable state stays
 * in its corpus. Shards of the same seed add up to one report, whatever order they come in.
 */
import fc from 'fast-check';
import { execute, type RunReport } from './run.ts';
import { runToText, type Run } from './run-value.ts';

/** Changes when an older state can no longer be gone on with. */
export const SHARD_STATE_VERSION = 1;
/** Broken laws are few, or the code is not worth a soak: further ones are only counted. */
const FINDINGS_MAX = 100;

/** A run by its place in the space of seeds. */
interface KeptRun {
  readonly at: number;
  readonly run: string;
}

/** What a shard is to do. */
export interface ShardPlan {
  /** Of the whole space: run k has the seed `seed + k`. */
  readonly seed: number;
  /** 1 to `shards`. */
  readonly shard: number;
  readonly shards: number;
  /** Which runs are made up; another set is another space. */
  readonly set: string;
}

/** What it has done. */
export interface ShardState extends ShardPlan {
  readonly version: typeof SHARD_STATE_VERSION;
  /** Runs of this shard. */
  runs: number;
  virtualMs: number;
  published: number;
  /** Laws broken, and the first runs that did. */
  broken: number;
  readonly findings: (KeptRun & { readonly law: string })[];
  /** The corpus: for every state that was ever reached, the first run that did. */
  readonly reached: Record<string, KeptRun>;
}

export function beginShard(plan: ShardPlan): ShardState {
  const { seed, shard, shards, set } = plan;
  return {
    ...{ version: SHARD_STATE_VERSION, seed, shard, shards, set },
    ...{ runs: 0, virtualMs: 0, published: 0, broken: 0, findings: [], reached: {} },
  };
}

/** Where the next run of a shard is in the space. */
export function nextPlace({ shard, shards, runs }: Pick<ShardState, 'shard' | 'shards' | 'runs'>): number {
  return shard - 1 + runs * shards;
}

/** The run at a place: the same for everybody. */
export function runAt(runs: fc.Arbitrary<Run>, seed: number): Run {
  // Without bias: a single run would otherwise be a small one.
  return fc.sample(fc.noBias(runs), { seed, numRuns: 1 })[0] as Run;
}

/** Carries out the next run of a shard and writes down what came of it. */
export function soakNext(
  state: ShardState,
  runs: fc.Arbitrary<Run>,
  carryOut: (run: Run) => RunReport = (run) => execute(run, { mayEndAtRest: true }),
): void {
  const at = nextPlace(state);
  const run = runAt(runs, state.seed + at);
  const report = carryOut(run);
  const text = runToText(run);
  state.runs++;
  state.virtualMs += report.virtualMs;
  state.published += report.published;
  for (const one of notable(report)) state.reached[one] ??= { at, run: text };
  if (report.violation === null) return;
  state.broken++;
  if (state.findings.length < FINDINGS_MAX) state.findings.push({ at, law: report.violation.law, run: text });
}

/** What a run has reached: each thing that may happen, with how often to the next power of two. */
export function notable({ judge }: Pick<RunReport, 'judge'>): string[] {
  return Array.from(judge.sometimes, ([name, count]) => `${name}, ${2 ** Math.floor(Math.log2(count))} or more`);
}

/** All shards of one seed together. */
export interface SoakReport {
  readonly seed: number;
  readonly set: string;
  readonly shards: number;
  /** Shards that are not there. */
  readonly missing: readonly number[];
  readonly runs: number;
  readonly virtualSeconds: number;
  readonly published: number;
  readonly broken: number;
  readonly findings: ShardState['findings'];
  readonly reached: ShardState['reached'];
}

/** The report of shards of one space; throws a sentence where they are of several, or one is there twice. */
export function mergeShards(states: readonly ShardState[]): SoakReport {
  const [first] = states;
  if (first === undefined) throw new ShardError('there are no shards to merge');
  const { seed, set, shards } = first;
  const other = states.find((one) => one.seed !== seed || one.set !== set || one.shards !== shards);
  if (other !== undefined)
    throw new ShardError(`shard ${other.shard}/${other.shards} of seed ${other.seed} is not of the same soak`);
  const numbers = states.map(({ shard }) => shard);
  if (new Set(numbers).size < numbers.length) throw new ShardError('a shard is there twice');
  const sum = (of: (state: ShardState) => number): number => states.reduce((total, state) => total + of(state), 0);
  const reached: ShardState['reached'] = {};
  for (const [name, kept] of states.flatMap((state) => Object.entries(state.reached))) {
    const known = reached[name];
    if (known === undefined || kept.at < known.at) reached[name] = kept;
  }
  return {
    ...{ seed, set, shards },
    missing: Array.from({ length: shards }, (_, at) => at + 1).filter((shard) => !numbers.includes(shard)),
    runs: sum(({ runs }) => runs),
    virtualSeconds: Math.round(sum(({ virtualMs }) => virtualMs) / 1000),
    published: sum(({ published }) => published),
    broken: sum(({ broken }) => broken),
    findings: states.flatMap(({ findings }) => findings).toSorted((a, b) => a.at - b.at),
    reached: Object.fromEntries(Object.entries(reached).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Shards that do not belong together; the message says which. */
export class ShardError extends Error {
  override readonly name = 'ShardError';
}
