/** Shards of a soak do together what one does alone, and go on where they were. */
import { describe, expect, it } from 'vitest';
import { Judge } from './judge.ts';
import type { RunReport } from './run.ts';
import { runKinds } from './run-kinds.ts';
import { runToText, type Run } from './run-value.ts';
import {
  beginShard,
  mergeShards,
  nextPlace,
  notable,
  runAt,
  SHARD_STATE_VERSION,
  soakNext,
  type ShardState,
} from './sharded-soak.ts';

const SEED = 40;
const runs = runKinds.storm;
const plan = { seed: SEED, set: 'storm' };

/** Stands for carrying out: what a run reaches, and whether it breaks a law, depends on the run alone. */
function carryOut(run: Run): RunReport {
  const judge = new Judge([]);
  for (const { kind } of run.events)
    judge.sometimes.set(`event ${kind}`, (judge.sometimes.get(`event ${kind}`) ?? 0) + 1);
  const isBroken = run.configuration.seed % 3 === 0;
  const violation = isBroken ? { law: 'chainGoesOn', message: 'It stands.', atMs: 1 } : null;
  return { violation, hash: '', virtualMs: 2000, handled: 1, published: 3, judge } as RunReport;
}

/** A shard that has done so many runs, perhaps with a stop in between. */
function soaked(shard: number, shards: number, count: number, stopAfter = count): ShardState {
  let state = beginShard({ ...plan, shard, shards });
  for (let done = 0; done < count; done++) {
    if (done === stopAfter) state = JSON.parse(JSON.stringify(state)) as ShardState;
    soakNext(state, runs, carryOut);
  }
  return state;
}

it('every run of the space is in exactly one shard', () => {
  const places = [1, 2, 3].flatMap((shard) =>
    Array.from({ length: 5 }, (_, done) => nextPlace({ shard, shards: 3, runs: done })),
  );
  expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, at) => at));
});

it('a place has one run, whoever makes it up', () => {
  expect(runToText(runAt(runs, 7))).toBe(runToText(runAt(runs, 7)));
  expect(runToText(runAt(runs, 7))).not.toBe(runToText(runAt(runs, 8)));
});

it('three shards merged in any order are as one that does it all', () => {
  const parts = [1, 2, 3].map((shard) => soaked(shard, 3, 4));
  const { shards: _, missing, ...together } = mergeShards([parts[2]!, parts[0]!, parts[1]!]);
  const { shards: __, missing: ___, ...alone } = mergeShards([soaked(1, 1, 12)]);
  expect(missing).toEqual([]);
  expect(together).toEqual(alone);
  expect(together.runs).toBe(12);
  expect(together.broken).toBeGreaterThan(0);
  expect(together.findings).toHaveLength(together.broken);
});

it('a shard that was stopped goes on as if it had not been', () => {
  expect(soaked(2, 3, 6, 3)).toEqual(soaked(2, 3, 6));
});

it('keeps the first run that reached a state, and says how often in powers of two', () => {
  const { reached } = soaked(1, 1, 10);
  for (const [name, { at, run }] of Object.entries(reached)) {
    expect(run).toBe(runToText(runAt(runs, SEED + at)));
    for (let earlier = 0; earlier < at; earlier++)
      expect(notable(carryOut(runAt(runs, SEED + earlier)))).not.toContain(name);
  }
  const judge = new Judge([]);
  judge.sometimes.set('event crash', 5);
  expect(notable({ judge })).toEqual(['event crash, 4 or more']);
});

describe('what does not belong together is refused', () => {
  it.each([
    ['no shards', []],
    [
      'another seed',
      [beginShard({ ...plan, shard: 1, shards: 2 }), beginShard({ ...plan, seed: 1, shard: 2, shards: 2 })],
    ],
    [
      'another number of shards',
      [beginShard({ ...plan, shard: 1, shards: 2 }), beginShard({ ...plan, shard: 2, shards: 3 })],
    ],
    [
      'the same shard twice',
      [beginShard({ ...plan, shard: 1, shards: 2 }), beginShard({ ...plan, shard: 1, shards: 2 })],
    ],
  ])('%s', (_, states) => {
    expect(() => mergeShards(states)).toThrow(/shard/);
  });

  it('a shard that is missing is named', () => {
    expect(mergeShards([beginShard({ ...plan, shard: 2, shards: 3 })]).missing).toEqual([1, 3]);
  });
});

it('the version of a state is kept with it', () => {
  expect(beginShard({ ...plan, shard: 1, shards: 1 }).version).toBe(SHARD_STATE_VERSION);
});
