import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Database } from 'bun:sqlite';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commands, goDirectory } from '#conductor/migration/testing/go-directory';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { createBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { reportOfFile } from './store-report.ts';
import { makeStore } from './testing/stores.ts';

const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code }) as Error;

async function backupOf(directory: string): Promise<string> {
  const file = join(temporaryDirectory(), 'backup.db');
  await createBackup({ directory, to: file });
  return file;
}

test('a restored store keeps log, term and vote, and comes back as a new store does (rule 9)', async () => {
  const file = await backupOf(makeStore({ term: 3, entries: 4 }));
  const before = readFileSync(file);
  const directory = join(temporaryDirectory(), 'storage', 'n1');
  const { report, keptAs } = await restoreBackup({ file, directory, serverId: 'n1' });
  expect(keptAs).toBeNull();
  expect(report).toMatchObject({ term: 3, votedTerm: 3, lastIndex: 5, isRecovering: true });
  const store = openStore({ directory, serverId: 'n1' });
  onTestFinished(() => store.close());
  expect(store.load().hardState).toMatchObject({ term: 3, recovering: true });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['backup.db']);
});

test('a backup that is put in place by hand comes back as a new store, too', async () => {
  const file = await backupOf(makeStore({ term: 3 }));
  const directory = join(temporaryDirectory(), 'n1');
  mkdirSync(directory);
  copyFileSync(file, join(directory, 'conductor.db'));
  const store = openStore({ directory, serverId: 'n1' });
  onTestFinished(() => store.close());
  expect(store.load().hardState).toMatchObject({ term: 3, votedTerm: 3, recovering: true });
});

test('a store that is there stays unless --replace puts it aside, under a new name each time', async () => {
  const directory = makeStore({ term: 9 });
  const file = await backupOf(makeStore({ term: 3 }));
  await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(refused('exists'));
  const outcomes = [
    await restoreBackup({ file, directory, serverId: 'n1', isReplacing: true }),
    await restoreBackup({ file, directory, serverId: 'n1', isReplacing: true }),
  ];
  expect(outcomes.map(({ keptAs }) => reportOfFile(keptAs ?? '').term)).toEqual([9, 3]);
  expect(reportOfFile(join(directory, 'conductor.db')).term).toBe(3);
});

