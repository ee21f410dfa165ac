/**
 * A program that writes to a store as a busy leader does and prints what it measured as one line
 * of JSON. Run by path, in a process of its own so that its memory is the store's: by the tests of
 * growth and memory beside it and by bench/micro/store.ts.
 * Usage: bun workload.ts '{"directory": "...", "entries": 1000, ...}'
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEntry } from '#conductor/core/ports';
import type { HardState, Snapshot } from '#conductor/core/raft/types';
import { openStore, type SqliteStore } from '../store.ts';

/** Where this program is. */
export const workloadPath = import.meta.filename;

/** What to write. */
export interface Workload {
  readonly directory: string;
  readonly entries: number;
  readonly entryBytes: number;
  /** Entries per transaction. */
  readonly batch: number;
  /** Entries kept behind a snapshot, and how many are written between snapshots. */
  readonly keep: number;
  readonly compactEvery: number;
  /** Call maintain() after every write, as a host does when nothing else is pending. */
  readonly maintain: boolean;
}

/** Milliseconds at the median, the 99th percentile and the worst. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What came of it. */
export interface WorkloadResult {
  readonly write: Spread;
  readonly maintain: Spread;
  readonly totalMs: number;
  readonly databaseBytesMax: number;
  readonly walBytesMax: number;
  readonly residentBytes: number;
  /** Opening the store again and loading it. */
  readonly openMs: number;
  readonly loadedEntries: number;
}

const serverId = 'workload';
const hardState: HardState = {
  term: 1,
  votedTerm: 1,
  votedFor: { id: serverId, address: 'localhost:1' },
  recovering: false,
};
const appendedAt = new Uint8Array(15).fill(7);
const summary = new Uint8Array(96).fill(9);
const sizeProbeEvery = 64;

function run(workload: Workload): WorkloadResult {
  const store = openStore({ directory: workload.directory, serverId });
  store.load();
  store.write({ hardState });
  const writes: number[] = [];
  const maintenance: number[] = [];
  let databaseBytesMax = 0;
  let walBytesMax = 0;
  const noise = new Uint8Array(workload.entryBytes + 4096);
  for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));
  const started = performance.now();
  for (let next = 1; next <= workload.entries; next += workload.batch) {
    const entries = Array.from({ length: workload.batch }, (_, offset) =>
      entryAt(next + offset, noise, workload.entryBytes),
    );
    writes.push(timed(() => store.write({ entries })));
    const last = next + workload.batch - 1;
    if (Math.floor(last / workload.compactEvery) > Math.floor((next - 1) / workload.compactEvery)) {
      writes.push(timed(() => compact(store, last, workload.keep)));
    }
    if (workload.maintain) maintenance.push(timed(() => store.maintain()));
    if (writes.length % sizeProbeEvery === 0) {
      const path = join(workload.directory, 'conductor.db');
      databaseBytesMax = Math.max(databaseBytesMax, statSync(path).size);
      walBytesMax = Math.max(walBytesMax, statSync(`${path}-wal`).size);
    }
  }
  const totalMs = performance.now() - started;
  const residentBytes = process.memoryUsage().rss;
  store.close();
  let loadedEntries = 0;
  const openMs = timed(() => {
    const again = openStore({ directory: workload.directory, serverId });
    loadedEntries = again.load().entries.length;
    again.close();
  });
  return {
    write: spread(writes),
    maintain: spread(maintenance),
    totalMs,
    databaseBytesMax,
    walBytesMax,
    residentBytes,
    openMs,
    loadedEntries,
  };
}

function entryAt(index: number, noise: Uint8Array, bytes: number): StoredEntry {
  const data = noise.subarray(index % 4096, (index % 4096) + bytes);
  return { entry: { index, term: 1, type: 0, data, extensions: null, appendedAt }, summary };
}

function compact(store: SqliteStore, last: number, keep: number): void {
  const configuration = {
    index: 1,
    configuration: { servers: [{ id: serverId, address: 'localhost:1', suffrage: 0 as const }] },
  };
  const data = new Uint8Array(1000);
  const snapshot: Snapshot = { meta: { index: last, term: 1, configuration, size: data.length }, data };
  store.write({ snapshot, compactThrough: Math.max(0, last - keep) });
}

function timed(action: () => void): number {
  const started = Bun.nanoseconds();
  action();
  return (Bun.nanoseconds() - started) / 1e6;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

if (import.meta.main) console.log(JSON.stringify(run(JSON.parse(process.argv[2] ?? '{}') as Workload)));
