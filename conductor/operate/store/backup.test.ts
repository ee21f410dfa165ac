import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { goDirectory, commands } from '#conductor/migration/testing/go-directory';
import { openStore } from '#conductor/adapters/sqlite/store';
import { WriteAheadLog } from '#conductor/adapters/sqlite/write-ahead-log';
import { crashServerId, crashWriterPath } from '#conductor/adapters/sqlite/testing/crash-writer';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { entryAt, hardStateAt } from '#conductor/adapters/sqlite/testing/values';
import { createBackup } from './backup.ts';
import { copyStore } from './copy-store.ts';
import { reportOfFile } from './store-report.ts';
import { makeStore, votersOf } from './testing/stores.ts';

const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code }) as Error;

test('a backup is one file that holds the log, the votes, the membership and whose it is', async () => {
  const directory = makeStore({ term: 4, entries: 7 });
  const to = join(temporaryDirectory(), 'n1.db');
  const { report, bytes } = await createBackup({ directory, to });
  expect(report).toMatchObject({ serverId: 'n1', format: 2, term: 4, votedTerm: 4, lastIndex: 8, lastTerm: 4 });
  expect(report?.membership).toEqual({ index: 1, configuration: votersOf(3) });
  expect(reportOfFile(to)).toEqual(report);
  expect(readFileSync(to).length).toBe(bytes);
  expect(readdirSync(join(to, '..'))).toEqual(['n1.db']);
});

test('a link to a store is refused, for its log lies elsewhere', async () => {
  const directory = temporaryDirectory();
  symlinkSync(join(makeStore(), 'conductor.db'), join(directory, 'conductor.db'));
  const to = join(directory, 'backup.db');
  await expect(createBackup({ directory, to })).rejects.toThrow(/symbolic link/);
  expect(readdirSync(directory)).toEqual(['conductor.db']);
});

test('a copy that cannot do without its log is no backup', async () => {
  const directory = makeStore();
  const { end } = WriteAheadLog.prototype;
  onTestFinished(() => void (WriteAheadLog.prototype.end = end));
  WriteAheadLog.prototype.end = () => undefined;
  const to = join(temporaryDirectory(), 'n1.db');
  await expect(createBackup({ directory, to })).rejects.toThrow(/cannot do without its log/);
  expect(existsSync(to)).toBe(false);
});

test('beside a conductor that writes without pause a backup is whole, and as new as the moment it was begun', async () => {
  const directory = join(temporaryDirectory(), crashServerId);
  const child = Bun.spawn([process.execPath, crashWriterPath, directory], { stdout: 'pipe', stderr: 'inherit' });
  onTestFinished(() => child.kill('SIGKILL'));
  let acknowledged = 0;
  const ready = Promise.withResolvers<void>();
  void (async () => {
    let rest = '';
    for await (const chunk of child.stdout) {
      const lines = (rest + new TextDecoder().decode(chunk)).split('\n');
      rest = lines.pop() ?? '';
      acknowledged = Number(lines.at(-1)?.split(' ')[1] ?? acknowledged);
      if (acknowledged > 200) ready.resolve();
    }
  })();
  await ready.promise;
  for (let round = 1; round <= 5; round += 1) {
    const before = acknowledged;
    const to = join(directory, `backup-${round}.db`);
    const { report } = await createBackup({ directory, to });
    expect(report?.lastIndex).toBeGreaterThanOrEqual(before);
  }
  expect(child.exitCode).toBeNull();
});

