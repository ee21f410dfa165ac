/** kill −9 at every step of an import and of an export, and at random moments. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '#conductor/core/raft/types';
import { encodeEntry } from '#conductor/core/wire/entry';
import { openStore } from '#conductor/adapters/sqlite/store';
import { BoltFile } from './bolt-file.ts';
import { bytesSource } from './byte-source.ts';
import { exportGoStore } from './export-store.ts';
import { readEntries, readStable } from './go-store.ts';
import { importGoStore } from './import-store.ts';
import { kindOf } from './layout.ts';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { command, goDirectory } from './testing/go-directory.ts';
import { migratorPath } from './testing/migrator.ts';

const serverId = 'n1';
const randomRounds = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 60 : 3;
const stepsMax = 40;
const [first, last, term] = [70, 1150, 7];
/** Several transactions of a copy, some values of several pages. */
const entries: Entry[] = Array.from({ length: last - first + 1 }, (_, at) =>
  command(first + at, at < 300 ? 5 : 6, at % 100 === 0 ? 30_000 : 100),
);

/** One number for all there is in entries. */
const digestOf = (list: Iterable<Entry>): string => {
  const hash = new Bun.CryptoHasher('sha256');
  for (const entry of list) hash.update(encodeEntry(entry));
  return hash.digest('hex');
};
const digest = digestOf(entries);

/** Makes fresh copies of one directory; for use inside one test. */
function copies(): () => string {
  const original = goDirectory({
    entries,
    snapshots: [75],
    currentTerm: term,
    lastVoteTerm: term,
    lastVoteCandidate: 'a:1',
  });
  return () => {
    const directory = temporaryDirectory();
    cpSync(original, directory, { recursive: true });
    return directory;
  };
}

async function run(
  direction: 'import' | 'export',
  directory: string,
  step: number,
  killAfterMs?: number,
): Promise<NodeJS.Signals | null> {
  const words = [migratorPath, direction, directory, serverId, String(step)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'close');
  if (killAfterMs !== undefined) child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

/** Go's files as they were, to be opened by op-conductor. */
function holdsGo(directory: string): boolean {
  if (kindOf(join(directory, 'raft-log.db')) !== 'bolt' || kindOf(join(directory, 'raft-stable.db')) !== 'bolt')
    return false;
  const open = (name: string): BoltFile =>
    new BoltFile(bytesSource(name, new Uint8Array(readFileSync(join(directory, name)))));
  expect(digestOf(readEntries(open('raft-log.db'), 'log', 0))).toBe(digest);
  expect(readStable(open('raft-stable.db'), 'stable')).toMatchObject({ currentTerm: term, lastVoteTerm: term });
  expect(existsSync(join(directory, 'snapshots'))).toBe(true);
  return true;
}

/** Ours, complete. */
function holdsOurs(directory: string): boolean {
  if (!existsSync(join(directory, 'conductor.db'))) return false;
  const store = openStore({ directory, serverId });
  const state = store.load();
  expect(state.hardState).toEqual({ term, votedTerm: term, votedFor: null, recovering: false });
  expect(state.snapshot).toMatchObject({ index: 75, term: 5 });
  expect(digestOf(store.read(first, last, Infinity))).toBe(digest);
  store.close();
  return true;
}

describe('an import killed with SIGKILL', () => {
  async function goesOn(directory: string): Promise<void> {
    // Never both, so that neither side can start on data the other has moved on from.
    if (holdsGo(directory)) expect(existsSync(join(directory, 'conductor.db'))).toBe(false);
    else expect(['unmarked', 'placeholder']).toContain(kindOf(join(directory, 'raft-log.db')));
    await importGoStore({ directory, serverId });
    expect(holdsOurs(directory)).toBe(true);
    expect(holdsGo(directory)).toBe(false);
    for (const name of ['raft-log.db', 'raft-stable.db']) expect(kindOf(join(directory, name))).toBe('placeholder');
    expect(existsSync(join(directory, 'conductor.importing'))).toBe(false);
  }

  test('at any of its steps leaves what the next one goes on from', { timeout: 120_000 }, async () => {
    const fresh = copies();
    let steps = 0;
    for (let step = 1; step < stepsMax; step += 1) {
      const directory = fresh();
      const signal = await run('import', directory, step);
      await goesOn(directory);
      if (signal === null) break;
      steps = step;
    }
    expect(steps).toBeGreaterThan(8);
    expect(steps).toBeLessThan(stepsMax - 1);
  });

  test('at any of its steps leaves what an export gives back to op-conductor', { timeout: 120_000 }, async () => {
    const fresh = copies();
    let unfinished = 0;
    for (let step = 1; step < stepsMax; step += 1) {
      const directory = fresh();
      const signal = await run('import', directory, step);
      const isUnfinished = !holdsGo(directory) && !existsSync(join(directory, 'conductor.db'));
      const names = readdirSync(directory);
      const move = { directory, serverId, unixMs: 1 };
      if (isUnfinished)
        await expect(exportGoStore({ ...move, isDryRun: true })).rejects.toMatchObject({ code: 'unfinished' });
      expect(readdirSync(directory)).toEqual(names);
      await exportGoStore(move);
      expect(holdsGo(directory)).toBe(true);
      expect(existsSync(join(directory, 'conductor.db'))).toBe(false);
      if (isUnfinished) expect(existsSync(join(directory, 'conductor.importing'))).toBe(false);
      unfinished += isUnfinished ? 1 : 0;
      if (signal === null) break;
    }
    expect(unfinished).toBeGreaterThan(3);
  });

  test('at a random moment, and again', { timeout: 120_000 }, async () => {
    const fresh = copies();
    for (let round = 0; round < randomRounds; round += 1) {
      const directory = fresh();
      for (const _ of [1, 2]) await run('import', directory, 0, Math.random() * 60);
      await goesOn(directory);
    }
  });
});

describe('an export killed with SIGKILL', () => {
  async function imported(fresh: () => string): Promise<string> {
    const directory = fresh();
    await importGoStore({ directory, serverId });
    return directory;
  }

  async function goesOn(directory: string): Promise<void> {
    const isOurs = existsSync(join(directory, 'conductor.db'));
    if (isOurs) expect(holdsGo(directory)).toBe(false);
    else if (!holdsGo(directory))
      await expect(importGoStore({ directory, serverId })).rejects.toMatchObject({ code: 'unfinished' });
    if (isOurs || !holdsGo(directory)) await exportGoStore({ directory, serverId, unixMs: 1 });
    expect(holdsGo(directory)).toBe(true);
    expect(existsSync(join(directory, 'conductor.db'))).toBe(false);
    await importGoStore({ directory, serverId });
    expect(holdsOurs(directory)).toBe(true);
    expect(existsSync(join(directory, 'conductor.exporting'))).toBe(false);
  }

  test('at any of its steps leaves what the next one goes on from', { timeout: 120_000 }, async () => {
    const fresh = copies();
    let steps = 0;
    for (let step = 1; step < stepsMax; step += 1) {
      const directory = await imported(fresh);
      const signal = await run('export', directory, step);
      await goesOn(directory);
      if (signal === null) break;
      steps = step;
    }
    expect(steps).toBeGreaterThan(6);
    expect(steps).toBeLessThan(stepsMax - 1);
  });

  test('at a random moment, and again', { timeout: 120_000 }, async () => {
    const fresh = copies();
    for (let round = 0; round < randomRounds; round += 1) {
      const directory = await imported(fresh);
      await run('export', directory, 0, Math.random() * 100);
      await goesOn(directory);
    }
  });
});
