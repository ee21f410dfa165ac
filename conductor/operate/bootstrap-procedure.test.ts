import { describe, expect, test } from 'vitest';
import { bootstrapProcedure, NotYetError } from './bootstrap-procedure.ts';
import { votersOf } from './cluster-view.ts';
import type { Journal } from './journal.ts';
import { MemoryCluster, type Failure } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

class MemoryJournal implements Journal {
  readonly notes = new Map<string, string>();
  read = (key: string): string | null => this.notes.get(key) ?? null;
  note = (key: string, value: string): void => void this.notes.set(key, value);
  clear = (): void => this.notes.clear();
}

/** node-1 sequences without a conductor; node-2 was bootstrapped; node-3 waits. */
function beforeIt(): MemoryCluster {
  const cluster = new MemoryCluster();
  cluster.members = cluster.members.filter(({ id }) => id === 'node-2');
  cluster.leader = 'node-2';
  const [first, second] = cluster.servers;
  if (first === undefined || second === undefined) throw new RangeError('three servers');
  first.isConductorUp = false;
  first.isConductorEnabled = false;
  second.isPaused = true;
  cluster.react = (change) => {
    // Somebody deploys to the old sequencer as soon as it is idle.
    if (change === 'startSequencer node-2') {
      first.isConductorUp = true;
      first.isConductorEnabled = true;
    }
  };
  return cluster;
}

function run(
  cluster: MemoryCluster,
  journal: Journal,
  more: { readonly leader?: string; readonly isDryRun?: boolean } = {},
) {
  const { leader = null, isDryRun = false } = more;
  const { config } = cluster;
  const procedure = bootstrapProcedure(cluster, { config, view: cluster.view(), leader, journal, isNoted: !isDryRun });
  return runInMemory(procedure, () => cluster.observe(), { isDryRun });
}

function isFormed(cluster: MemoryCluster): boolean {
  const sequencing = cluster.servers.filter(({ isSequencing }) => isSequencing).map(({ id }) => id);
  const isRunning = cluster.servers.every(({ isPaused }) => !isPaused);
  return (
    votersOf(cluster.view()).length === 3 && isRunning && sequencing.join() === 'node-1' && cluster.leader === 'node-1'
  );
}

const flawless = [
  'pause node-3',
  'stopSequencer node-1',
  'startSequencer node-2',
  'pause node-1',
  'addNonvoter node-1',
  'addVoter node-1',
  'addNonvoter node-3',
  'addVoter node-3',
  'resume node-2',
  'resume node-1',
  'resume node-3',
  'transfer node-1',
];

describe('bootstrap', () => {
  test('is the procedure of the page, in its order', async () => {
    const cluster = beforeIt();
    const journal = new MemoryJournal();
    expect((await run(cluster, journal)).outcome).toMatchObject({ kind: 'done' });
    expect(cluster.changes).toEqual(flawless);
    expect(isFormed(cluster)).toBe(true);
    expect(journal.notes.size).toBe(0);
  });

  test('a second time changes nothing', async () => {
    const cluster = beforeIt();
    await run(cluster, new MemoryJournal());
    expect((await run(cluster, new MemoryJournal())).outcome.kind).toBe('done');
    expect(cluster.changes).toEqual(flawless);
  });

  test('a dry run changes nothing, not even the journal', async () => {
    const cluster = beforeIt();
    const journal = new MemoryJournal();
    expect((await run(cluster, journal, { isDryRun: true })).outcome.kind).toBe('planned');
    expect(cluster.changes).toEqual([]);
    expect(journal.notes.size).toBe(0);
  });

  test.each(flawless)(
    '%s may fail in any way: somebody always sequences, and the same again ends it',
    async (change) => {
      for (const failure of ['refused', 'lost', 'unheard'] satisfies Failure[]) {
        const cluster = beforeIt();
        const journal = new MemoryJournal();
        cluster.failures.set(change, failure);
        const { outcome } = await run(cluster, journal);
        expect(cluster.servers.filter(({ isSequencing }) => isSequencing)).toHaveLength(1);
        if (outcome.kind !== 'done') expect((await run(cluster, journal)).outcome).toMatchObject({ kind: 'done' });
        expect([failure, isFormed(cluster)]).toEqual([failure, true]);
      }
    },
  );

  test('of a chain that nobody sequences begins on the first', async () => {
    const cluster = beforeIt();
    for (const server of cluster.servers) {
      server.isSequencing = false;
      server.isConductorEnabled = true;
      server.isConductorUp = true;
    }
    expect((await run(cluster, new MemoryJournal(), { leader: 'node-1' })).outcome.kind).toBe('done');
    expect(isFormed(cluster)).toBe(true);
  });

  test('waits for the settings of the old sequencer, and says which', async () => {
    const cluster = beforeIt();
    cluster.react = () => undefined;
    const { outcome } = await run(cluster, new MemoryJournal());
    expect(outcome.kind).toBe('deadline');
    expect(outcome.reason).toContain('now give the op-node of node-1 its settings: OP_NODE_CONDUCTOR_ENABLED=true');
  });

  test.each([
    ['no conductor leads', (cluster: MemoryCluster) => (cluster.leader = null)],
    [
      'node-2 and node-3 lead clusters of their own',
      (cluster: MemoryCluster) => (cluster.server('node-3').isOverridden = true),
    ],
    [
      'members that the cluster file does not name: node-9',
      (cluster: MemoryCluster) =>
        (cluster.members = [...cluster.members, { id: 'node-9', address: 'host-9:1', isVoter: true }]),
    ],
  ])('is refused when: %s', (sentence, spoil) => {
    const cluster = beforeIt();
    spoil(cluster);
    expect(() => run(cluster, new MemoryJournal())).toThrow(sentence);
    expect(cluster.changes).toEqual([]);
  });

  test('right after restarts waits until op-nodes are in sync and conductors answer, and says for what', async () => {
    const cluster = beforeIt();
    const [, second, third] = cluster.servers;
    if (second === undefined || third === undefined) throw new RangeError('three servers');
    second.head = 40;
    third.isConductorUp = false;
    const journal = new MemoryJournal();
    const { outcome } = await run(cluster, journal);
    expect(outcome).toMatchObject({ kind: 'deadline' });
    expect(outcome.reason).toContain('node-3 does not answer: connection refused');
    third.isConductorUp = true;
    const behind = await run(cluster, journal);
    expect(behind.outcome).toMatchObject({ kind: 'deadline' });
    expect(behind.outcome.reason).toMatch(/the op-node of node-2 is \d+ blocks behind/u);
    expect(cluster.changes).toEqual([]);
    second.head = cluster.server('node-1').head;
    expect((await run(cluster, journal)).outcome).toMatchObject({ kind: 'done' });
  });

  test('is not planned while an op-node that may sequence does not answer', () => {
    const cluster = beforeIt();
    cluster.server('node-1').isNodeUp = false;
    expect(() => run(cluster, new MemoryJournal())).toThrow(NotYetError);
    expect(() => run(cluster, new MemoryJournal())).toThrow('the op-node of node-1 does not answer, so nobody knows');
  });

  test('an op-node without its conductor enabled is not started', async () => {
    const cluster = beforeIt();
    cluster.server('node-2').isConductorEnabled = false;
    const { outcome } = await run(cluster, new MemoryJournal());
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome.reason).toContain('the op-node of node-2 has no conductor enabled');
    expect(cluster.server('node-1').isSequencing).toBe(true);
  });
});
