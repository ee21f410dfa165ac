import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';

const TEN_MINUTES_MS = 600_000;

/** Changes of role in `ms` of virtual time, with a proposal in each second. */
function changes(cluster: TestCluster, ms: number): number {
  const before = cluster.notices.length;
  const leader = cluster.leader()!;
  const proposals: number[] = [];
  for (let second = 0; second < ms / 1000; second++) {
    proposals.push(cluster.propose(leader, `${second}`));
    cluster.run(1000);
  }
  cluster.run(1000);
  for (const id of proposals) expect(cluster.results.get(id)).toMatchObject({ kind: 'done' });
  return cluster.notices.slice(before).filter(({ notice }) => notice.kind === 'role').length;
}

describe('with op-conductor’s timers leadership holds for ten minutes', () => {
  it.each([
    ['round trips of 300 ms', { min: 150, max: 150.1 }],
    ['round trips of 400 ms', { min: 200, max: 200.1 }],
    ['one-way delays between 50 and 200 ms', { min: 50, max: 200 }],
    ['round trips of 700 ms', { min: 350, max: 350.1 }],
  ])('with %s', async (_, delayMs) => {
    const cluster = await TestCluster.form({ delayMs });
    expect(changes(cluster, TEN_MINUTES_MS)).toBe(0);
  });
});
