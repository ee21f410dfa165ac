/**
 * backup, restore and recover interrupted by kill −9 at each step, on a disk that is full, and on live clusters:
 * a follower restored from an old backup, a cluster of which only a backup is left, and op-conductor's last disk.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createBackup } from '#conductor/operate/store/backup';
import { restoreBackup } from '#conductor/operate/store/restore';
import { reportOfFile } from '#conductor/operate/store/store-report';
import { interruptedPath } from './operate-interrupted.ts';
import { makeStore, votersOf } from '#conductor/operate/store/testing/stores';
import { Suffrage, type Configuration } from '#conductor/core/raft/types';
import type { ServiceNode } from '../cluster/service-node.ts';
import { SmallDisk } from '../cluster/small-disk.ts';
import { waitFor } from '../cluster/wait.ts';
import { operate } from './operate-command.ts';
import { OperatedCluster } from './operated-cluster.ts';

const LEAD_MS_MAX = 30_000;
const storeOf = (node: ServiceNode): string => join(node.storageDir, node.id);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'operate-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs the program that kills itself at a step; that it was killed is checked. */
function killedAt(step: string, command: string, directory: string, file: string): void {
  const { signalCode } = Bun.spawnSync([process.execPath, interruptedPath, command, step, directory, file]);
  expect(signalCode, step).toBe('SIGKILL');
}

