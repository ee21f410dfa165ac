/** Directories as op-conductor leaves them, made with our own writer (which the recordings and real op-conductors check). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EntryType, type Entry, type Snapshot } from '#conductor/core/raft/types';
import { encodeEntry } from '#conductor/core/wire/entry';
import { goTimeFromUnixMs } from '#conductor/core/wire/go-time';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { BoltWriter } from '../bolt-writer.ts';
import { readSnapshot, listSnapshots, writeSnapshot } from '../snapshot-files.ts';
import { unpack } from './unpack.ts';

const SNAPSHOT_TERM = 5;

/** What such a directory is to hold; terms and indexes as given, sensible or not. */
export interface GoContent {
  readonly entries: readonly Entry[];
  /** Indexes of snapshots, of term 5. */
  readonly snapshots?: readonly number[];
  /** Left out where undefined. */
  readonly currentTerm?: number;
  readonly lastVoteTerm?: number;
  readonly lastVoteCandidate?: string;
}

/** A command entry of `bytes` pseudo-random bytes. */
export function command(index: number, term: number, bytes = 40): Entry {
  const data = new Uint8Array(bytes);
  for (let at = 0, state = index * 2654435761 + term; at < bytes; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[at] = state >>> 24;
  }
  return { index, term, type: EntryType.command, data, extensions: null, appendedAt: goTimeFromUnixMs(index) };
}

export function commands(first: number, last: number, term = 1, bytes = 40): Entry[] {
  return Array.from({ length: last - first + 1 }, (_, at) => command(first + at, term, bytes));
}

/** A snapshot with a payload that a state machine can read. */
export function snapshotAt(index: number, term: number): Snapshot {
  const folder = join(unpack('with-snapshot'), 'snapshots');
  const found = readSnapshot(folder, listSnapshots(folder)[0] ?? '');
  if (found.kind !== 'valid') throw new Error(found.problem);
  return { ...found.snapshot, meta: { ...found.snapshot.meta, index, term } };
}

/** Writes the directory; it goes away with the test. */
export function goDirectory(content: GoContent): string {
  const directory = join(temporaryDirectory(), 'n1');
  mkdirSync(directory);
  const log = new BoltWriter(join(directory, 'raft-log.db'));
  for (const entry of content.entries) log.add(key(entry.index), encodeEntry(entry));
  log.finish('logs', { conf: [] });
  log[Symbol.dispose]();
  const values: [string, Uint8Array | undefined][] = [
    ['CurrentTerm', content.currentTerm === undefined ? undefined : key(content.currentTerm)],
    ['LastVoteCand', content.lastVoteCandidate === undefined ? undefined : text(content.lastVoteCandidate)],
    ['LastVoteTerm', content.lastVoteTerm === undefined ? undefined : key(content.lastVoteTerm)],
  ];
  const stable = new BoltWriter(join(directory, 'raft-stable.db'));
  stable.finish('logs', {
    conf: values.flatMap(([name, value]) => (value === undefined ? [] : [[text(name), value] as const])),
  });
  stable[Symbol.dispose]();
  mkdirSync(join(directory, 'snapshots'));
  for (const index of content.snapshots ?? [])
    writeSnapshot(join(directory, 'snapshots'), snapshotAt(index, SNAPSHOT_TERM), 1);
  return directory;
}

function key(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}
