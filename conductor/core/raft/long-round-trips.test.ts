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

/** How often it changed who leads, and when the last one did, in the ten seconds after something happened to the leader. */
function takeover(cluster: TestCluster, happens: (leader: string) => void): { changes: number; ms: number } {
  const sinceMs = cluster.nowMs;
  const leads = (): string => `${cluster.leader()} in ${cluster.leader() && cluster.status(cluster.leader()!)!.term}`;
  let last = leads();
  let found = { changes: 0, ms: 0 };
  happens(cluster.leader()!);
  while (cluster.nowMs < sinceMs + 10_000) {
    cluster.run(10);
    const now = leads();
    if (now === last) continue;
    last = now;
    if (cluster.leader() !== null) found = { changes: found.changes + 1, ms: cluster.nowMs - sinceMs };
  }
  return found;
}

// A leader whose first heartbeats had to wait for new connections lost its lease before they were answered.
describe('with round trips of 300 ms, and another one for each new connection, a new leader stays', () => {
  const seeds = [1, 2, 3, 4];
  const form = (size: number, seed: number) => {
    const delayMs = { min: 150, max: 150.1 };
    return TestCluster.form({ size, seed, delayMs, handshakes: true });
  };

  it.each([3, 5])('of %i servers, by transfer', async (size) => {
    for (const seed of seeds) {
      const cluster = await form(size, seed);
      cluster.run(5000);
      const found = takeover(cluster, (leader) => cluster.command(leader, { kind: 'transfer', target: 'n2' }));
      expect(cluster.leader()).toBe('n2');
      expect(found.changes).toBe(1);
      expect(found.ms).toBeLessThan(800);
    }
  });

  it.each([3, 5])('of %i servers, when the leader is killed', async (size) => {
    for (const seed of seeds) {
      const cluster = await form(size, seed);
      cluster.run(5000);
      const found = takeover(cluster, (leader) => cluster.crash(leader));
      expect(found.changes).toBe(1);
      expect(found.ms).toBeLessThan(4000);
    }
  });
});

describe('with op-conductor’s timers leadership holds for ten minutes', () => {
  it.each([
    ['round trips of 300 ms', { min: 150, max: 150.1 }],
    ['round trips of 400 ms', { min: 200, max: 200.1 }],
    ['one-way delays between 50 and 200 ms', { min: 50, max: 200 }],
    ['round trips of 700 ms', { min: 350, max: 350.1 }],
  ])('with %s', async (_, delayMs) => {
    const cluster = await TestCluster.form({ delayMs, isSlowFromTheStart: true });
    expect(changes(cluster, TEN_MINUTES_MS)).toBe(0);
  });
});
