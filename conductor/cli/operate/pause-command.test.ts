/** Pausing and resuming several servers: all of them or none, whichever is silent or fails on the way. */
import { describe, expect, test } from 'vitest';
import type { OperatorCommand } from './operator-command.ts';
import { Output } from './output.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory, type Told } from './testing/run-in-memory.ts';

const runOn = async (
  cluster: MemoryCluster,
  command: OperatorCommand,
  words: readonly string[],
  flags: Readonly<Record<string, boolean>> = {},
): Promise<Told & { readonly afterwards: readonly string[] }> => {
  const ends: (Told & { readonly afterwards: readonly string[] })[] = [];
  await command.run({
    words,
    flags,
    output: new Output(true),
    config: cluster.config,
    access: cluster,
    perform: async (procedure) => {
      const told = await runInMemory(procedure, () => cluster.observe(), {
        ignoresQuorum: flags['withoutQuorum'] === true,
      });
      ends.push({ ...told, afterwards: procedure.afterwards ?? [] });
      return 0;
    },
  });
  const [end] = ends;
  if (end === undefined) throw new Error('nothing was performed');
  return end;
};

const paused = (cluster: MemoryCluster): string[] =>
  cluster.servers.filter(({ isPaused }) => isPaused).map(({ id }) => id);

describe('pause --all', () => {
  test('pauses followers first, the leader last', async () => {
    const cluster = new MemoryCluster();
    await runOn(cluster, pauseCommand, [], { all: true });
    expect(cluster.changes).toEqual(['pause node-2', 'pause node-3', 'pause node-1']);
  });

  test('with a silent server pauses nobody, and says how to pause the others', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isUp = false;
    await expect(runOn(cluster, pauseCommand, [], { all: true })).rejects.toThrow(
      'node-3 does not answer: connection refused; nobody was paused; to pause the others: conductor pause node-1 node-2',
    );
    await expect(runOn(cluster, pauseCommand, ['node-2', 'node-3'])).rejects.toThrow('nobody was paused');
    expect(cluster.changes).toEqual([]);
    expect((await runOn(cluster, pauseCommand, ['node-1', 'node-2'])).outcome.kind).toBe('done');
  });

  test('--without-quorum leaves the silent one out, unless all are', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isUp = false;
    const flags = { all: true, withoutQuorum: true };
    const { outcome, afterwards } = await runOn(cluster, pauseCommand, [], flags);
    expect([outcome.kind, paused(cluster)]).toEqual(['done', ['node-1', 'node-2']]);
    expect(afterwards).toEqual(['node-3 was left out: node-3 does not answer: connection refused']);
    for (const server of cluster.servers) server.isUp = false;
    await expect(runOn(cluster, pauseCommand, [], flags)).rejects.toThrow('nobody was paused');
  });

  test.each(['node-2', 'node-3', 'node-1'])('that %s refuses is undone, but for whoever was paused', async (id) => {
    for (const before of [[], ['node-2']]) {
      const cluster = new MemoryCluster();
      for (const one of before) cluster.server(one).isPaused = true;
      cluster.failures.set(`pause ${id}`, 'refused');
      const { outcome } = await runOn(cluster, pauseCommand, [], { all: true });
      const isNeeded = !before.includes(id);
      expect([outcome.kind, paused(cluster)]).toEqual(
        isNeeded ? ['failed', before] : ['done', ['node-1', 'node-2', 'node-3']],
      );
    }
  });

  test('during which a server falls silent is undone', async () => {
    const cluster = new MemoryCluster();
    cluster.react = (change) => {
      if (change === 'pause node-2') cluster.server('node-3').isUp = false;
    };
    const { outcome } = await runOn(cluster, pauseCommand, [], { all: true });
    expect(outcome.kind).toBe('failed');
    expect(outcome.reason).toContain('node-3 does not answer: connection refused');
    expect(cluster.server('node-2').isPaused).toBe(false);
    expect(cluster.changes).toEqual(['pause node-2', 'resume node-2']);
  });
});

test('resume --all begins with the leader, and a silent server keeps nobody paused', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = true;
  cluster.server('node-2').isUp = false;
  const { outcome } = await runOn(cluster, resumeCommand, [], { all: true });
  expect(outcome.kind).toBe('refused');
  expect(cluster.changes).toEqual(['resume node-1', 'resume node-3']);
});
