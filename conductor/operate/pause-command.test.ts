/** Pausing and resuming several servers: all of them or none, whichever is silent or fails on the way. */
import { describe, expect, test } from 'vitest';
import type { OperatorCommand } from './operator-command.ts';
import { Output } from './output.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory, type Told } from './testing/run-in-memory.ts';

interface Ended extends Told {
  readonly afterwards: readonly string[];
  readonly command: readonly string[];
}

const runOn = async (
  cluster: MemoryCluster,
  command: OperatorCommand,
  words: readonly string[],
  flags: Readonly<Record<string, boolean>> = {},
): Promise<Ended> => {
  const ends: Ended[] = [];
  await command.run({
    words,
    flags,
    output: new Output(true),
    config: cluster.config,
    access: cluster,
    execute: async (procedure) => {
      const told = await runInMemory(procedure, () => cluster.observe(), {
        ignoresQuorum: flags['withoutQuorum'] === true,
      });
      ends.push({ ...told, afterwards: procedure.afterwards ?? [], command: procedure.command });
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

test('that fails is not taken back beside a sequencer that began meanwhile', async () => {
  const cluster = new MemoryCluster();
  cluster.failures.set('pause node-3', 'refused');
  cluster.react = (change) => {
    if (change !== 'pause node-2') return;
    cluster.server('node-1').isSequencing = false;
    Object.assign(cluster.server('node-3'), { isSequencing: true, isOverridden: true });
  };
  const { outcome } = await runOn(cluster, pauseCommand, [], { all: true });
  expect(outcome.reason).toContain('node-2 stays paused: node-3 builds blocks');
  expect(cluster.changes).toEqual(['pause node-2']);
});

test('resume --all begins with the leader, and a silent server keeps nobody paused', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = true;
  cluster.server('node-2').isUp = false;
  const { outcome } = await runOn(cluster, resumeCommand, [], { all: true });
  expect(outcome.kind).toBe('refused');
  expect(cluster.changes).toEqual(['resume node-1', 'resume node-3']);
});

test('resume --all --without-quorum leaves a silent server out, and is told as it was given', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = true;
  cluster.server('node-2').isUp = false;
  const { outcome, afterwards, command } = await runOn(cluster, resumeCommand, [], { all: true, withoutQuorum: true });
  expect(outcome.kind).toBe('done');
  expect(afterwards).toEqual(['node-2 was left out: node-2 does not answer: connection refused']);
  expect(command).toEqual(['resume', '--all', '--without-quorum']);
});

test.each([pauseCommand, resumeCommand])('--all leaves out who has left the cluster: $name', async (command) => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = command === resumeCommand;
  cluster.members = cluster.members.filter(({ id }) => id !== 'node-3');
  cluster.server('node-3').isConductorUp = false;
  const { outcome, afterwards } = await runOn(cluster, command, [], { all: true });
  expect(outcome.kind).toBe('done');
  expect(cluster.changes.toSorted()).toEqual([`${command.name} node-1`, `${command.name} node-2`]);
  expect(afterwards).toEqual(['node-3 was left out: it is not a member of the cluster']);
});

describe('servers of which only the URL is known', () => {
  const learning = (cluster: MemoryCluster): void => {
    const observe = cluster.observe.bind(cluster);
    cluster.observe = async () => {
      const view = await observe();
      return {
        ...view,
        servers: view.servers.map((one, at) =>
          at === 0 ? one : { ...one, id: `host-${at + 1}:8547`, isNamed: false },
        ),
      };
    };
  };

  test('no other server is suggested: its names are said', async () => {
    const cluster = new MemoryCluster();
    await expect(runOn(cluster, pauseCommand, ['node-9'])).rejects.toThrow(
      'there is no server "node-9" here; known are node-1, node-2, node-3',
    );
    learning(cluster);
    await expect(runOn(cluster, pauseCommand, ['node-2'])).rejects.toThrow(
      'node-2 is one of host-2:8547, host-3:8547, and the cluster does not tell which; write the ids before the URLs, --rpc node-2=http://',
    );
  });

  test('steps are called what the title calls their servers', async () => {
    const cluster = new MemoryCluster();
    learning(cluster);
    for (const command of [pauseCommand, resumeCommand]) {
      const { events } = await runOn(cluster, command, ['host-2:8547']);
      expect(events.at(-1)).toBe(`done: ${command.name} host-2:8547`);
    }
  });
});
