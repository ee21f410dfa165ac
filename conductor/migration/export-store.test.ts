/** What an export hands to op-conductor, and when it refuses to. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarizeData } from '#conductor/core/payload/block-summary';
import { buildRollbackEntry } from '#conductor/core/payload/rollback-entry';
import type { WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState } from '#conductor/core/raft/types';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { BoltFile } from './bolt-file.ts';
import { bytesSource } from './byte-source.ts';
import { exportGoStore, type ExportOutcome } from './export-store.ts';
import { readEntries, readStable } from './go-store.ts';
import { importGoStore } from './import-store.ts';
import { command, commands, snapshotAt } from './testing/go-directory.ts';
import { contents, serverId, stored } from './testing/inspect.ts';

const give = (directory: string): Promise<ExportOutcome> => exportGoStore({ directory, serverId, unixMs: 7 });
const voted: HardState = { term: 5, votedTerm: 5, votedFor: { id: 'x', address: 'host:1' }, recovering: false };
const plain = (entry: Entry) => ({
  entry,
  summary: entry.data === null ? null : summarizeData(entry.data, entry.extensions),
});

/** A store of ours with these batches. */
function ours(...batches: readonly WriteBatch[]): string {
  const directory = join(temporaryDirectory(), serverId);
  const store = openStore({ directory, serverId });
  store.load();
  for (const batch of batches) store.write(batch);
  store.close();
  return directory;
}

function bolt(directory: string, name: string): BoltFile {
  return new BoltFile(bytesSource(name, new Uint8Array(readFileSync(join(directory, name)))));
}

async function refused(directory: string, code: string, sentence: RegExp): Promise<void> {
  const before = contents(directory);
  for (const isDryRun of [true, false]) {
    const outcome = exportGoStore({ directory, serverId, unixMs: 7, isDryRun });
    await expect(outcome).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) as string });
    expect(contents(directory)).toEqual(before);
  }
}

describe('an export', () => {
  test('hands over every entry, term and vote of a log of any size, in any pages', async () => {
    for (const count of [0, 1, 2, 171, 400]) {
      const entries = commands(1, count, 4, 3000);
      const directory = ours({ hardState: voted, entries: entries.map(plain) });
      expect(await give(directory)).toMatchObject({
        kind: 'exported',
        summary: { lastIndex: count === 0 ? null : count },
      });
      expect([...readEntries(bolt(directory, 'raft-log.db'), 'log', 0)]).toEqual(entries);
      const { lastVoteCandidate, ...numbers } = readStable(bolt(directory, 'raft-stable.db'), 'stable');
      expect(numbers).toEqual({ currentTerm: 5, lastVoteTerm: 5 });
      expect(new TextDecoder().decode(lastVoteCandidate ?? new Uint8Array())).toBe('host:1');
    }
  });

  test('hands over entries of 20 MB, no time, extensions, and no data as they are', async () => {
    const entries: Entry[] = [
      { ...command(1, 1), extensions: Uint8Array.of(1, 2), data: null },
      command(2, 1, 20_000_000),
      { ...command(3, 1), type: 4, data: new Uint8Array() },
    ];
    const directory = ours({ hardState: voted, entries: entries.map(plain) });
    await give(directory);
    const found = [...readEntries(bolt(directory, 'raft-log.db'), 'log', 0)];
    expect(found.map(({ data, ...rest }) => ({ ...rest, hash: Bun.hash(data ?? 'null') }))).toEqual(
      entries.map(({ data, ...rest }) => ({ ...rest, hash: Bun.hash(data ?? 'null') })),
    );
  });

  test('hands over a snapshot and the trailing entries before it', async () => {
    const snapshot = snapshotAt(75, 5);
    const directory = ours(
      { hardState: voted, compactThrough: 69, snapshot },
      { entries: commands(70, 80, 5).map(plain) },
    );
    expect(await give(directory)).toMatchObject({
      summary: { snapshot: { index: 75 }, firstIndex: 70, lastIndex: 80 },
    });
    expect(readdirSync(join(directory, 'snapshots'))).toEqual(['5-75-7']);
    await importGoStore({ directory, serverId });
    const { indexes, snapshot: at } = stored(directory);
    expect([indexes[0], indexes.at(-1), at]).toEqual([70, 80, 75]);
  });

  test('tells op-conductor of a vote for nobody, which no address equals', async () => {
    const directory = ours({ hardState: { ...voted, votedFor: null } });
    await give(directory);
    const { lastVoteTerm, lastVoteCandidate } = readStable(bolt(directory, 'raft-stable.db'), 'stable');
    expect([lastVoteTerm, new TextDecoder().decode(lastVoteCandidate ?? new Uint8Array())]).toEqual([5, 'nobody']);
  });

  test('changes nothing when it only checks', async () => {
    const directory = ours({ hardState: voted, entries: commands(1, 3, 4).map(plain) });
    const before = Object.keys(contents(directory));
    expect(await exportGoStore({ directory, serverId, unixMs: 7, isDryRun: true })).toMatchObject({ kind: 'checked' });
    expect(Object.keys(contents(directory))).toEqual(before);
  });
});

