/** Root may move a store for the user whose it is: what that user cannot open afterwards, its conductor cannot start on. */
import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { giveToOwnerOf } from '#conductor/adapters/sqlite/owner';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { writeDurably } from '#conductor/adapters/system/durable-files';
import { exportGoStore } from './export-store.ts';
import { importGoStore } from './import-store.ts';
import { commands, goDirectory } from './testing/go-directory.ts';
import { serverId } from './testing/inspect.ts';

const uid = 12_345;

/** Those who own something in a directory, and the directory. */
const owners = (directory: string): number[] => {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return [...new Set(['.', ...names].map((name) => lstatSync(join(directory, name)).uid))];
};

function needsRoot({ skip }: TestContext): void {
  if (process.getuid?.() !== 0) skip('only root can give files away');
}

test('imported and exported by root, everything is the user’s whose directory it is', async (context) => {
  needsRoot(context);
  const directory = goDirectory({ entries: commands(5, 90, 5), snapshots: [75], currentTerm: 5 });
  for (const name of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })])
    chownSync(join(directory, name), uid, uid);
  const there = (): string[] => readdirSync(directory).toSorted();
  await importGoStore({ directory, serverId });
  expect(there()).toContain('conductor.db');
  expect(owners(directory)).toEqual([uid]);
  await exportGoStore({ directory, serverId, unixMs: 7 });
  expect(there()).toContain('conductor.db.exported');
  expect(there()).toContain('snapshots');
  expect(owners(directory)).toEqual([uid]);
});

test('links are given away themselves, and never written through', (context) => {
  needsRoot(context);
  const elsewhere = join(mkdtempSync(join(tmpdir(), 'conductor-owner-')), 'roots');
  context.onTestFinished(() => rmSync(join(elsewhere, '..'), { recursive: true, force: true }));
  writeFileSync(elsewhere, 'kept');
  const directory = temporaryDirectory();
  chownSync(directory, uid, uid);
  const link = join(directory, 'link');
  symlinkSync(elsewhere, link);
  giveToOwnerOf(directory, [link]);
  expect([lstatSync(link).uid, lstatSync(elsewhere).uid]).toEqual([uid, 0]);
  writeDurably(link, new TextEncoder().encode('new'), 0o600);
  expect([readFileSync(link, 'utf8'), readFileSync(elsewhere, 'utf8')]).toEqual(['new', 'kept']);
});
