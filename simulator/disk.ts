/**
 * The disk of one machine: a log store whose transactions take time, can fail, can be lost by a crash before
 * they are durable, and whose cold entries can rot. Nothing of a transaction is ever half there.
 */
import { identityOf } from '#conductor/core/payload/block-summary';
import type { EntrySummary, LogStore, StoredEntry, StoredState, WriteBatch } from '#conductor/core/ports';
import { EntryType, type Entry, type HardState, type Snapshot } from '#conductor/core/raft/types';
import type { Block } from './blocks.ts';

/** What a disk that cannot do its work throws. */
export class DiskError extends Error {
  override readonly name: string = 'DiskError';
}

/** An entry of the log has rotted. */
export class UnreadableEntry extends DiskError {
  override readonly name = 'UnreadableEntry';
  readonly index: number;

  constructor(index: number) {
    super(`the checksum of entry ${index} is wrong`);
    this.index = index;
  }
}

/** Entries come fifty a second at most, each with a write of its own: a server whose writes take longer falls behind. */
const SLOW_MS_MAX = 15;

/** Whether writes succeed, and soon enough for its server to be counted upon. */
export function keepsUp({ failures, extraLatencyMs }: Pick<Disk, 'failures' | 'extraLatencyMs'>): boolean {
  return failures === 0 && extraLatencyMs <= SLOW_MS_MAX;
}

type ReadableLog = Pick<Disk, 'firstIndex' | 'lastIndex' | 'entryAt'>;

/** Hashes of the blocks of the log, from its end. */
function* payloadsOf(disk: ReadableLog): Generator<string> {
  const { firstIndex } = disk;
  for (let index = disk.lastIndex; index >= firstIndex; index--) {
    const entry = disk.entryAt(index);
    const block = entry?.type === EntryType.command ? identityOf(entry.data ?? new Uint8Array()) : null;
    if (block !== null) yield block.hash;
  }
}

/** Whether a block is in the log. */
export function holdsPayload(disk: ReadableLog, { hash }: Pick<Block, 'hash'>): boolean {
  for (const one of payloadsOf(disk)) if (one === hash) return true;
  return false;
}

/** Whether the log goes as far as another one, or holds the newest block of that. */
export function reachesEndOf(disk: ReadableLog, other: ReadableLog): boolean {
  if (disk.lastIndex >= other.lastIndex) return true;
  for (const hash of payloadsOf(other)) return holdsPayload(disk, { hash });
  return true;
}

/** A disk as it was once. */
export interface DiskImage {
  readonly entries: readonly StoredEntry[];
  readonly hardState: HardState | null;
  readonly snapshot: Snapshot | null;
}

export class Disk implements LogStore {
  #entries: StoredEntry[] = [];
  #hardState: HardState | null = null;
  #snapshot: Snapshot | null = null;
  readonly #ever = new Map<number, Entry>();
  readonly #rotten = new Set<number>();
  /** What the process that runs has read of it, by index. */
  readonly #read = new Set<number>();
  /** Added to every write, milliseconds. */
  extraLatencyMs = 0;
  /** What each write asks how long it stalls, milliseconds. */
  readonly stalls = new Set<() => number>();
  /** Faults under way; writes fail while there is one. */
  failures = 0;
  /** Its term and vote, a configuration or its snapshot cannot be read: no process takes it. */
  isUnreadable = false;
  /** Counts how often everything on it was lost, or is as it was long ago. */
  generation = 0;

  get isEmpty(): boolean {
    return this.#hardState === null;
  }

  get firstIndex(): number {
    return this.#entries[0]?.entry.index ?? (this.#snapshot?.meta.index ?? 0) + 1;
  }

  get lastIndex(): number {
    return this.#entries.at(-1)?.entry.index ?? this.#snapshot?.meta.index ?? 0;
  }

  get hardState(): HardState | null {
    return this.#hardState;
  }

  /** The same of an entry that may have been given back behind a snapshot since: for oracles, which come late. */
  everAt(index: number): Entry | null {
    return this.#ever.get(index) ?? null;
  }

  /** The entry at an index; null where there is none. Not a read of the process: rot does not show. */
  entryAt(index: number): Entry | null {
    return this.#entries[index - this.firstIndex]?.entry ?? null;
  }

  /** Whether the process that runs has read the entry at an index. */
  hasRead(index: number): boolean {
    return this.#read.has(index);
  }

