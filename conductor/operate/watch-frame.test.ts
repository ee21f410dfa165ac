import { describe, expect, test } from 'vitest';
import type { ClusterEvent } from './changes/cluster-event.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { watchFrame } from './watch-frame.ts';

const changes = Array.from({ length: 60 }, (_, at): ClusterEvent => ({
  kind: 'action',
  atMs: at,
  text: `node-${at} has changed something that is told in many words, more than a narrow terminal has columns for`,
  fields: {},
}));

const drawn = (cluster: MemoryCluster, columns: number, rows: number): string[] =>
  watchFrame({ name: 'mainnet', view: cluster.view(), changes }, { columns, rows }).map((line) =>
    line.map(({ text }) => text).join(''),
  );

function ailing(): MemoryCluster {
  const cluster = new MemoryCluster();
  cluster.server('node-2').isHealthy = false;
  cluster.server('node-3').isUp = false;
  return cluster;
}

describe.each([
  [20, 5],
  [40, 12],
  [80, 24],
  [200, 50],
  [1, 1],
  [7, 2],
  [30, 300],
])('on %i columns and %i rows', (columns, rows) => {
  test('a frame is exactly as large as the terminal, whatever there is to say', () => {
    const large = new MemoryCluster(9);
    for (const server of large.servers.slice(1)) server.isUp = false;
    for (const cluster of [new MemoryCluster(), ailing(), large]) {
      const lines = drawn(cluster, columns, rows);
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});

describe('what a small terminal shows', () => {
  test('20 by 5: who leads, and each server with its role', () => {
    expect(drawn(new MemoryCluster(), 20, 5).map((line) => line.trimEnd())).toEqual([
      'node-1 leads',
      'server  role',
      'node-1  leader',
      'node-2  follower',
      'node-3  follower',
    ]);
    const cluster = ailing();
    expect(drawn(cluster, 20, 5)).toEqual(
      expect.arrayContaining(['node-1 leads', expect.stringMatching(/^node-3 {2}silent/u), '! 2 troubles']),
    );
    cluster.leader = null;
    expect(drawn(cluster, 20, 5)[0]).toBe('nobody leads');
  });

  test.each([
    [20, 5],
    [40, 12],
    [80, 24],
    [200, 50],
  ])('%i by %i: nothing but changes is cut', (columns, rows) => {
    for (const cluster of [new MemoryCluster(), ailing()]) {
      const lines = drawn(cluster, columns, rows).filter((line) => !/^\d\d:\d\d:\d\d/u.test(line));
      expect(lines.filter((line) => line.includes('…'))).toEqual([]);
      for (const { id } of cluster.servers) expect(lines.some((line) => line.startsWith(`${id}  `))).toBe(true);
    }
  });

  test('servers for which there is no room are counted', () => {
    expect(drawn(new MemoryCluster(9), 20, 5).map((line) => line.trimEnd())).toEqual([
      'node-1 leads',
      'node-1  leader',
      'node-2  follower',
      'node-3  follower',
      '… 6 more',
    ]);
  });

  test('a majority that is missing is said first', () => {
    const cluster = ailing();
    cluster.server('node-2').isUp = false;
    expect(drawn(cluster, 40, 5)[0]).toBe('no majority; node-1 leads');
  });
});
