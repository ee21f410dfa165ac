/** Overriding leadership and stopping a conductor: when they are refused, what they do, and what is left to do. */
import { describe, expect, test } from 'vitest';
import type { OperatorCommand } from './operator-command.ts';
import { Output } from './output.ts';
import { overrideCommand } from './override-command.ts';
import { stopCommand } from './stop-command.ts';
import { withKnownIdle } from './known-idle.ts';
import { transferCommand } from './transfer-command.ts';
import { hashOf, MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory, type Told } from './testing/run-in-memory.ts';

interface Ended extends Told {
  readonly afterwards: readonly string[];
}

async function runOn(
  cluster: MemoryCluster,
  command: OperatorCommand,
  id: string,
  { isOff = false, idle = [] }: { readonly isOff?: boolean; readonly idle?: readonly string[] } = {},
): Promise<Ended> {
  const ends: Ended[] = [];
  const access = withKnownIdle(
    {
      observe: () => cluster.observe(),
      conductor: (config) => cluster.conductor(config),
      node: (config) => cluster.node(config),
    },
    idle,
  );
  await command.run({
    words: [id],
    flags: isOff ? { off: true } : {},
    output: new Output(true),
    config: cluster.config,
    access,
    execute: async (procedure) => {
      const told = await runInMemory(procedure, () => access.observe());
      ends.push({ ...told, afterwards: procedure.afterwards ?? [] });
      return 0;
    },
  });
  return ends[0]!;
}

const unknownStanding = {
  ...{ isNative: true, ageMs: 0, node: null, client: null, safe: null },
  ...({ verdict: 'unknown', says: [], refuses: null } as const),
};

/** Two of three are gone, and nobody leads. */
function lastOne(): MemoryCluster {
  const cluster = new MemoryCluster();
  for (const id of ['node-1', 'node-2']) cluster.server(id).isUp = false;
  cluster.server('node-1').isSequencing = false;
  cluster.leader = null;
  return cluster;
}

describe('override', () => {
  test('is refused while a majority follows a leader', async () => {
    const cluster = new MemoryCluster();
    const { outcome } = await runOn(cluster, overrideCommand, 'node-3');
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('node-1 leads') });
    expect(cluster.changes).toEqual([]);
  });

  test('is refused beside servers of which nobody knows whether they build, until somebody does', async () => {
    const cluster = lastOne();
    const refused = await runOn(cluster, overrideCommand, 'node-3');
    expect(refused.outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('--idle node-1,node-2'),
    });
    const { outcome } = await runOn(cluster, overrideCommand, 'node-3', { idle: ['node-1', 'node-2'] });
    expect([outcome.kind, cluster.changes]).toEqual(['done', ['override node-3']]);
  });

  test('says that op-node is to be restarted before it is taken back', async () => {
    const told = await runOn(lastOne(), overrideCommand, 'node-3', { idle: ['node-1', 'node-2'] });
    expect(told.afterwards.join('; ')).toMatch(
      /restart the op-node of node-3, .* then conductor override node-3 --off$/,
    );
  });

  test.each([false, true])(
    'is not taken back while its op-node builds what is not committed, also where it leads (%s)',
    async (leads) => {
      const cluster = leads ? new MemoryCluster() : lastOne();
      if (leads) cluster.leader = 'node-3';
      cluster.server('node-1').isSequencing = false;
      Object.assign(cluster.server('node-3'), { isOverridden: true, isSequencing: true, standing: unknownStanding });
      cluster.committed = { number: 90, hash: hashOf(90), isValidated: true };
      const off = { isOff: true, idle: leads ? [] : ['node-1', 'node-2'] };
      const refused = await runOn(cluster, overrideCommand, 'node-3', off);
      expect(refused.outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('restart it first') });
      expect(cluster.changes).toEqual([]);
      // A restart ends what nobody can see.
      cluster.server('node-3').isSequencing = false;
      const { outcome, afterwards } = await runOn(cluster, overrideCommand, 'node-3', off);
      expect([outcome.kind, cluster.changes]).toEqual(['done', ['overrideOff node-3']]);
      expect(afterwards.join()).toContain('restart it now');
    },
  );

  test('is taken back from a leader whose blocks are committed', async () => {
    const cluster = new MemoryCluster();
    Object.assign(cluster.server('node-1'), { isOverridden: true, standing: unknownStanding });
    cluster.isBuilding = false;
    cluster.committed = { number: 100, hash: hashOf(100), isValidated: true };
    const { outcome } = await runOn(cluster, overrideCommand, 'node-1', { isOff: true });
    expect([outcome.kind, cluster.changes]).toEqual(['done', ['overrideOff node-1']]);
  });
});

test('a transfer to one that builds under an override says that its op-node is to be restarted', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = true;
  cluster.server('node-1').isSequencing = false;
  Object.assign(cluster.server('node-3'), { isSequencing: true, isOverridden: true });
  cluster.react = () => void (cluster.server('node-3').isSequencing = true);
  const { outcome, afterwards } = await runOn(cluster, transferCommand, 'node-3');
  expect([outcome.kind, afterwards]).toEqual([
    'done',
    ['restart the op-node of node-3 if admin_overrideLeader was called there'],
  ]);
  const plain = await runOn(new MemoryCluster(), transferCommand, 'node-3');
  expect([plain.outcome.kind, plain.afterwards]).toEqual(['done', []]);
});

describe('stop', () => {
  test('hands leadership over first', async () => {
    const cluster = new MemoryCluster();
    const { outcome } = await runOn(cluster, stopCommand, 'node-1');
    expect([outcome.kind, cluster.changes]).toEqual(['done', ['transfer node-2', 'stop node-1']]);
  });

  test('is refused where the majority needs it', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-2').isUp = false;
    const { outcome } = await runOn(cluster, stopCommand, 'node-3');
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('bring the others back first') });
    expect(cluster.changes).toEqual([]);
  });
});