describe('nothing is changed where', () => {
  test('the backup is of another server, a newer release, or no backup at all', async () => {
    const file = await backupOf(makeStore({ serverId: 'n2' }));
    const directory = join(temporaryDirectory(), 'n1');
    await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(refused('identity'));
    const database = new Database(file);
    database.run('CREATE TRIGGER t AFTER INSERT ON state BEGIN DELETE FROM entry; END');
    await expect(restoreBackup({ file, directory, serverId: 'n2' })).rejects.toThrow(/tables or triggers/);
    database.run('DROP TRIGGER t');
    database.run('PRAGMA user_version = 3');
    database.close();
    await expect(restoreBackup({ file, directory, serverId: 'n2' })).rejects.toThrow(refused('version'));
    writeFileSync(file, 'no database at all, but long enough to look like one to somebody in a hurry');
    await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(refused('damaged'));
    writeFileSync(file, '');
    await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(refused('foreign'));
    await expect(restoreBackup({ file: directory, directory, serverId: 'n1' })).rejects.toThrow(refused('missing'));
    expect(existsSync(directory)).toBe(false);
  });

  test('a conductor runs on the directory, or op-conductor has its log there', async () => {
    const directory = makeStore();
    const file = await backupOf(directory);
    const store = openStore({ directory, serverId: 'n1' });
    await expect(restoreBackup({ file, directory, serverId: 'n1', isReplacing: true })).rejects.toThrow(
      refused('running'),
    );
    store.close();
    const go = goDirectory({ entries: commands(1, 2), currentTerm: 1 });
    const names = readdirSync(go);
    await expect(restoreBackup({ file, directory: go, serverId: 'n1', isReplacing: true })).rejects.toThrow(
      refused('foreign'),
    );
    expect(readdirSync(go)).toEqual(names);
  });

  test('the backup was damaged since it was made', async () => {
    const file = await backupOf(makeStore({ entries: 100, entryBytes: 20_000 }));
    const bytes = readFileSync(file);
    bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 4000);
    writeFileSync(file, bytes);
    const directory = join(temporaryDirectory(), 'n1');
    const dryRun = { file, directory, serverId: 'n1', isDryRun: true };
    await expect(restoreBackup(dryRun)).rejects.toThrow(refused('damaged'));
    expect(existsSync(directory)).toBe(false);
    await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(refused('damaged'));
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('a dry run that finds a whole backup changes nothing', async () => {
  const file = await backupOf(makeStore({ term: 3 }));
  const directory = join(temporaryDirectory(), 'n1');
  const { report } = await restoreBackup({ file, directory, serverId: 'n1', isDryRun: true });
  expect(report.term).toBe(3);
  expect(existsSync(directory)).toBe(false);
  expect(readdirSync(dirname(file))).toEqual(['backup.db']);
});

test('a store too damaged to be opened is put aside whole, with its log', async () => {
  const file = await backupOf(makeStore({ term: 3 }));
  const directory = join(temporaryDirectory(), 'n1');
  mkdirSync(directory);
  writeFileSync(join(directory, 'conductor.db'), 'x'.repeat(5000));
  writeFileSync(join(directory, 'conductor.db-wal'), 'y'.repeat(5000));
  const { keptAs } = await restoreBackup({ file, directory, serverId: 'n1', isReplacing: true });
  expect(readFileSync(keptAs ?? '', 'utf8')).toHaveLength(5000);
  expect(readFileSync(`${keptAs}-wal`, 'utf8')).toHaveLength(5000);
  expect(reportOfFile(join(directory, 'conductor.db')).isRecovering).toBe(true);
});

test('interrupted at any step, the old store is there, or no store that may vote; the next run goes on', async () => {
  const file = await backupOf(makeStore({ term: 3 }));
  const steps = ['copied', 'verified', 'database aside', 'old store aside'];
  for (const last of steps) {
    const directory = makeStore({ term: 9 });
    const stop = (step: string): void => {
      if (step === last) throw new Error('power cut');
    };
    const run = (onStep: (step: string) => void) =>
      restoreBackup({ file, directory, serverId: 'n1', isReplacing: true, onStep });
    await expect(run(stop)).rejects.toThrow('power cut');
    const isOldThere = existsSync(join(directory, 'conductor.db'));
    expect(isOldThere).toBe(steps.indexOf(last) < 2);
    // What a start would make of it: the old store, or a new one, which does not vote.
    const copy = join(temporaryDirectory(), 'n1');
    Bun.spawnSync(['cp', '-r', directory, copy]);
    const started = openStore({ directory: copy, serverId: 'n1' });
    expect(started.load().hardState?.term).toBe(isOldThere ? 9 : undefined);
    started.close();
    await run(() => undefined);
    expect(reportOfFile(join(directory, 'conductor.db'))).toMatchObject({ term: 3, isRecovering: true });
    expect(reportOfFile(join(directory, 'conductor.db.before-restore')).term).toBe(9);
    rmSync(directory, { recursive: true });
  }
});

test('interrupted between a database and its log, the two come together again, also after a look at the first', async () => {
  const origin = makeStore({ term: 9 });
  const directory = join(temporaryDirectory(), 'n1');
  mkdirSync(directory);
  const kept = join(directory, 'conductor.db.before-restore');
  {
    using store = openStore({ directory: origin, serverId: 'n1' });
    const { hardState } = store.load();
    store.write({ hardState: { ...hardState!, term: 10 } });
    copyFileSync(join(origin, 'conductor.db'), kept);
    copyFileSync(join(origin, 'conductor.db-wal'), join(directory, 'conductor.db-wal'));
  }
  writeFileSync(`${kept}-wal`, '');
  const file = await backupOf(makeStore({ term: 3 }));
  const { keptAs } = await restoreBackup({ file, directory, serverId: 'n1', isReplacing: true });
  expect(keptAs).toBe(kept);
  const again = join(temporaryDirectory(), 'n1');
  mkdirSync(again);
  for (const end of ['', '-wal']) copyFileSync(`${kept}${end}`, join(again, `conductor.db${end}`));
  using store = openStore({ directory: again, serverId: 'n1' });
  expect(store.load().hardState?.term).toBe(10);
});

test('a read-only backup is restored as a store that can be written, by its conductor alone', async () => {
  const file = await backupOf(makeStore());
  chmodSync(file, 0o444);
  const directory = join(temporaryDirectory(), 'n1');
  await restoreBackup({ file, directory, serverId: 'n1' });
  expect(statSync(join(directory, 'conductor.db')).mode & 0o777).toBe(0o600);
});

test('a directory in which a move from or to op-conductor was interrupted is left alone', async () => {
  const file = await backupOf(makeStore());
  const directory = join(temporaryDirectory(), 'n1');
  mkdirSync(join(directory, 'conductor.importing'), { recursive: true });
  await expect(restoreBackup({ file, directory, serverId: 'n1' })).rejects.toThrow(/was interrupted/);
  expect(readdirSync(directory)).toEqual(['conductor.importing']);
});

test('restored by root, a store is that of the user whose folder it lies in', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root can give files away');
  const file = await backupOf(makeStore());
  const storage = temporaryDirectory();
  const uid = 12_345;
  chownSync(storage, uid, uid);
  const directory = join(storage, 'raft', 'n1');
  await restoreBackup({ file, directory, serverId: 'n1' });
  for (const path of [dirname(directory), directory, join(directory, 'conductor.db')])
    expect(statSync(path).uid).toBe(uid);
});
