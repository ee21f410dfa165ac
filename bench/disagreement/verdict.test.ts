import { expect, test } from 'vitest';
import { isWithin, tableOf } from './verdict.ts';

const sound = { ms: 2000, moves: 1, restarts: 0, recovers: true, faults: [] };

test('a round is within its bounds by both its times, and never where the chain stood or something was broken', () => {
  const limit = { rounds: 1, atMostMs: 2000, thenAtMostMs: 500 };
  expect(isWithin({ ...sound, thenMs: 500 }, limit)).toBe(true);
  for (const worse of [{ ms: 2001 }, { ms: null }, { thenMs: 501 }, { thenMs: null }, { faults: ['two hashes'] }]) {
    expect(isWithin({ ...sound, thenMs: 500, ...worse }, limit), JSON.stringify(worse)).toBe(false);
  }
});

test('without a bound any chain that goes on is within it', () => {
  expect(isWithin(sound, { rounds: 1 })).toBe(true);
  expect(isWithin({ ...sound, ms: null }, { rounds: 1 })).toBe(false);
});

test('the table tells the worst of each row, what was broken, and judges where there is a bound', () => {
  const samples = [
    sound,
    { ms: null, moves: 3, restarts: 1, recovers: false, faults: ['block 7 was seen as a and b'] },
  ];
  const common = { row: 'one invalid block', measure: 'longest gap', samples, at: '', commit: '' } as const;
  const [, bound, free] = tableOf([
    { ...common, cluster: 'validated', limit: { rounds: 2, atMostMs: 2300 } },
    { ...common, cluster: 'go', limit: { rounds: 2 }, samples: [sound] },
  ]).split('\n');
  expect(bound?.split(/ {2,}/)).toEqual([
    ...['one invalid block', 'ours, validated', '2', '2000', '2000', 'never', '≤ 2300', '3', '1 of 2'],
    'FAIL: 1 of 2 BROKEN: block 7 was seen as a and b',
  ]);
  expect(free).toMatch(/op-conductor +1 +2000 +2000 +2000 +1 +1 of 1$/);
});
