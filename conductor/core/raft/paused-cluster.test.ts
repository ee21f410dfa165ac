import { expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';

it.each([1, 2, 3, 4, 5])(
  'a leader deposed while all are paused leads again if its sequencer was started by an operator (seed %i)',
  async (seed) => {
    const cluster = await TestCluster.form({ seed });
    const leader = cluster.leader()!;
    for (const { id, node } of cluster.servers.values()) {
      node!.setLocalStatus({
        healthy: null,
        paused: true,
        builds: id === leader,
        unsafeNumber: null,
        unsafeHash: null,
      });
    }
    cluster.run(2000);
    const others = [...cluster.servers.keys()].filter((id) => id !== leader);
    for (const id of others) cluster.cut(id, leader);
    cluster.runUntil(() => cluster.status(leader)?.role === 'follower');
    cluster.heal();
    cluster.run(100);
    expect(cluster.leader()).toBeNull();
    cluster.runUntil(() => cluster.leader() !== null);
    expect(cluster.leader()).toBe(leader);
    const { term } = cluster.status(leader)!;
    cluster.run(5000);
    expect(cluster.status(leader)).toMatchObject({ role: 'leader', term });
  },
);
