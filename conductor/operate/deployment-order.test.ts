import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { bluegreenCommand } from './bluegreen-command.ts';
import { begunOn, noteBegun, whyAnyUnderWay } from './begun-deployment.ts';
import { migrateCommand } from './migrate-command.ts';
import { rollingCommand } from './rolling-command.ts';
import { beginningOf, noteBeginning, type DeploymentDependencies } from './deployment-order.ts';
import { journalPath, openJournal } from './journal.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { OperatorTask } from './operator-command.ts';
import type { Flags } from './command-flags.ts';
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
    async execute(procedure) {
      const { outcome } = await runInMemory(procedure, () => cluster.observe(), {
        timeoutMs: null,
        isDryRun: flags['dryRun'] === true,
      });
      ends.push(outcome.reason);
      return exitCodeOf(outcome.kind);
    },
  };
}

test('a beginning is that of an earlier run, unless it is about nobody here or cannot have been', () => {
  const cluster = new MemoryCluster();
  const ends: string[] = [];
  const journal = openJournal(join(folder, 'a.json'), 'rolling');
  const dependencies: DeploymentDependencies = {
    task: taskOn(cluster, [], {}, ends),
    journal,
    clusterFile: join(folder, 'a.toml'),
  };
  const [first, second] = cluster.config.servers;
  if (first === undefined || second === undefined) throw new RangeError('two servers');
  expect(beginningOf(dependencies, cluster.view())).toEqual({ leader: first, paused: [] });
  expect(journal.read('leader')).toBe(null);
  noteBeginning(dependencies, { leader: second, paused: ['node-3'] });
  expect(beginningOf(dependencies, cluster.view())).toEqual({ leader: second, paused: ['node-3'] });
  expect(beginningOf(dependencies, cluster.view(), second)).toEqual({ leader: first, paused: [] });
  journal.note('leader', 'node-9');
  expect(beginningOf(dependencies, cluster.view())).toEqual({ leader: first, paused: [] });
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

test('leadership is not moved for a deployment that has to be refused', async () => {
  const cluster = new MemoryCluster();
  cluster.server('node-1').isUp = false;
  cluster.leader = 'node-2';
  cluster.server('node-1').isSequencing = false;
  cluster.server('node-2').isSequencing = true;
  const task = taskOn(cluster, [], {}, []);
  const journal = openJournal(journalPath(task.config.path ?? ''), 'rolling');
  journal.note('leader', 'node-1');
  const ends: string[] = [];
  expect(await rollingCommand.run(taskOn(cluster, [], {}, ends))).toBe(exitCodeOf('refused'));
  expect(ends[0]).toContain('while node-2 is down too few voters would answer');
  expect(cluster.changes).toEqual([]);
  journal.clear();
});

test('--fresh forgets what was deployed once it begins: not for a plan, nor for what is refused', async () => {
  const cluster = new MemoryCluster();
  const ends: string[] = [];
  const task = (flags: Flags): OperatorTask => taskOn(cluster, [], flags, ends);
  const journal = openJournal(journalPath(task({}).config.path ?? ''), 'rolling');
  for (const { id } of cluster.servers) journal.note(`deploy ${id}`, 'done');
  expect(await rollingCommand.run(task({ dryRun: true }))).toBe(exitCodeOf('planned'));
  cluster.server('node-3').isUp = false;
  expect(await rollingCommand.run(task({ dryRun: true, fresh: true }))).toBe(exitCodeOf('refused'));
  expect(await rollingCommand.run(task({ fresh: true }))).toBe(exitCodeOf('refused'));
  expect(journal.read('deploy node-1')).toBe('done');
  cluster.server('node-3').isUp = true;
  const failing = task({ fresh: true });
  Object.assign(cluster.config.servers[1] ?? {}, { deploy: 'exit 7' });
  expect(await rollingCommand.run(failing)).toBe(exitCodeOf('failed'));
  expect(journal.read('deploy node-1')).toBe(null);
  journal.clear();
});

test('nothing is deployed beside a command that a run which is gone began; it is run again once it has ended', async () => {
  const cluster = new MemoryCluster();
  const task = taskOn(cluster, [], {}, []);
  const clusterFile = task.config.path ?? '';
  const [, second] = task.config.servers;
  if (second === undefined) throw new RangeError('two servers');
  const left = spawn('/bin/sh', ['-c', 'sleep 600'], { detached: true, stdio: 'ignore' });
  const end = (): boolean =>
    left.exitCode === null && left.signalCode === null && process.kill(-(left.pid ?? 0), 'SIGKILL');
  onTestFinished(() => void end());
  noteBegun(clusterFile, second, { pid: left.pid ?? 0, command: 'sleep 600' });
  // By another procedure than this one, which had deployed to it before.
  openJournal(journalPath(clusterFile), 'rolling').note('deploy node-2', 'done');
  for (const flags of [{}, { dryRun: true }, { fresh: true }])
    await expect(rollingCommand.run(taskOn(cluster, [], flags, []))).rejects.toThrow(
      `"sleep 600", which an earlier run began for node-2, still runs; wait for the end of process ${left.pid}`,
    );
  expect(cluster.changes).toEqual([]);
  // Nor may anything else change the cluster meanwhile.
  expect(whyAnyUnderWay(clusterFile, task.config.servers)).toContain('"sleep 600", which an earlier run began');
  const ended = once(left, 'exit');
  end();
  await ended;
  expect(whyAnyUnderWay(clusterFile, task.config.servers)).toBe(null);
  const told: string[] = [];
  const ends: string[] = [];
  const again = taskOn(cluster, [], {}, ends);
  again.output.complain = (text) => void told.push(text);
  Object.assign(second, { deploy: 'exit 7' });
  expect(await rollingCommand.run(again)).toBe(exitCodeOf('failed'));
  Object.assign(second, { deploy: `touch '${join(folder, 'again')}'` });
  expect(await rollingCommand.run(again), ends.join()).toBe(exitCodeOf('done'));
  const known = told.find((text) => text.includes('sleep 600')) ?? '';
  expect(known).toContain('node-2: an earlier run ended before "sleep 600" did, so whether that has succeeded is not');
  expect(known).toContain(
    `its process, ${left.pid} on ${hostname()}, is gone. node-2 answers now as op-conductor, v0.1.0`,
  );
  expect(known).toContain('It is run again in its turn');
  expect(existsSync(join(folder, 'again'))).toBe(true);
  expect(begunOn(clusterFile, second)).toBe(null);
  expect(openJournal(journalPath(clusterFile), 'rolling').read('deploy node-2')).toBe(null);
});

test('after a killed migrate it is told whether what it was for answers; then it is not run again', async () => {
  const cluster = new MemoryCluster();
  const task = taskOn(cluster, [], { back: true }, []);
  const clusterFile = task.config.path ?? '';
  const [, second] = task.config.servers;
  if (second === undefined) throw new RangeError('two servers');
  const gone = Bun.spawnSync(['true']).pid;
  noteBegun(clusterFile, second, { pid: gone, command: './deploy.sh' });
  const told: string[] = [];
  const run = (flags: Flags): Promise<number> => {
    const again = taskOn(cluster, [], flags, []);
    again.output.complain = (text) => void told.push(text);
    return migrateCommand.run(again);
  };
  // Servers in memory answer as op-conductors do.
  expect(await run({ dryRun: true })).toBe(exitCodeOf('planned'));
  expect(told.join()).toContain(
    'node-2 answers now as op-conductor, v0.1.0, at block 100. That is not what it was for',
  );
  expect(begunOn(clusterFile, second)).not.toBe(null);
  told.length = 0;
  expect(await run({ back: true })).toBe(exitCodeOf('done'));
  expect(told.join()).toContain('That is what it was for, so it is not run again; see first whether it left anything');
  expect(begunOn(clusterFile, second)).toBe(null);
  cluster.server('node-2').isConductorUp = false;
  noteBegun(clusterFile, second, { pid: gone, command: './deploy.sh' });
  await run({ back: true, dryRun: true });
  expect(told.join()).toContain('The conductor of node-2 does not answer now: connection refused');
  rmSync(journalPath(clusterFile));
});

test('a damaged journal stops no --fresh: it is set aside with a sentence, and by a plan not at all', async () => {
  const cluster = new MemoryCluster();
  const told: string[] = [];
  const run = (flags: Flags): Promise<number> => {
    const task = taskOn(cluster, [], flags, []);
    task.output.complain = (text) => void told.push(text);
    return rollingCommand.run(task);
  };
  const file = journalPath(taskOn(cluster, [], {}, []).config.path ?? '');
  const aside = (): string[] => readdirSync(folder).filter((name) => name.includes('.damaged-'));
  writeFileSync(file, '{"half');
  await expect(run({})).rejects.toThrow('is damaged; look where the procedure stopped, then begin again with --fresh');
  expect(await run({ fresh: true, dryRun: true })).toBe(exitCodeOf('planned'));
  expect(told.join()).toContain(`the journal ${file} is damaged and will be set aside`);
  expect(aside()).toEqual([]);
  expect(await run({ fresh: true })).toBe(exitCodeOf('done'));
  expect(told.join()).toContain('was set aside as ');
  expect(readFileSync(join(folder, aside()[0] ?? ''), 'utf8')).toBe('{"half');
});

test('a server that is elected while it is still paused is resumed, not waited for', async () => {
  const cluster = new MemoryCluster();
  const ends: string[] = [];
  const task = taskOn(cluster, [], {}, ends);
  const deployed = join(folder, 'elected');
  const second = cluster.server('node-2');
  Object.assign(task.config.servers[1] ?? {}, { deploy: `touch '${deployed}'` });
  const observe = cluster.observe.bind(cluster);
  cluster.observe = () => {
    if (existsSync(deployed)) {
      rmSync(deployed);
      cluster.leader = 'node-2';
      cluster.server('node-1').isSequencing = false;
      Object.assign(second, { isPaused: true, isHealthy: false });
    }
    return observe();
  };
  cluster.react = (change) => {
    if (change === 'resume node-2') Object.assign(second, { isSequencing: true, isHealthy: true });
  };
  expect(await rollingCommand.run(task), ends.join()).toBe(exitCodeOf('done'));
  expect(cluster.changes[0]).toBe('resume node-2');
  expect(cluster.servers.filter(({ isSequencing }) => isSequencing)).toHaveLength(1);
});
