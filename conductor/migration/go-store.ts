/**
 * What raft-boltdb v2 keeps in a bolt file: the bucket `logs` with one msgpack entry per index, and the
 * bucket `conf` with term and vote. op-conductor has one file for each, both with both buckets.
 */
import { EntryType, type Entry } from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { decodeEntry } from '#conductor/core/wire/entry';
import { WireError } from '#conductor/core/wire/wire-error';
import type { BoltFile, BoltItem } from './bolt-file.ts';
import { logFileName, stableFileName } from './layout.ts';
import { MigrationError, wipeAdvice } from './migration-error.ts';

const INDEX_BYTES = 8;
/** A stored entry beside its data: times, numbers, keys. Its data is bounded when it is decoded. */
const ENTRY_BYTES_MAX = 72 * 1024 * 1024;
const CANDIDATE_BYTES_MAX = 64 * 1024;

export interface StableValues {
  /** 0 where Go never wrote one. */
  readonly currentTerm: number;
  readonly lastVoteTerm: number;
  /** The address voted for, as bytes; null where Go never wrote one. */
  readonly lastVoteCandidate: Uint8Array | null;
}

/** Indexes of the log's last run without a gap, ascending; empty when last < first. */
export interface LogRun {
  readonly first: number;
  readonly last: number;
  /** Entries before a gap, which are not part of the run. */
  readonly before: number;
}

/**
 * Both files have both buckets, and op-conductor uses one in each: content in the other means that the
 * files have changed places or are copies of one. Throws MigrationError.
 */
export function refuseSwapped(log: BoltFile, stable: BoltFile): void {
  const strays: readonly [BoltFile, string, string, string][] = [
    [stable, 'logs', stableFileName, 'log entries'],
    [log, 'conf', logFileName, 'terms or votes'],
  ];
  for (const [file, bucket, name, what] of strays) {
    for (const _ of file.bucket(bucket) ?? [])
      throw new MigrationError(
        'inconsistent',
        `${name} holds ${what}, which op-conductor keeps in the other file: ${logFileName} and ${stableFileName} have changed places, or one was copied over the other. Give them their own names. ${wipeAdvice}`,
      );
  }
}

/** Throws MigrationError. */
export function readStable(file: BoltFile, name: string): StableValues {
  const values = new Map<string, Uint8Array>();
  for (const item of bucketOf(file, 'conf', name)) {
    if (item.valueBytes > CANDIDATE_BYTES_MAX) throw damage(name, `a setting of ${item.valueBytes} bytes`);
    values.set(Buffer.from(item.key).toString('latin1'), item.value());
  }
  const numberOf = (key: string): number => {
    const bytes = values.get(key);
    return bytes === undefined ? 0 : readIndex(bytes, `${name} (${key})`);
  };
  return {
    currentTerm: numberOf('CurrentTerm'),
    lastVoteTerm: numberOf('LastVoteTerm'),
    lastVoteCandidate: values.get('LastVoteCand') ?? null,
  };
}

/** Looks at keys only. Throws MigrationError. */
export function findRun(file: BoltFile, name: string): LogRun {
  let run: LogRun = { first: 1, last: 0, before: 0 };
  let count = 0;
  for (const item of bucketOf(file, 'logs', name)) {
    const index = readIndex(item.key, name);
    const continues = count > 0 && index === run.last + 1;
    run = continues ? { ...run, last: index } : { first: index, last: index, before: count };
    count += 1;
  }
  return run;
}

/** Entries from `first` on, one at a time. Throws MigrationError, also while iterating. */
export function* readEntries(file: BoltFile, name: string, first: number): Generator<Entry> {
  for (const item of bucketOf(file, 'logs', name)) {
    const index = readIndex(item.key, name);
    if (index >= first) yield readEntry(item, index, name);
  }
}

function readEntry(item: BoltItem, index: number, name: string): Entry {
  if (item.valueBytes > ENTRY_BYTES_MAX) throw damage(name, `entry ${index} of ${item.valueBytes} bytes`);
  const entry = decoded(() => decodeEntry(item.value()), `entry ${index}`, name);
  if (entry.index !== index) throw damage(name, `entry ${entry.index} under the key of entry ${index}`);
  const { type } = entry;
  if (type === EntryType.configuration)
    decoded(() => decodeConfiguration(entry.data ?? new Uint8Array()), `the configuration in entry ${index}`, name);
  else if (type !== EntryType.command && type !== EntryType.noop && type !== EntryType.barrier)
    throw new MigrationError('unsuitable', `${name} has entry ${index} of type ${type}, whose meaning is not known.`);
  return entry;
}

function decoded<T>(decode: () => T, what: string, name: string): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new MigrationError('damaged', `${name} holds ${what}, which cannot be read: ${error.message}.`, {
      cause: error,
    });
  }
}

function bucketOf(file: BoltFile, bucket: string, name: string): Iterable<BoltItem> {
  const items = file.bucket(bucket);
  if (items === null) throw damage(name, `no bucket ${bucket}, so it was not written by op-conductor`);
  return items;
}

function readIndex(bytes: Uint8Array, name: string): number {
  const value = bytes.length === INDEX_BYTES ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) : null;
  if (value === null || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw damage(name, `a number of ${bytes.length} bytes that is none`);
  return Number(value);
}

function damage(name: string, what: string): MigrationError {
  return new MigrationError('damaged', `${name} holds ${what}.`);
}
