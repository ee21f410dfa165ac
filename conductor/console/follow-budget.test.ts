import { expect, test } from 'vitest';
import type { ClusterConfig } from '#conductor/operate/cluster-config';
import { askEveryMs, followedClusters } from './follow-budget.ts';

const fleet = (count: number): ClusterConfig[] =>
  Array.from(
    { length: count },
    (_, at) => ({ name: `c${at}`, path: null, servers: Array.from({ length: 3 }) }) as never,
  );

test('a fleet that fits is followed whole', () => {
  expect(followedClusters(fleet(64), {}).size).toBe(64);
});

test('of a larger one those that come first, so that questions always have room', () => {
  const followed = followedClusters(fleet(200), {});
  expect([followed.size, followed.has('c63'), followed.has('c64')]).toEqual([64, true, false]);
  expect(askEveryMs(fleet(200))).toBe(6000);
  expect(askEveryMs(fleet(2))).toBe(1000);
});

test.each([
  ['1024', 200],
  ['65', 0],
  ['no number', 64],
])('where the runtime has room for %s requests %i clusters of 200 are followed', (text, clusters) => {
  expect(followedClusters(fleet(200), { BUN_CONFIG_MAX_HTTP_REQUESTS: text }).size).toBe(clusters);
});
