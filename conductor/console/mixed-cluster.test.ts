/** What the console makes of clusters in which some publish events and others do not, or none. */
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../tests/cluster/wait.ts';
import { History } from './history.ts';
import type { ClusterNow, Failover } from './protocol.ts';
import { StandInCluster } from './testing/stand-in-cluster.ts';
import { Watches } from './watches.ts';

const waitMsMax = 20_000;

interface Watched {
  readonly cluster: StandInCluster;
  now(): ClusterNow;
  /** The next block is committed, and the console has seen it. */
  commit(): Promise<void>;
  /** The newest failover, once its first block was seen. */
  failover(): Promise<Failover>;
}

async function watch(hasEvents: readonly string[]): Promise<Watched> {
  const cluster = new StandInCluster({ hasEvents });
  const watches = new Watches([cluster.config], new History(':memory:'));
  onTestFinished(async () => {
    watches.close();
    await cluster[Symbol.asyncDispose]();
  });
  const now = (): ClusterNow => watches.clusters()[0]!;
  const watched: Watched = {
    cluster,
    now,
    async commit() {
      cluster.commit();
      await waitFor('the block', waitMsMax, () => (now().head?.number === cluster.number ? true : null));
    },
    failover: () =>
      waitFor('a complete failover', waitMsMax, () => {
        const [newest] = watches.failovers('mainnet') ?? [];
        return newest !== undefined && newest.gapMs !== null ? newest : null;
      }),
  };
  cluster.elect(0);
  cluster.commit();
  watches.start();
  await waitFor('all servers', waitMsMax, () =>
    now().leader === 'node-1' &&
    now().servers.every(({ id, source }) => (source === 'stream') === hasEvents.includes(id))
      ? true
      : null,
  );
  await watched.commit();
  return watched;
}

test('the only one that publishes events is lost: what asking finds is told, with its bounds', async () => {
  const { cluster, commit, failover, now } = await watch(['node-1']);
  cluster.servers[0]!.fallSilent();
  await waitFor('its silence', waitMsMax, () => (now().servers[0]!.state.answers ? null : true));
  cluster.elect(1);
  await waitFor('the new leader', waitMsMax, () => (now().leader === 'node-2' ? true : null));
  await commit();
  const found = await failover();
  expect(found).toMatchObject({ from: 'node-1', to: 'node-2', source: 'asked', kind: 'lost', term: null });
  expect([found.lastBlock, found.firstBlock]).toEqual([cluster.number - 1, cluster.number]);
  const [leastMs, mostMs] = found.gapRangeMs!;
  expect(leastMs).toBeLessThanOrEqual(found.gapMs!);
  expect(mostMs).toBe(found.gapMs);
});

test('a leader that publishes nothing is told by who follows it, with its term, once', async () => {
  const { cluster, commit, failover, now } = await watch(['node-1', 'node-3']);
  cluster.servers[0]!.fallSilent();
  cluster.elect(1);
  await commit();
  const found = await failover();
  expect(found).toMatchObject({
    from: 'node-1',
    to: 'node-2',
    source: 'followed',
    term: cluster.term,
    gapRangeMs: null,
  });
  expect(found.phases.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)).toBe(found.gapMs);
  await waitFor('the look that sees it lead', waitMsMax, () => (now().leader === 'node-2' ? true : null));
  await commit();
  expect(await failover()).toEqual(found);
});

test('the last block of a lost leader, of which its followers learn with the next one’s word, is not that one’s first', async () => {
  const { cluster, commit, failover, now } = await watch(['node-3']);
  const looked = async (): Promise<void> => {
    const shown = (): boolean => now().servers.every(({ state, head }) => !state.answers || head === cluster.number);
    await waitFor('a look at the nodes', waitMsMax, () => (shown() ? true : null));
  };
  cluster.number += 1;
  await looked();
  cluster.servers[0]!.fallSilent();
  await waitFor('its silence', waitMsMax, () => (now().servers[0]!.state.answers ? null : true));
  cluster.elect(1);
  cluster.tell();
  await commit();
  const found = await failover();
  expect(found).toMatchObject({ from: 'node-1', to: 'node-2', source: 'followed', kind: 'lost' });
  expect([found.lastBlock, found.firstBlock]).toEqual([cluster.number - 1, cluster.number]);
  const [leastMs, mostMs] = found.gapRangeMs!;
  expect(leastMs).toBe(found.gapMs);
  expect(mostMs).toBeGreaterThan(leastMs);
});

test('a cluster in which nobody publishes events: the chain is followed by its nodes’ heads', async () => {
  const { cluster, commit, failover, now } = await watch([]);
  cluster.elect(2);
  await waitFor('the new leader', waitMsMax, () => (now().leader === 'node-3' ? true : null));
  await commit();
  expect(await failover()).toMatchObject({ from: 'node-1', to: 'node-3', source: 'asked', kind: 'unknown' });
});
