import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unpack } from '#conductor/migration/testing/unpack';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { Suffrage } from '#conductor/core/raft/types';
import { answeringServers } from './answering.ts';
import { createBackup } from './backup.ts';
import { recoverStore } from './recover-store.ts';
import { planRecovery, type RecoveryPlan } from './recovery-plan.ts';
import { reportOfFile } from './store-report.ts';
import { inspect, inspectAll, verifyDirectory } from './survey.ts';
import { makeStore, votersOf } from './testing/stores.ts';

async function planFor(...paths: string[]): Promise<Extract<RecoveryPlan, { kind: 'planned' }>> {
  const survivors = await Promise.all(paths.map((path) => inspect(path)));
  const plan = planRecovery({ survivors, answering: [], address: null });
  if (plan.kind !== 'planned') throw new Error(JSON.stringify(plan));
  return plan;
}

const unixMs = 1_800_000_000_000;

test('a term that was forged is left behind: the server leads in one of its own again', async () => {
  const directory = makeStore({ serverId: 'n2', term: 4, entries: 6 });
  const store = openStore({ directory, serverId: 'n2' });
  store.write({ hardState: { ...store.load().hardState!, term: 2 ** 52 } });
  store.close();
  const { lastTerm } = (await inspect(directory)).report;
  await recoverStore({ plan: await planFor(directory), backup: join(temporaryDirectory(), 'before.db'), unixMs });
  expect((await inspect(directory)).report).toMatchObject({
    term: lastTerm + 1,
    votedTerm: lastTerm + 1,
    lastIndex: 8,
  });
});

test('one transaction leaves the log and makes the survivor the only voter; before it is a backup', async () => {
  const directory = makeStore({ serverId: 'n2', term: 4, entries: 6 });
  const backup = join(temporaryDirectory(), 'before.db');
  await recoverStore({ plan: await planFor(directory), backup, unixMs });
  expect(reportOfFile(backup)).toMatchObject({ term: 4, lastIndex: 7, membership: { index: 1 } });
  const survivor = await inspect(directory);
  expect(survivor.report).toMatchObject({ term: 5, votedTerm: 5, lastIndex: 8, firstIndex: 1, isRecovering: false });
  expect(survivor.report.membership).toEqual({ index: 8, configuration: { servers: [votersOf(3).servers[1]] } });
  expect(planRecovery({ survivors: [survivor], answering: [], address: null }).kind).toBe('done');
});

test('a store named in several ways is one survivor', async () => {
  const directory = makeStore({ serverId: 'n2' });
  const link = join(temporaryDirectory(), 'link');
  symlinkSync(directory, link);
  const other = makeStore({ serverId: 'n3' });
  const survivors = await inspectAll([directory, `${directory}/`, other, link]);
  expect(survivors.map(({ path }) => path)).toEqual([directory, other]);
});

test('what a dry run reads is the whole store: bodies that are damaged are found, and nothing is changed', async () => {
  const directory = makeStore({ entries: 100, entryBytes: 20_000 });
  await verifyDirectory(directory);
  const path = join(directory, 'conductor.db');
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 4000);
  writeFileSync(path, bytes);
  await expect(verifyDirectory(directory)).rejects.toMatchObject({ name: 'Refusal', code: 'damaged' });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('interrupted after the backup nothing has changed, and the next run goes on with another backup', async () => {
  const directory = makeStore({ term: 4 });
  const plan = await planFor(directory);
  const folder = temporaryDirectory();
  const onStep = (): never => {
    throw new Error('power cut');
  };
  const backup = join(folder, 'before.db');
  await expect(recoverStore({ plan, backup, unixMs, onStep })).rejects.toThrow('power cut');
  expect((await inspect(directory)).report).toMatchObject({ term: 4, membership: { index: 1 } });
  await expect(recoverStore({ plan, backup, unixMs })).rejects.toThrow(/not overwritten/);
  await recoverStore({ plan, backup: join(folder, 'again.db'), unixMs });
  expect((await inspect(directory)).report.term).toBe(5);
});

test('a store that a conductor was started on meanwhile is left alone', async () => {
  const directory = makeStore();
  const plan = await planFor(directory);
  const backup = join(temporaryDirectory(), 'before.db');
  const store = openStore({ directory, serverId: 'n1' });
  await expect(recoverStore({ plan, backup, unixMs })).rejects.toThrow(/was started on/);
  await expect(inspect(directory)).rejects.toThrow(/is running on/);
  store.load();
  store.close();
  expect((await inspect(directory)).report.membership.index).toBe(1);
});

test('what survived is compared whatever it is: a directory, a backup, a directory of op-conductor', async () => {
  const directory = makeStore({ term: 2, entries: 3, configuration: votersOf(3) });
  const other = makeStore({ serverId: 'n2', term: 2, entries: 2 });
  const backup = join(temporaryDirectory(), 'n2.db');
  await createBackup({ directory: other, to: backup });
  const bytes = readFileSync(backup);
  const plan = await planFor(backup, directory);
  expect(plan.chosen.path).toBe(directory);
  expect(readFileSync(backup).equals(bytes)).toBe(true);
  expect(existsSync(`${backup}-wal`)).toBe(false);

  const go = await inspect(unpack('with-snapshot'));
  expect(go.kind).toBe('op-conductor');
  expect(go.report.membership.configuration.servers.length).toBeGreaterThan(0);
  expect(go.report.head?.number).toBeGreaterThan(0n);
  expect(planRecovery({ survivors: [go], answering: [], address: null }).kind).toBe('refused');
});

test('a server answers when somebody accepts connections at its raft address', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = { id: 'open', address: `127.0.0.1:${port}`, suffrage: Suffrage.voter };
  expect(await answeringServers([open, ...votersOf(2).servers, { ...open, id: 'no', address: 'nonsense' }])).toEqual([
    'open',
  ]);
});
