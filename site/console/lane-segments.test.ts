import { expect, test } from 'vitest';
import type { ServerState } from '../../conductor/console/protocol.ts';
import { restsOf, runsOf, segmentsOf, ticksOf } from './lane-segments.ts';

const state: ServerState = { answers: true, role: 'follower', isSequencing: null, isHealthy: true, isPaused: false };

test('segments follow each other without holes, are cut to what is shown, and are of one server', () => {
  const lanes = [
    { server: 'a', atMs: 0, state },
    { server: 'b', atMs: 5, state },
    { server: 'a', atMs: 20, state: { ...state, role: 'leader' as const } },
    { server: 'a', atMs: 90, state },
  ];
  expect(segmentsOf(lanes, 'a', 10, 50).map(({ fromMs, toMs, state: { role } }) => [fromMs, toMs, role])).toEqual([
    [10, 20, 'follower'],
    [20, 50, 'leader'],
  ]);
});

test('a pause is one from nearly two slots on, also the one that lasts', () => {
  const blocks = [
    [1, 0],
    [2, 1000],
    [3, 2950],
    [4, 3950],
  ] as const;
  expect(restsOf(blocks, 1000, 7000)).toEqual([
    { fromMs: 1000, toMs: 2950 },
    { fromMs: 3950, toMs: 7000 },
  ]);
  expect(restsOf(blocks, 1000, 4500)).toHaveLength(1);
  const skipped = [
    [1, 0],
    [3, 2000],
    [4, 3000],
  ] as const;
  expect(restsOf(skipped, 1000, 3500)).toEqual([]);
  const asked = [
    [1, 0, 1000],
    [2, 2040, 1020],
    [3, 5000, 1020],
  ] as const;
  expect(restsOf(asked, 1000, 5500)).toEqual([{ fromMs: 2040, toMs: 5000 }]);
});

test('ticks are round, within what is shown, and not more than asked for', () => {
  expect(ticksOf(1500, 12_000, 6)).toEqual([2000, 4000, 6000, 8000, 10_000, 12_000]);
  expect(ticksOf(0, 43_200_000, 12)).toHaveLength(13);
});

test('a long stretch is runs between pauses, cut to what is shown, with the pause that lasts', () => {
  const run = {
    fromMs: 0,
    toMs: 9000,
    pauses: [
      [1000, 3000],
      [5000, 8000],
    ],
  } as const;
  const told = (fromMs: number, nowMs: number): unknown => {
    const { runs, rests } = runsOf(run, 1000, fromMs, nowMs);
    return [runs, rests].map((list) => list.map((one) => [one.fromMs, one.toMs]));
  };
  expect(told(0, 9500)).toEqual([
    [
      [0, 1000],
      [3000, 5000],
      [8000, 9000],
    ],
    [
      [1000, 3000],
      [5000, 8000],
    ],
  ]);
  expect(told(4000, 12_000)).toEqual([
    [
      [4000, 5000],
      [8000, 9000],
    ],
    [
      [5000, 8000],
      [9000, 12_000],
    ],
  ]);
});
