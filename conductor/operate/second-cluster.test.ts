/** One of the servers leads a cluster of its own, as after `conductor recover` on a server whose others were not lost. */
import { describe, expect, test } from 'vitest';
import { whySecond } from './advice.ts';
import { troubles } from './cluster-summary.ts';
import type { ClusterView, ServerView } from './cluster-view.ts';
import { withKnownIdle } from './known-idle.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';

/** node-1 leads and builds; node-3 says that it leads, too, paused. */
function split(): { readonly view: ClusterView; readonly third: ServerView } {
  const cluster = new MemoryCluster();
  cluster.server('node-3').isPaused = true;
  const view = cluster.view();
  const servers = view.servers.map((server) =>
    server.id === 'node-3'
      ? { ...server, conductor: { ...server.conductor!, claimsLeader: true, leaderId: 'node-3' } }
      : server,
  );
  return { view: { ...view, servers }, third: servers[2]! };
}

describe('a server that leads beside the leader', () => {
  test('is not resumed: it would start its sequencer beside the one that builds', () => {
    const { view, third } = split();
    expect(whySecond(view, { kind: 'act', server: third })).toMatch(/node-1 builds blocks, and node-3 could begin to/);
  });

  test('as any other follower is, which gets the lead of nobody that builds', () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isPaused = true;
    const view = cluster.view();
    expect(whySecond(view, { kind: 'act', server: view.servers[2]! })).toBeNull();
  });

  test('is named by status', () => {
    expect(troubles(split().view)).toContain(
      'node-3 says that it leads, too, beside node-1: if it says so again, it is of another cluster, and is not to be resumed',
    );
  });
});

describe('a member that is gone and has no URL here', () => {
  /** node-1 leads paused and nobody builds; of node-3 only the membership tells. */
  function withoutThird(): MemoryCluster {
    const cluster = new MemoryCluster();
    cluster.server('node-1').isPaused = true;
    cluster.server('node-1').isSequencing = false;
    return cluster;
  }
  const unlisted = (cluster: MemoryCluster, names: readonly string[]): Promise<ClusterView> => {
    const access = {
      ...cluster,
      config: cluster.config,
      observe: async () => Promise.resolve(seenWithoutThird(cluster)),
    };
    return withKnownIdle(access as never, names).observe();
  };
  const seenWithoutThird = (cluster: MemoryCluster): ClusterView => {
    const view = cluster.view();
    return { ...view, servers: view.servers.slice(0, 2) };
  };

  test('keeps others from being resumed until the operator says that it is idle, as the advice has it', async () => {
    const cluster = withoutThird();
    const before = await unlisted(cluster, []);
    expect(whySecond(before, { kind: 'act', server: before.servers[0]! })).toMatch(/say so with --idle node-3/);
    const after = await unlisted(cluster, ['node-3']);
    expect(whySecond(after, { kind: 'act', server: after.servers[0]! })).toBeNull();
  });

  test('is not confused with a name of nobody', async () => {
    await expect(unlisted(withoutThird(), ['node-9'])).rejects.toThrow('there is no server "node-9" here');
  });
});