test('a log that was begun anew while the database was read is noticed, and the database read again', async () => {
  const directory = makeStore();
  const store = openStore({ directory, serverId: 'n1' });
  onTestFinished(() => store.close());
  store.load();
  let last = 6;
  const write = (): void => {
    last += 1;
    store.write({ hardState: hardStateAt(1), entries: [entryAt(last, 1, 1_500_000)] });
  };
  write();
  let isDisturbed = false;
  const to = join(temporaryDirectory(), 'conductor.db');
  const passes = await copyStore({
    from: join(directory, 'conductor.db'),
    to,
    onStep: () => {
      if (isDisturbed) return;
      isDisturbed = true;
      for (let count = 0; count < 4; count += 1) write();
    },
  });
  expect(passes).toBeGreaterThan(1);
  const copy = openStore({ directory: join(to, '..'), serverId: 'n1' });
  onTestFinished(() => copy.close());
  expect(copy.load().entries.at(-1)?.index).toBe(last);
  expect(copy.verifyNext(Infinity)).toEqual({ done: true });
});

test('a store that changes during every reading is given up with what helps: a pause stops no write', async () => {
  const from = join(makeStore(), 'conductor.db');
  let looks = 0;
  const onStep = (): void => utimesSync(from, 1, (looks += 1));
  await expect(copyStore({ from, to: join(temporaryDirectory(), 'conductor.db'), onStep })).rejects.toThrow(
    /during each of 20 attempts.*Try again when less is written, or stop the conductor for the backup/,
  );
});

test('nothing is ever overwritten, and what a killed backup left is taken away', async () => {
  const directory = makeStore();
  const folder = temporaryDirectory();
  const to = join(folder, 'n1.db');
  mkdirSync(`${to}.partial-999999999`);
  writeFileSync(join(`${to}.partial-999999999`, 'conductor.db'), 'half');
  await createBackup({ directory, to });
  expect(readdirSync(folder)).toEqual(['n1.db']);
  const before = readFileSync(to);
  await expect(createBackup({ directory, to })).rejects.toThrow(refused('exists'));
  // The name is taken while the copy is made.
  const late = join(folder, 'late.db');
  const onStep = (step: string): void => {
    if (step === 'verified') writeFileSync(late, 'mine');
  };
  await expect(createBackup({ directory, to: late, onStep })).rejects.toThrow(refused('exists'));
  expect(readFileSync(late, 'utf8')).toBe('mine');
  expect(readFileSync(to).equals(before)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['late.db', 'n1.db']);
});

test('a damaged store gives no backup', async () => {
  const directory = makeStore({ entries: 200, entryBytes: 20_000 });
  const path = join(directory, 'conductor.db');
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 4000);
  writeFileSync(path, bytes);
  const folder = temporaryDirectory();
  await expect(createBackup({ directory, to: join(folder, 'n1.db') })).rejects.toThrow(refused('damaged'));
  truncateSync(path, 5000);
  await expect(createBackup({ directory, to: join(folder, 'n1.db') })).rejects.toThrow(refused('damaged'));
  expect(readdirSync(folder)).toEqual([]);
});

test('where there is no store of ours it is said what there is instead', async () => {
  const to = join(temporaryDirectory(), 'n1.db');
  await expect(createBackup({ directory: temporaryDirectory(), to })).rejects.toThrow(/no conductor\.db in/);
  const go = goDirectory({ entries: commands(1, 2), currentTerm: 1 });
  await expect(createBackup({ directory: go, to })).rejects.toThrow(/op-conductor's files.*conductor import/);
  const nowhere = join(to, 'x', 'n1.db');
  await expect(createBackup({ directory: makeStore(), to: nowhere })).rejects.toThrow(/is no folder/);
});

test('a dry run says what it would take and writes nothing', async () => {
  const to = join(temporaryDirectory(), 'n1.db');
  expect((await createBackup({ directory: makeStore(), to, isDryRun: true })).report).toBeNull();
  expect(existsSync(to)).toBe(false);
});

test('an interruption ends it without a trace', async () => {
  const folder = temporaryDirectory();
  const directory = makeStore({ entries: 100, entryBytes: 50_000 });
  const abort = new AbortController();
  const onProgress = (): void => abort.abort(new Error('interrupted'));
  const { signal } = abort;
  await expect(createBackup({ directory, to: join(folder, 'n1.db'), signal, onProgress })).rejects.toThrow(
    'interrupted',
  );
  expect(readdirSync(folder)).toEqual([]);
});