  /** Bytes of data in the entries behind that index. */
  bytesBehind(index: number): number {
    let bytes = 0;
    for (const { entry } of this.#entries.slice(Math.max(0, index + 1 - this.firstIndex)))
      bytes += entry.data?.length ?? 0;
    return bytes;
  }

  get snapshotIndex(): number {
    return this.#snapshot?.meta.index ?? 0;
  }

  /** Everything is gone. */
  wipe(): void {
    this.#entries = [];
    this.#hardState = null;
    this.#snapshot = null;
    this.isUnreadable = false;
    this.#ever.clear();
    this.#rotten.clear();
    this.generation++;
  }

  /** All that is on it now, for somebody to put back later. */
  image(): DiskImage {
    return { entries: [...this.#entries], hardState: this.#hardState, snapshot: this.#snapshot };
  }

  /** It is as it was when the image was taken: what was written since is gone, and nobody told. */
  putBack({ entries, hardState, snapshot }: DiskImage): void {
    this.wipe();
    this.#entries = [...entries];
    this.#hardState = hardState;
    this.#snapshot = snapshot;
    for (const { entry } of entries) this.#ever.set(entry.index, entry);
  }

  /** The entry at an index cannot be read any more; false when there is none. */
  rot(index: number): boolean {
    if (this.entryAt(index) === null) return false;
    this.#rotten.add(index);
    return true;
  }

  /** How much longer the next write takes. */
  takeDelayMs(): number {
    let delayMs = this.extraLatencyMs;
    for (const stall of this.stalls) delayMs += stall();
    return delayMs;
  }

  /** The lowest index that cannot be read, as a scrub finds it; null for none. */
  findRot(): number | null {
    let lowest: number | null = null;
    for (const index of this.#rotten) if (lowest === null || index < lowest) lowest = index;
    return lowest;
  }

  load(): StoredState {
    if (this.isUnreadable) throw new DiskError('the checksum of the state is wrong');
    this.#read.clear();
    const entries = this.#entries.map(({ entry, summary }): EntrySummary => {
      const { index, term, type, data } = entry;
      return { index, term, type, size: data?.length ?? 0, summary };
    });
    return { hardState: this.#hardState, snapshot: this.#snapshot?.meta ?? null, entries };
  }

  /** Makes a transaction durable at once; how long that takes is the machine's business. Throws DiskError. */
  write(batch: WriteBatch): void {
    if (this.failures > 0) throw new DiskError('no space left on device');
    const { truncateFrom, entries, compactThrough, snapshot, hardState } = batch;
    if (truncateFrom !== undefined) this.#truncate(truncateFrom);
    for (const stored of entries ?? []) {
      this.#entries.push(stored);
      this.#ever.set(stored.entry.index, stored.entry);
    }
    if (compactThrough !== undefined && this.#entries.length > 0) {
      const through = Math.min(this.#entries.length, compactThrough - this.firstIndex + 1);
      if (through > 0) this.#entries.splice(0, through);
    }
    if (snapshot !== undefined) this.#snapshot = snapshot;
    if (hardState !== undefined) this.#hardState = hardState;
    if (this.#rotten.size > 0) this.#forgetRot();
  }

  /** Throws DiskError when it meets rot. */
  read(from: number, to: number, bytesMax: number): Entry[] {
    const found: Entry[] = [];
    let bytes = 0;
    for (let index = from; index <= to; index++) {
      const entry = this.entryAt(index);
      if (entry === null) break;
      if (this.#rotten.has(index)) {
        if (found.length > 0) break;
        throw new UnreadableEntry(index);
      }
      found.push(entry);
      this.#read.add(index);
      bytes += entry.data?.length ?? 0;
      if (bytes >= bytesMax) break;
    }
    return found;
  }

  readSnapshot(): Uint8Array | null {
    return this.#snapshot?.data ?? null;
  }

  close(): void {}

  #truncate(from: number): void {
    if (from <= this.lastIndex) this.#entries.length = Math.max(0, from - this.firstIndex);
    for (const index of this.#ever.keys()) if (index >= from) this.#ever.delete(index);
    for (const index of this.#rotten) if (index >= from) this.#rotten.delete(index);
    for (const index of this.#read) if (index >= from) this.#read.delete(index);
  }

  #forgetRot(): void {
    for (const index of this.#rotten) if (this.entryAt(index) === null) this.#rotten.delete(index);
  }
}
