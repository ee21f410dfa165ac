/** Overriding leadership and stopping a conductor: when they are refused, what they do, and what is left to do. */
import { describe, expect, test } from 'vitest';
import type { OperatorCommand } from './operator-command.ts';
import { Output } from './output.ts';
import { overrideCommand } from './override-command.ts';
import { stopCommand } from './stop-command.ts';
import { withKnownIdle } from './known-idle.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory, type Told } from './testing/run-in-memory.ts';

async function runOn(
  cluster: MemoryCluster,
  command: OperatorCommand,
  id: string,
  { isOff = false, idle = [] }: { readonly isOff?: boolean; readonly idle?: readonly string[] } = {},
): Promise<Told & { readonly isAsked: boolean }> {
  const ends: (Told & { readonly isAsked: boolean })[] = [];
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
      ends.push({ ...told, isAsked: procedure.steps.some(({ stopsSequencing }) => stopsSequencing) });
      return 0;
    },
  });
  return ends[0]!;
}

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

  test('is taken back, after asking where that stops the only blocks', async () => {
    const cluster = lastOne();
    Object.assign(cluster.server('node-3'), { isOverridden: true, isSequencing: true });
    const idle = ['node-1', 'node-2'];
    const { outcome, isAsked } = await runOn(cluster, overrideCommand, 'node-3', { isOff: true, idle });
    expect([outcome.kind, isAsked, cluster.changes]).toEqual(['done', true, ['overrideOff node-3']]);
  });
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
