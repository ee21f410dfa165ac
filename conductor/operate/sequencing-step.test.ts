/** Moving sequencing by hand, against a cluster in memory. */
import { describe, expect, test } from 'vitest';
import type { ServerConfig } from './cluster-config.ts';
import type { Journal } from './journal.ts';
import type { Step } from './step.ts';
import { moveSequencingSteps } from './sequencing-step.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const config = (cluster: MemoryCluster, id: string): ServerConfig => {
  const found = cluster.config.servers.find((server) => server.id === id);
  if (found === undefined) throw new RangeError(id);
  return found;
};
const procedureOf = (steps: Step[]) => ({ title: 'test', steps, command: ['test'], journal: null });

describe('sequencing is moved', () => {
  const move = (cluster: MemoryCluster, journal: Journal | null = null): Step[] =>
    moveSequencingSteps(cluster, {
      from: config(cluster, 'node-1'),
      to: config(cluster, 'node-2'),
      journal,
      whyNot: () => null,
    });
  const run = (cluster: MemoryCluster, observe = () => cluster.observe()) =>
    runInMemory(procedureOf(move(cluster)), observe);

  const withoutConductors = (): MemoryCluster => {
    const cluster = new MemoryCluster();
    for (const server of cluster.servers) server.isConductorEnabled = false;
    return cluster;
  };

  test('to the new one, at the last block of the old one', async () => {
    const cluster = withoutConductors();
    expect((await run(cluster)).outcome.kind).toBe('done');
    expect(cluster.changes).toEqual(['stopSequencer node-1', 'startSequencer node-2']);
  });

  test('and back when the new one does not start', async () => {
    const cluster = withoutConductors();
    cluster.failures.set('startSequencer node-2', 'refused');
    expect((await run(cluster)).outcome.reason).toContain('undone: start sequencing on node-1 again');
    expect(cluster.server('node-1').isSequencing).toBe(true);
    expect((await run(cluster)).outcome.kind).toBe('done');
  });

  test.concurrent('but not back while a third does not answer whether it builds', async () => {
    const cluster = withoutConductors();
    cluster.failures.set('startSequencer node-2', 'refused');
    cluster.react = (change) => {
      if (change === 'stopSequencer node-1') cluster.server('node-3').isNodeUp = false;
    };
    const { outcome } = await runInMemory(procedureOf(move(cluster)), () => cluster.observe(), { timeoutMs: 500 });
    expect(outcome.reason).toContain('find out whether it sequences');
    expect(cluster.changes).toEqual(['stopSequencer node-1']);
  });

  test.concurrent('and back when the new one freezes after it was told to start, but only once it says that it has stopped', async () => {
    const cluster = withoutConductors();
    let isFrozen = true;
    cluster.react = (change) => {
      if (change === 'startSequencer node-2' && isFrozen) {
        cluster.server('node-2').isNodeUp = false;
        // It thaws after a while, and builds.
        setTimeout(() => (cluster.server('node-2').isNodeUp = true), 600);
      }
    };
    const { outcome } = await run(cluster);
    expect(outcome.reason).toContain('undone: start sequencing on node-1 again');
    expect(cluster.changes).toEqual([
      'stopSequencer node-1',
      'startSequencer node-2',
      'stopSequencer node-2',
      'startSequencer node-1',
    ]);
    isFrozen = false;
    expect((await run(cluster)).outcome.kind).toBe('done');
  });

  test.concurrent('and back when the process of the new one is gone, which is stopped when it comes back', async () => {
    const cluster = withoutConductors();
    cluster.react = (change) => {
      const second = cluster.server('node-2');
      if (change === 'startSequencer node-2') second.isUp = second.isSequencing = false;
      // It is restarted, and begins again as its admin state says.
      if (change === 'startSequencer node-1') second.isUp = second.isSequencing = true;
    };
    const { outcome } = await runInMemory(procedureOf(move(cluster)), () => cluster.observe(), { timeoutMs: 3000 });
    expect(outcome.reason).toContain('undone: start sequencing on node-1 again');
    expect(cluster.servers.filter(({ isSequencing }) => isSequencing).map(({ id }) => id)).toEqual(['node-1']);
    expect(cluster.changes.at(-1)).toBe('stopSequencer node-2');
  });

  test.concurrent('and back without blocks that nobody else has got, which is said', async () => {
    const cluster = withoutConductors();
    cluster.react = (change) => {
      if (change !== 'startSequencer node-2') return;
      cluster.isBuilding = false;
      Object.assign(cluster.server('node-2'), { head: cluster.server('node-2').head + 2, isNodeUp: false });
      setTimeout(() => (cluster.server('node-2').isNodeUp = true), 300);
    };
    const { outcome } = await runInMemory(procedureOf(move(cluster)), () => cluster.observe(), { timeoutMs: 1500 });
    expect(outcome.reason).toMatch(/\(given up: 2 blocks above 10\d that only node-2 had\)$/u);
    expect(cluster.servers.filter(({ isSequencing }) => isSequencing).map(({ id }) => id)).toEqual(['node-1']);
  });

  test.concurrent('nobody is started beside one that stays frozen: it is told what to end, and the same again goes on', async () => {
    const cluster = withoutConductors();
    const notes = new Map<string, string>();
    const journal: Journal = {
      read: (key) => notes.get(key) ?? null,
      note: (key, value) => void notes.set(key, value),
      clear: () => notes.clear(),
    };
    const again = () => runInMemory(procedureOf(move(cluster, journal)), () => cluster.observe(), { timeoutMs: 500 });
    cluster.react = (change) => {
      if (change === 'startSequencer node-2') cluster.server('node-2').isNodeUp = false;
    };
    const { outcome } = await again();
    expect(outcome.reason).toContain(
      'so node-1 was not started beside it and no blocks are made: end the op-node of node-2',
    );
    expect(cluster.changes).toEqual(['stopSequencer node-1', 'startSequencer node-2']);
    // Ended, and started again stopped.
    Object.assign(cluster.server('node-2'), { isNodeUp: true, isUp: false, isSequencing: false });
    const gone = await runInMemory(procedureOf(move(cluster, journal)), () => cluster.observe(), { timeoutMs: 3000 });
    expect(gone.outcome.reason).toContain('undone: start sequencing on node-1 again');
    // Its admin state says that it sequences, and it has not come back to be told otherwise.
    expect(gone.outcome.reason).toContain(
      'without the file of its OP_NODE_RPC_ADMIN_STATE, or it builds beside node-1',
    );
    expect(cluster.server('node-1').isSequencing).toBe(true);
  });

  test('but not back what somebody else is about to move', async () => {
    const cluster = withoutConductors();
    cluster.failures.set('stopSequencer node-1', 'refused');
    const observe = cluster.observe.bind(cluster);
    let looks = 0;
    cluster.observe = () => {
      looks += 1;
      // Stopped by another operator, who starts the next one in a moment.
      if (looks > 4) cluster.server('node-1').isSequencing = false;
      return observe();
    };
    expect((await run(cluster)).outcome).toMatchObject({ kind: 'failed', reason: 'node-1 says no' });
    expect(looks).toBeGreaterThan(4);
    expect(cluster.changes).toEqual([]);
  });

  test('on, when an earlier run stopped the old one and ended', async () => {
    const cluster = withoutConductors();
    cluster.server('node-1').isSequencing = false;
    expect((await run(cluster)).outcome.kind).toBe('done');
    expect(cluster.server('node-2').isSequencing).toBe(true);
  });

  test('not to one that is behind', async () => {
    const cluster = withoutConductors();
    cluster.server('node-2').head = 90;
    expect((await run(cluster)).outcome.reason).toContain('10 blocks behind');
    expect(cluster.changes).toEqual([]);
  });

  test('once blocks reach the new one; the old one is not stopped before', async () => {
    const cluster = withoutConductors();
    cluster.server('node-2').head = 99;
    const { outcome } = await run(cluster);
    expect(outcome.reason).toContain('node-2 is at block 99, waiting for 101');
    expect(cluster.changes).toEqual([]);
    cluster.server('node-2').head = cluster.server('node-1').head;
    expect((await run(cluster)).outcome.kind).toBe('done');
  });

  test('from one that makes no blocks, too', async () => {
    const cluster = withoutConductors();
    cluster.isBuilding = false;
    const { outcome } = await run(cluster, () => Promise.resolve({ ...cluster.view(), atMs: 2_000_000 }));
    expect(outcome.kind).toBe('done');
  });

  test('not while both sequence', async () => {
    const cluster = withoutConductors();
    cluster.server('node-2').isSequencing = true;
    expect((await run(cluster)).outcome.reason).toBe('node-2 sequences, too');
    expect(cluster.changes).toEqual([]);
  });

  test('not to one whose op-node would refuse, because its conductor does not lead; the old one goes on', async () => {
    for (const isUp of [true, false]) {
      const cluster = new MemoryCluster();
      for (const server of cluster.servers) server.isPaused = true;
      cluster.server('node-2').isConductorUp = isUp;
      const { outcome } = await run(cluster);
      expect(outcome.kind).toBe('refused');
      expect(outcome.reason).toContain(isUp ? 'but it does not lead' : 'but it does not answer: connection refused');
      expect(outcome.reason).toContain('conductor canary node-2');
      expect(cluster.changes).toEqual([]);
    }
    const leading = new MemoryCluster();
    leading.leader = 'node-2';
    expect((await run(leading)).outcome.kind).toBe('done');
  });

  test('not to one on another branch, however high that is', async () => {
    const cluster = withoutConductors();
    const view = cluster.view();
    const servers = view.servers.map((server) =>
      server.id !== 'node-2' || server.node?.unsafeHead == null
        ? server
        : { ...server, node: { ...server.node, unsafeHead: { ...server.node.unsafeHead, hash: '0xother' } } },
    );
    const { outcome } = await runInMemory({ ...procedureOf(move(cluster)) }, () =>
      Promise.resolve({ ...view, servers }),
    );
    expect(outcome.reason).toMatch(
      /^the op-node of node-2 is on another branch: its block 100 is 0xother, that of node-1/u,
    );
    expect(cluster.changes).toEqual([]);
  });
});
