import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bluegreenCommand } from './bluegreen-command.ts';
import { beginningOf, noteBeginning, type DeploymentGround } from './deployment-order.ts';
import { openJournal } from './journal.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Flags, OperatorTask } from './operator-command.ts';
import { Output } from './output.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'deployment-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A task on the cluster, with a cluster file that is not there; what procedures say at their end goes to `ends`. */
function taskOn(cluster: MemoryCluster, words: readonly string[], flags: Flags, ends: string[]): OperatorTask {
  const servers = cluster.config.servers;
  for (const server of servers) Object.assign(server, { deploy: 'true' });
  return {
    words,
    flags,
    output: new Output(true),
    config: { ...cluster.config, path: join(folder, 'conductor.toml') },
    access: cluster,
    async perform(procedure) {
      const { outcome } = await runInMemory(procedure, () => cluster.observe(), { timeoutMs: null });
      ends.push(outcome.reason);
      return exitCodeOf(outcome.kind);
    },
  };
}

test('a beginning is that of an earlier run, unless it is about nobody here or cannot have been', () => {
  const cluster = new MemoryCluster();
  const ends: string[] = [];
  const journal = openJournal(join(folder, 'a.json'), 'rolling');
  const ground: DeploymentGround = { task: taskOn(cluster, [], {}, ends), journal, folder };
  const [first, second] = cluster.config.servers;
  if (first === undefined || second === undefined) throw new RangeError('two servers');
  expect(beginningOf(ground, cluster.view())).toEqual({ leader: first, paused: [] });
  expect(journal.read('leader')).toBe(null);
  noteBeginning(ground, { leader: second, paused: ['node-3'] });
  expect(beginningOf(ground, cluster.view())).toEqual({ leader: second, paused: ['node-3'] });
  expect(beginningOf(ground, cluster.view(), second)).toEqual({ leader: first, paused: [] });
  journal.note('leader', 'node-9');
  expect(beginningOf(ground, cluster.view())).toEqual({ leader: first, paused: [] });
});

test('blue/green waits for a conductor that was restarted, too, and refuses op-nodes that would not start', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) server.isPaused = true;
  const ends: string[] = [];
  const task = taskOn(cluster, ['node-2'], {}, ends);
  await expect(bluegreenCommand.run(task)).rejects.toThrow('the op-node of node-2 has its conductor enabled');
  expect(ends).toEqual([]);

  for (const server of cluster.servers) server.isConductorEnabled = false;
  const observe = cluster.observe.bind(cluster);
  let looks = 0;
  cluster.observe = () => {
    // After those for the plan and before the step: its conductor is away for good.
    looks += 1;
    if (looks > 2) cluster.server('node-2').isConductorUp = false;
    return observe();
  };
  expect(await bluegreenCommand.run(task)).toBe(exitCodeOf('deadline'));
  expect(ends[0]).toContain('the conductor of node-2, which answered before, does not: connection refused');
  expect(cluster.changes).toEqual([]);
});

test('blue/green stops a sequencer that its deployment started beside the other', async () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) Object.assign(server, { isConductorEnabled: false, isConductorUp: false });
  const observe = cluster.observe.bind(cluster);
  const ends: string[] = [];
  const task = taskOn(cluster, ['node-2'], {}, ends);
  const deployed = join(folder, 'deployed');
  Object.assign(task.config.servers[0] ?? {}, { deploy: `touch '${deployed}'` });
  cluster.observe = () => {
    // The op-node that was deployed to begins by itself, as one without --sequencer.stopped does.
    if (existsSync(deployed)) {
      rmSync(deployed);
      cluster.server('node-1').isSequencing = true;
    }
    return observe();
  };
  expect(await bluegreenCommand.run(task)).toBe(exitCodeOf('failed'));
  expect(ends[0]).toContain(
    'node-1 has begun to sequence by itself, beside node-2: its op-node needs --sequencer.stopped',
  );
  expect(ends[0]).toContain('undone: stop the sequencer of node-1');
  expect(cluster.servers.filter(({ isSequencing }) => isSequencing).map(({ id }) => id)).toEqual(['node-2']);
});
