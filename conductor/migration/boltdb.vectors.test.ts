/** op-conductor's own directories, read and written; see testdata. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarizeData } from '#conductor/core/payload/block-summary';
import type { Entry } from '#conductor/core/raft/types';
import { encodeEntry } from '#conductor/core/wire/entry';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { openStore } from '#conductor/adapters/sqlite/store';
import { BoltFile } from './bolt-file.ts';
import { bytesSource } from './byte-source.ts';
import { exportGoStore } from './export-store.ts';
import { findRun, readEntries, readStable } from './go-store.ts';
import { importGoStore } from './import-store.ts';
import { kindOf } from './layout.ts';
import { listSnapshots, metaText, readSnapshot } from './snapshot-files.ts';
import { listRecordings, readRecording, unpack, vectorsFolder, type Recording } from './testing/unpack.ts';

const hex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : bytes.toHex());
const fileOf = (directory: string, name: string): BoltFile =>
  new BoltFile(bytesSource(name, new Uint8Array(readFileSync(join(directory, name)))));

function recorded(entries: readonly Entry[]): unknown[] {
  return entries.map((entry) => ({
    Index: entry.index,
    Term: entry.term,
    Type: entry.type,
    Data: hex(entry.data),
    Extensions: hex(entry.extensions),
    AppendedAtBinary: hex(entry.appendedAt),
  }));
}

function expected({ logs }: Recording): unknown[] {
  return logs.map(({ Index, Term, Type, Data, Extensions, AppendedAtBinary }) => ({
    Index,
    Term,
    Type,
    Data,
    Extensions,
    AppendedAtBinary,
  }));
}

describe.each(listRecordings(vectorsFolder))('the recording %s', (name) => {
  const recording = readRecording(name, vectorsFolder);
  const numberOf = (key: string): number => recording.stable[key]?.value ?? 0;

  test('is read to the last byte: entries, configurations, term and vote', () => {
    const directory = unpack(name, vectorsFolder);
    const log = fileOf(directory, 'raft-log.db');
    expect(findRun(log, 'log')).toEqual({ first: recording.firstIndex, last: recording.lastIndex, before: 0 });
    const entries = [...readEntries(log, 'log', 0)];
    expect(recorded(entries)).toEqual(expected(recording));
    for (const [at, { Configuration }] of recording.logs.entries()) {
      if (Configuration === undefined) continue;
      const servers = Configuration.map(({ ID, Address, Suffrage }) => ({
        id: ID,
        address: Address,
        suffrage: Suffrage,
      }));
      expect(decodeConfiguration(entries[at]?.data ?? new Uint8Array()).servers).toEqual(servers);
    }
    const candidate = recording.stable['LastVoteCand'];
    expect(readStable(fileOf(directory, 'raft-stable.db'), 'stable')).toEqual({
      currentTerm: numberOf('CurrentTerm'),
      lastVoteTerm: numberOf('LastVoteTerm'),
      lastVoteCandidate: candidate === undefined ? null : Uint8Array.fromHex(candidate.hex),
    });
  });

  test('is written as Go wrote it: entries and the text of snapshot metas', () => {
    const directory = unpack(name, vectorsFolder);
    const log = fileOf(directory, 'raft-log.db');
    for (const item of log.bucket('logs') ?? []) {
      const [entry] = readEntries(log, 'log', Number(Buffer.from(item.key).readBigUInt64BE()));
      expect(encodeEntry(entry as Entry)).toEqual(item.value());
    }
    const folder = join(directory, 'snapshots');
    expect(listSnapshots(folder)).toEqual(recording.snapshots.map(({ dir }) => dir));
    for (const { dir, metaText: text, stateHex } of recording.snapshots) {
      const found = readSnapshot(folder, dir);
      if (found.kind !== 'valid') throw new Error(found.problem);
      expect(found.snapshot.data.toHex()).toBe(stateHex);
      expect(metaText(dir, found.snapshot)).toBe(text);
    }
  });

  test("is imported whole, and Go's files are out of the way", async () => {
    const directory = unpack(name, vectorsFolder);
    const outcome = await importGoStore({ directory, serverId: recording.serverId });
    expect(outcome).toMatchObject({
      kind: 'imported',
      summary: { firstIndex: recording.firstIndex, lastIndex: recording.lastIndex, warnings: [] },
    });
    expect(readdirSync(directory).toSorted()).toEqual([
      'conductor.db',
      'raft-log.db',
      'raft-log.db.imported',
      'raft-stable.db',
      'raft-stable.db.imported',
      'snapshots.imported',
    ]);
    for (const file of ['raft-log.db', 'raft-stable.db']) {
      expect(kindOf(join(directory, file))).toBe('placeholder');
      expect(kindOf(join(directory, `${file}.imported`))).toBe('unmarked');
    }
    checkStore(directory, recording);
    expect(await importGoStore({ directory, serverId: recording.serverId })).toEqual({ kind: 'present' });
  });

  test('comes back from an export as it was, but for a vote whose candidate an import cannot know', async () => {
    const directory = unpack(name, vectorsFolder);
    const { serverId } = recording;
    await importGoStore({ directory, serverId });
    expect(await exportGoStore({ directory, serverId, unixMs: 1_795_255_163_076 })).toMatchObject({ kind: 'exported' });
    expect(statSync(join(directory, 'conductor.db.exported')).size).toBeGreaterThan(0);
    expect([...readEntries(fileOf(directory, 'raft-log.db'), 'log', 0)].map((entry) => recorded([entry])[0])).toEqual(
      expected(recording),
    );
    expect(readStable(fileOf(directory, 'raft-stable.db'), 'stable')).toEqual({
      currentTerm: numberOf('CurrentTerm'),
      lastVoteTerm: numberOf('LastVoteTerm'),
      lastVoteCandidate: new TextEncoder().encode('nobody'),
    });
    const snapshots = join(directory, 'snapshots');
    for (const { dir, metaText: text, stateHex } of recording.snapshots) {
      const renamed = listSnapshots(snapshots)[0] ?? '';
      expect(renamed.split('-').slice(0, 2)).toEqual(dir.split('-').slice(0, 2));
      expect(readFileSync(join(snapshots, renamed, 'meta.json'), 'utf8')).toBe(text.replace(dir, renamed));
      expect(readFileSync(join(snapshots, renamed, 'state.bin')).toString('hex')).toBe(stateHex);
    }
    expect(await importGoStore({ directory, serverId })).toMatchObject({ kind: 'imported' });
    checkStore(directory, recording);
  });
});

function checkStore(directory: string, recording: Recording): void {
  const store = openStore({ directory, serverId: recording.serverId });
  try {
    const { hardState, snapshot, entries } = store.load();
    const term = recording.stable['CurrentTerm']?.value;
    const votedTerm = recording.stable['LastVoteTerm']?.value;
    expect(hardState).toEqual({ term, votedTerm, votedFor: null, recovering: false });
    const [first, last] = [entries[0]?.index ?? 0, entries.at(-1)?.index ?? 0];
    expect(recorded(store.read(first, last, Infinity))).toEqual(expected(recording));
    const summaries = entries
      .map(({ index }) => store.read(index, index, 1)[0]!)
      .map(({ type, data }) => (type === 0 ? summarizeData(data, null) : null));
    expect(entries.map(({ summary }) => summary)).toEqual(summaries);
    expect(summaries.some((summary) => summary !== null)).toBe(true);
    expect(snapshot?.index).toBe(recording.snapshots[0]?.meta.Index);
    expect(snapshot?.configuration.index).toBe(recording.snapshots[0]?.meta.ConfigurationIndex);
    expect(store.verifyNext(Infinity).error).toBeUndefined();
  } finally {
    store.close();
  }
}
