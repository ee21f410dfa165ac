/**
 * `npm run sim -- soak --shard i/n --corpus DIR` and `soak --merge DIR`: a shard's state is a file of the folder, written
 * every few seconds in the place of the one before and gone on with by the next start; the merge reads them all.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type fc from 'fast-check';
import type { Run } from './run-value.ts';
import {
  beginShard,
  mergeShards,
  nextPlace,
  SHARD_STATE_VERSION,
  ShardError,
  soakNext,
  type ShardPlan,
  type ShardState,
} from './sharded-soak.ts';

const SAVE_MS = 10_000;
const STATE_FILE = /^shard-\d+-of-\d+\.json$/;
const REPORT_FILE = 'report.json';
const SHARDS_MAX = 10_000;

export interface ShardOptions {
  /** "i/n". */
  readonly shard: string;
  readonly corpus: string;
  readonly seed: number;
  readonly set: string;
  readonly runs: fc.Arbitrary<Run>;
  /** Runs of all shards together; Infinity for as many as there is time for. */
  readonly total: number;
  readonly untilMs: number;
  readonly stopping: AbortSignal;
  readonly print: (line: string) => void;
}

/** Soaks one shard until its part is done or it is told to stop; 1 when it has seen a law broken, ever. */
export async function soakShard(options: ShardOptions): Promise<number> {
  const { seed, set, corpus, total, untilMs, stopping, runs, print } = options;
  const plan = { seed, set, ...shardOf(options.shard) };
  mkdirSync(corpus, { recursive: true });
  const path = join(corpus, `shard-${plan.shard}-of-${plan.shards}.json`);
  const state = existsSync(path) ? resumed(path, plan) : beginShard(plan);
  print(`shard ${options.shard} of seed ${seed} begins at its run ${state.runs + 1}`);
  let savedMs = performance.now();
  while (nextPlace(state) < total && performance.now() < untilMs && !stopping.aborted) {
    const { broken } = state;
    soakNext(state, runs);
    const found = state.broken > broken ? state.findings.at(-1) : undefined;
    if (found !== undefined) print(`run ${found.at} breaks ${found.law}\n${found.run}`);
    if (found !== undefined || performance.now() - savedMs > SAVE_MS) {
      save(path, state);
      savedMs = performance.now();
      print(described(state));
    }
    // A run takes no turn of the event loop: signals are seen between two of them.
    await setImmediate();
  }
  save(path, state);
  print(`${described(state)}${nextPlace(state) < total ? '' : ', done'}`);
  return state.broken > 0 ? 1 : 0;
}

/** Writes the report of all shards in a folder beside them, and says it; 1 when a law was broken or a shard is missing. */
export function mergeShardFiles(corpus: string, print: (line: string) => void): number {
  const names = existsSync(corpus) ? readdirSync(corpus).filter((name) => STATE_FILE.test(name)) : [];
  const report = mergeShards(names.map((name) => read(join(corpus, name))));
  save(join(corpus, REPORT_FILE), report);
  const { seed, shards, missing, runs, virtualSeconds, published, broken, findings, reached } = report;
  print(
    `seed ${seed}, ${shards - missing.length} of ${shards} shards: ${runs} runs, ${virtualSeconds} virtual seconds, ${published} blocks published, ${Object.keys(reached).length} states reached, ${broken} runs broke a law`,
  );
  for (const { at, law, run } of findings) print(`run ${at} breaks ${law}\n${run}`);
  if (missing.length > 0) print(`missing: ${missing.join(', ')}`);
  return broken > 0 || missing.length > 0 ? 1 : 0;
}

function shardOf(text: string): Pick<ShardPlan, 'shard' | 'shards'> {
  const [, shard, shards] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const plan = { shard: Number(shard), shards: Number(shards) };
  if (plan.shard >= 1 && plan.shard <= plan.shards && plan.shards <= SHARDS_MAX) return plan;
  throw new ShardError(`--shard ${text}: i/n, with i from 1 to n and n at most ${SHARDS_MAX}`);
}

/** What a shard has done so far; it must have been told the same. */
function resumed(path: string, plan: ShardPlan): ShardState {
  const state = read(path);
  if (state.seed === plan.seed && state.set === plan.set) return state;
  throw new ShardError(`${path} is of seed ${state.seed} and ${state.set} runs: take another folder, or the same seed`);
}

function read(path: string): ShardState {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as ShardState;
    if (state.version === SHARD_STATE_VERSION) return state;
  } catch (error) {
    throw new ShardError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new ShardError(`${path} is of another version: take another folder`);
}

/** In the place of the one before, whole or not at all. */
function save(path: string, content: object): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(content)}\n`);
  renameSync(fresh, path);
}

function described({ runs, virtualMs, published, broken, reached }: ShardState): string {
  return `${runs} runs, ${Math.round(virtualMs / 1000)} virtual seconds, ${published} blocks published, ${Object.keys(reached).length} states reached, ${broken} runs broke a law`;
}