describe('kill −9 at each step, then the same command again', () => {
  it.each(['begun', 'database copied', 'copied', 'verified'])('backup, %s', async (step) => {
    const directory = makeStore({ entries: 20, entryBytes: 5000 });
    const to = join(folder(), 'n1.db');
    killedAt(step, 'backup', directory, to);
    expect(existsSync(to)).toBe(false);
    expect(await operate('backup', '--data-dir', directory, '--to', to)).toMatchObject({ code: 0 });
    expect(readdirSync(dirname(to))).toEqual(['n1.db']);
    expect(reportOfFile(to).lastIndex).toBe(21);
  });

  it.each(['copied', 'verified', 'database aside', 'old store aside'])('restore, %s', async (step) => {
    const file = join(folder(), 'n1.db');
    await createBackup({ directory: makeStore({ term: 3 }), to: file });
    const directory = makeStore({ term: 9 });
    killedAt(step, 'restore', directory, file);
    const again = await operate('restore', file, '--data-dir', directory, '--replace');
    expect(again, again.errors).toMatchObject({ code: 0 });
    expect(reportOfFile(join(directory, 'conductor.db'))).toMatchObject({ term: 3, isRecovering: true });
    expect(reportOfFile(join(directory, 'conductor.db.before-restore'))).toMatchObject({ term: 9 });
    expect(readdirSync(directory).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.each(['backed up', 'rewritten'])('recover, %s', async (step) => {
    const directory = makeStore({ term: 4 });
    killedAt(step, 'recover', directory, join(folder(), 'before.db'));
    const again = await operate('recover', '--data-dir', directory, '--yes', '--json');
    expect(again, again.errors).toMatchObject({ code: 0 });
    expect(JSON.parse(again.output)).toMatchObject({ outcome: 'done', isAlready: step === 'rewritten' });
    const after = await operate('recover', '--data-dir', directory, '--dry-run', '--json');
    expect(JSON.parse(after.output)).toMatchObject({
      isAlready: true,
      stores: [{ term: 5, membership: { servers: [{ id: 'n1' }] } }],
    });
  });
});

describe('a full disk', () => {
  const mounted = (context: TestContext): SmallDisk => {
    const disk = SmallDisk.mount(join(folder(), 'disk'));
    if (typeof disk === 'string') return context.skip(disk);
    onTestFinished(() => disk[Symbol.dispose]());
    return disk;
  };

  it('is noticed before a backup is begun, and leaves no trace when it fills up meanwhile', async (context) => {
    const disk = mounted(context);
    const directory = makeStore({ entries: 40, entryBytes: 50_000 });
    const to = join(disk.path, 'n1.db');
    // There is room when it is asked for, and none when it is written.
    const onStep = (step: string): void => (step === 'begun' ? disk.fill() : undefined);
    await expect(createBackup({ directory, to, onStep })).rejects.toMatchObject({ name: 'Refusal', code: 'space' });
    expect(readdirSync(disk.path)).toEqual(['filler']);
    const end = await operate('backup', '--data-dir', directory, '--to', to);
    expect(end).toMatchObject({ code: 3, errors: expect.stringContaining('Nothing was changed') as string });
    disk.empty();
    expect(await operate('backup', '--data-dir', directory, '--to', to)).toMatchObject({ code: 0 });
  });

  it('stops a restore and a recovery with the store as it was', async (context) => {
    const disk = mounted(context);
    const directory = makeStore({ storage: disk.path, term: 9 });
    const before = readFileSync(join(directory, 'conductor.db'));
    const file = join(folder(), 'n1.db');
    await createBackup({ directory: makeStore({ entries: 30, entryBytes: 50_000 }), to: file });
    disk.fill();
    const restore = await operate('restore', file, '--data-dir', directory, '--replace');
    expect(restore).toMatchObject({ code: 3, errors: expect.stringContaining('needs') as string });
    disk.empty();
    const onStep = (step: string): void => (step === 'copied' ? disk.fill() : undefined);
    await expect(restoreBackup({ file, directory, serverId: 'n1', isReplacing: true, onStep })).rejects.toMatchObject({
      code: 'space',
    });
    const recover = await operate('recover', '--data-dir', directory, '--yes');
    expect(recover.code).not.toBe(0);
    expect(readdirSync(directory)).toEqual(['conductor.db']);
    expect(readFileSync(join(directory, 'conductor.db')).equals(before)).toBe(true);
    disk.empty();
    expect(await operate('recover', '--data-dir', directory, '--yes')).toMatchObject({ code: 0 });
  });
});

describe('live clusters', () => {
  it('a follower restored from an old backup waits for the leader, catches up, and votes again', async () => {
    await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
    const { cluster } = operated;
    await cluster.form();
    const leader = await cluster.leader();
    const [follower] = cluster.others(leader) as [ServiceNode];
    const file = join(cluster.directory, 'old.db');
    expect(await operate('backup', '--data-dir', storeOf(follower), '--to', file)).toMatchObject({ code: 0 });
    await cluster.progress(3, LEAD_MS_MAX);
    await follower.conductor.kill();
    rmSync(storeOf(follower), { recursive: true });
    expect(await operate('restore', file, '--data-dir', storeOf(follower))).toMatchObject({ code: 0 });
    follower.startConductor('again');
    await cluster.steady();
    await cluster.lead(follower);
    await cluster.steady();
    expect(cluster.brokenLaws()).toEqual([]);
  });

  it('every disk is lost: the cluster goes on from a backup, and no other way leads there', async () => {
    await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
    const { cluster } = operated;
    await cluster.form();
    const leader = await cluster.leader();
    const file = join(cluster.directory, 'last.db');
    for (const node of cluster.others(leader)) await node.conductor.kill();
    await leader.conductor.kill();
    expect(await operate('backup', '--data-dir', storeOf(leader), '--to', file)).toMatchObject({ code: 0 });
    for (const node of cluster.nodes) rmSync(storeOf(node), { recursive: true });
    expect(await operate('recover', '--data-dir', file, '--yes')).toMatchObject({
      code: 3,
      errors: expect.stringContaining('conductor restore') as string,
    });
    mkdirSync(leader.storageDir, { recursive: true });
    expect(await operate('restore', file, '--data-dir', storeOf(leader))).toMatchObject({ code: 0 });
    expect(await operated.run('recover', '--data-dir', storeOf(leader), '--yes')).toMatchObject({ code: 0 });
    await growAgain(operated, leader);
  });

  it('servers that are only cut off from here are no reason to recover: their RPC answers', async () => {
    await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
    const { cluster } = operated;
    await cluster.form();
    const leader = await cluster.leader();
    await leader.conductor.kill();
    // The store thinks of others at addresses where nobody is.
    const directory = makeStore({ serverId: leader.id, configuration: idsAt(cluster, 'nowhere.invalid') });
    const recover = ['recover', '--data-dir', directory, '--yes'];
    expect(await operated.run(...recover)).toMatchObject({
      code: 3,
      err: expect.stringContaining('The majority is not lost') as string,
    });
    expect(await operate(...recover)).toMatchObject({ code: 0 });
  });

  it("op-conductor's last disk is taken over, recovered, and leads", async (context) => {
    if ((process.env['OP_CONDUCTOR_BIN'] ?? '') === '') return context.skip('OP_CONDUCTOR_BIN names no op-conductor');
    await using operated = new OperatedCluster(['go', 'go', 'go']);
    const { cluster } = operated;
    await cluster.form();
    const survivor = await cluster.leader();
    const { rpc, node: opNode, execution } = survivor.addresses;
    const urls = ['--rpc', `http://${rpc}`, '--node', `http://${opNode}`, '--execution', `http://${execution}`];
    const examined = await operate('doctor', ...urls);
    expect(examined, examined.output).toMatchObject({ code: 0 });
    for (const node of cluster.others(survivor)) {
      await node.conductor.kill();
      rmSync(storeOf(node), { recursive: true });
    }
    await survivor.conductor.kill();
    const recover = ['recover', '--data-dir', storeOf(survivor), '--yes'];
    expect(await operate(...recover)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('conductor import') as string,
    });
    const where = ['--raft.storage.dir', survivor.storageDir, '--raft.server.id', survivor.id];
    expect(await operate('import', ...where)).toMatchObject({ code: 0 });
    expect(await operate(...recover)).toMatchObject({ code: 0 });
    for (const node of cluster.nodes) node.implementation = 'bun';
    await growAgain(operated, survivor);
  });
});

/** The members of a cluster, with raft addresses at another host. */
function idsAt({ nodes }: OperatedCluster['cluster'], host: string): Configuration {
  return { servers: nodes.map(({ id }, at) => ({ id, address: `${host}:${at + 1}`, suffrage: Suffrage.voter })) };
}

/** The recovered server leads alone, the others come back with empty stores. */
async function growAgain({ cluster, file }: OperatedCluster, survivor: ServiceNode): Promise<void> {
  survivor.startConductor('again');
  await waitFor('the survivor to lead', LEAD_MS_MAX, async () =>
    (await survivor.callConductor('conductor_leader')) === true ? true : null,
  );
  for (const node of cluster.others(survivor)) {
    node.startConductor('again');
    await waitFor(
      `${node.id} to answer`,
      LEAD_MS_MAX,
      async () => (await node.callConductor('conductor_paused')) ?? null,
    );
    const joined = await operate('join', node.id, '--cluster', file);
    expect(joined, joined.output + joined.errors).toMatchObject({ code: 0 });
  }
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
}

// The recovered membership is what the plan says, whatever the store had before.
it('recover gives a server that has moved its new address', async () => {
  const directory = makeStore({ serverId: 'n2', configuration: votersOf(3) });
  const end = await operate('recover', '--data-dir', directory, '--address', 'new-host:50050', '--yes', '--json');
  expect(end, end.errors).toMatchObject({ code: 0 });
  const after = await operate('recover', '--data-dir', directory, '--dry-run', '--json');
  expect(JSON.parse(after.output)).toMatchObject({
    isAlready: true,
    stores: [{ membership: { servers: [{ id: 'n2', address: 'new-host:50050' }] } }],
  });
});
