/**
 * Writes a store of ours as op-conductor would have it: raft-log.db, raft-stable.db and a snapshot. The
 * bytes of entries are those of the wire; a rollback entry is one that Go's state machine refuses and skips.
 */
import { join } from 'node:path';
import { assert } from '#conductor/core/assert';
import type { LogStore, StoredState } from '#conductor/core/ports';
import type { HardState } from '#conductor/core/raft/types';
import { encodeEntry } from '#conductor/core/wire/entry';
import { syncDirectory } from '#conductor/adapters/sqlite/directory';
import { BoltWriter } from './bolt-writer.ts';
import type { CopyProgress } from './go-directory.ts';
import { logFileName, snapshotsName, stableFileName } from './layout.ts';
import { writeSnapshot } from './snapshot-files.ts';

/** Entries in memory at a time, as data (at least one). */
const BATCH_BYTES = 8 * 1024 * 1024;
/** For a vote whose candidate is not known: no address, so Go grants that term to nobody. An empty one would count as no vote. */
const NOBODY = 'nobody';

/** Writes into an existing empty folder; yields after each batch, and everything is durable at the end. Throws StoreError and errors of the file system. */
export function* writeGoFiles(
  folder: string,
  store: LogStore,
  state: StoredState,
  unixMs: number,
): Generator<CopyProgress> {
  assert(state.hardState !== null, 'a store that was never written to is not exported');
  yield* writeLog(join(folder, logFileName), store, state);
  writeStable(join(folder, stableFileName), state.hardState);
  const data = store.readSnapshot();
  if (state.snapshot !== null && data !== null)
    writeSnapshot(join(folder, snapshotsName), { meta: state.snapshot, data }, unixMs);
  syncDirectory(folder);
}

function* writeLog(path: string, store: LogStore, { entries }: StoredState): Generator<CopyProgress> {
  using writer = new BoltWriter(path);
  const last = entries.at(-1)?.index ?? 0;
  let bytes = 0;
  for (let next = entries[0]?.index ?? 1; next <= last;) {
    for (const entry of store.read(next, last, BATCH_BYTES)) {
      writer.add(bigEndian(entry.index), encodeEntry(entry));
      bytes += entry.data?.length ?? 0;
      next = entry.index + 1;
    }
    yield { index: next - 1, last, bytes };
  }
  writer.finish('logs', { conf: [] });
}

function writeStable(path: string, { term, votedTerm, votedFor }: HardState): void {
  const values: [string, Uint8Array][] = [['CurrentTerm', bigEndian(term)]];
  if (votedTerm > 0) {
    const candidate = votedFor === null || votedFor.address === '' ? NOBODY : votedFor.address;
    values.push(['LastVoteCand', new TextEncoder().encode(candidate)], ['LastVoteTerm', bigEndian(votedTerm)]);
  }
  using writer = new BoltWriter(path);
  const conf = values.map(([key, value]) => [new TextEncoder().encode(key), value] as const);
  writer.finish('logs', { conf });
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
