/** What a person is told to do about a damaged store depends on what it was to be used for. */
import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import type { OperatorCommand } from '../operator-command.ts';
import type { Flags } from '../command-flags.ts';
import { Output } from '../output.ts';
import { backupCommand } from './backup-command.ts';
import { createBackup } from './backup.ts';
import { recoverCommand } from './recover-command.ts';
import { restoreCommand } from './restore-command.ts';
import { makeStore } from './testing/stores.ts';

class Heard extends Output {
  complaints = '';
  override line(): void {}
  override complain(text: string): void {
    this.complaints += text;
  }
}

async function complaintsOf(
  command: OperatorCommand,
  flags: Readonly<Record<string, unknown>>,
  words: readonly string[] = [],
): Promise<string> {
  const output = new Heard(false);
  const none = (): never => {
    throw new Error('it asks for no cluster');
  };
  const about = { words, flags: flags as Flags, output, execute: none };
  const exitCode = await command.run({ ...about, config: undefined as never, access: undefined as never });
  expect(exitCode).toBe(3);
  return output.complaints;
}

/** A store whose middle, which is the data of an entry, is not what was written. */
function withDamagedBody(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 4000);
  writeFileSync(path, bytes);
}

function withDamagedHead(path: string): void {
  const database = new Database(path);
  database.run('UPDATE entry SET term = 0 WHERE id = 4');
  database.close();
}

test.each([
  ['body', withDamagedBody],
  ['head', withDamagedHead],
])('a damaged %s', async (_, damage) => {
  const directory = makeStore({ entries: 100, entryBytes: 20_000 });
  const file = join(temporaryDirectory(), 'n1.db');
  await createBackup({ directory, to: file });
  damage(file);
  const target = { dataDir: join(temporaryDirectory(), 'n1') };
  const restoring = await complaintsOf(restoreCommand, target, [file]);
  expect(restoring).toMatch(/checksum.*\. Choose another backup/s);
  const recoveringBackup = await complaintsOf(recoverCommand, { dataDir: [file] });
  expect(recoveringBackup).toMatch(/checksum.*Nothing can be recovered from it/s);
  expect(recoveringBackup).not.toMatch(/conductor restore/);
  damage(join(directory, 'conductor.db'));
  const recovering = await complaintsOf(recoverCommand, { dataDir: [directory] });
  expect(recovering).toMatch(/checksum.*Nothing can be recovered from it/s);
  for (const text of [restoring, recoveringBackup, recovering]) expect(text).not.toMatch(/from its peers/);
  const saving = await complaintsOf(backupCommand, { dataDir: directory, to: join(temporaryDirectory(), 'late.db') });
  expect(saving).toMatch(/Restore this server from its peers/);
});
