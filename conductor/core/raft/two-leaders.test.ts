/**
 * Two servers may lead for a moment, in different terms; that both are sure of it, on which what they answer to op-node
 * rests, takes a promise that was broken (rule 34): a fast election's, or that of a follower which has started again.
 */
import { expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';
import { seeded } from './testing/virtual-time.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const ROUNDS = 8;
const LOOK_EVERY_MS = 2;

/** Servers that say of themselves that they lead, and that nobody else can. */
function sureOf(cluster: TestCluster): string[] {
  return [...cluster.servers.values()].flatMap(({ id, node, frozen }) => {
    const status = frozen ? null : node?.status();
    return status?.role === 'leader' && status.isSure ? [`${id} in term ${status.term}`] : [];
  });
}

function watch(cluster: TestCluster, ms: number): void {
  const untilMs = cluster.nowMs + ms;
  while (cluster.nowMs < untilMs) {
    cluster.run(LOOK_EVERY_MS);
    const sure = sureOf(cluster);
    expect(sure.length > 1 ? sure : []).toEqual([]);
  }
}

it.each([
  ['links are cut, one way or both', (_cluster: TestCluster, _leader: string, _random: () => number) => undefined],
  [
    'the leader stands still',
    (cluster: TestCluster, leader: string, random: () => number) => {
      cluster.freeze(leader);
      watch(cluster, random() * 1200);
      cluster.thaw(leader);
    },
  ],
  [
    'leadership is handed over while links are cut',
    (cluster: TestCluster, leader: string) => void cluster.command(leader, { kind: 'transfer', target: null }),
  ],
])('two servers are never both sure that they lead: %s', async (_, happens) => {
  for (const seed of SEEDS) {
    const random = seeded(seed * 104_729);
    const size = random() < 0.5 ? 3 : 5;
    const delayMs = { min: 0.5, max: random() < 0.5 ? 2 : 50 };
    const cluster = await TestCluster.form({ seed, size, delayMs, raft: { fastElections: false } });
    cluster.run(3000);
    for (let round = 0; round < ROUNDS; round++) {
      const leader = cluster.leader() ?? 'n1';
      for (const id of cluster.servers.keys()) {
        if (id === leader || random() < 0.4) continue;
        if (random() < 0.7) cluster.cut(leader, id);
        if (random() < 0.7) cluster.cut(id, leader);
      }
      watch(cluster, random() * 500);
      happens(cluster, leader, random);
      watch(cluster, 1500);
      cluster.heal();
      watch(cluster, 2500);
    }
  }
});