describe('an export refuses, and changes nothing:', () => {
  test('where there is no store, or an empty one', async () => {
    const empty = temporaryDirectory();
    await refused(empty, 'unsuitable', /no conductor\.db/);
    await refused(ours(), 'unsuitable', /never written to/);
  });

  test('a server that must not vote yet', async () => {
    await refused(ours({ hardState: { ...voted, recovering: true } }), 'unsuitable', /not caught up yet/);
  });

  test('a rollback that no snapshot covers, which op-conductor would skip', async () => {
    const data = buildRollbackEntry(snapshotAt(1, 1).data);
    const rollback = plain({ ...command(76, 5), data });
    await refused(
      ours({ hardState: voted, compactThrough: 75, snapshot: snapshotAt(75, 5) }, { entries: [rollback] }),
      'unsuitable',
      /Entry 76 moves the chain back/,
    );
    const covered = ours(
      { hardState: voted, compactThrough: 75, snapshot: snapshotAt(76, 5) },
      { entries: [rollback] },
    );
    expect(await give(covered)).toMatchObject({ kind: 'exported', summary: { firstIndex: null } });
    const trailing = { hardState: voted, compactThrough: 74, snapshot: snapshotAt(76, 5) };
    const entries = [plain(command(75, 5)), rollback, plain(command(77, 5))];
    expect(await give(ours(trailing, { entries }))).toMatchObject({ summary: { firstIndex: 77, lastIndex: 77 } });
  });

  test("a store beside op-conductor's files", async () => {
    const directory = ours({ hardState: voted });
    const other = ours({ hardState: voted });
    await give(other);
    for (const name of ['raft-log.db', 'raft-stable.db']) cpSync(join(other, name), join(directory, name));
    await refused(directory, 'legacy', /holds both/);
  });

  test('a store that a conductor has open, or opens before the end', async () => {
    const directory = ours({ hardState: voted });
    const running = openStore({ directory, serverId });
    await expect(give(directory)).rejects.toMatchObject({ code: 'locked' });
    running.close();
    let late: ReturnType<typeof openStore> | null = null;
    const onStep = (step: string): void => {
      if (step === 'name taken') late ??= openStore({ directory, serverId });
    };
    const outcome = exportGoStore({ directory, serverId, unixMs: 7, onStep });
    await expect(outcome).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/during the export/) as string,
    });
    expect(existsSync(join(directory, 'conductor.db'))).toBe(true);
    (late as unknown as ReturnType<typeof openStore>).close();
    expect(await give(directory)).toMatchObject({ kind: 'exported' });
  });
});

test('a second time, and where nothing was ever imported, nothing is done: op-conductor’s files are in place', async () => {
  const directory = ours({ hardState: voted });
  mkdirSync(join(directory, 'snapshots'));
  await give(directory);
  const before = contents(directory);
  expect(await give(directory)).toEqual({ kind: 'inPlace' });
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.exported'))) rmSync(join(directory, name));
  expect(await give(directory)).toEqual({ kind: 'inPlace' });
  const { [join(directory, 'conductor.db.exported')]: _, ...left } = before;
  expect(contents(directory)).toEqual(left);
});
