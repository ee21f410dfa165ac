/**
 * SQLite's write-ahead log: how much of it waits to be copied back, copying it, and a check that
 * SQLite does not make. A damaged frame ends its recovery silently, as a torn last transaction
 * does; but every commit is synced before the next begins, so a crash leaves at most one commit
 * behind the last valid frame. Two of them mean that acknowledged votes or entries became unreadable.
 * Format: sqlite.org/fileformat2.html, section 4.1.
 */
import type { Database, Statement } from 'bun:sqlite';
import { existsSync, fstatSync, fsyncSync, ftruncateSync, readSync } from 'node:fs';
import { openFile } from '#conductor/adapters/system/open-file';
import { addLogNumbers, keepLog, leaveUnchanged, readLogNumber, writeLogNumber } from './log-number.ts';
import { StoreError, restoreAdvice } from './store-error.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;
/** Where the two salts lie, in the header and in each frame. */
const headerSaltOffset = 16;
const frameSaltOffset = 8;
const saltBytes = 8;
/** Where the header has the page size, and its checksum. */
const pageSizeOffset = 8;
const checksumOffset = 24;
/** With which a header begins; the last bit says in which order of bytes sums are made. */
const headerMark = 0x377f0682;
/** Page count of the database in a commit frame, 0 in others. */
const commitOffset = 4;
const commitsLostInCrashMax = 1;
/**
 * Small entries write the same pages again and again: they fill the log thirty times as fast as they fill pages that
 * must be copied back. Until entries of `freshBytesMin` have come, or the log has this many bytes, nothing is: else
 * one commit of a kilobyte in thirty would wait for a checkpoint's two syncs.
 */
const walBytesSmallEntries = 6 * 1024 * 1024;
const freshBytesMin = 512 * 1024;
/** A larger file (after a huge entry) is cut back to this when it is begun anew. */
const walFileBytesMax = 16 * 1024 * 1024;

/** Before anything is written: throws StoreError 'corrupt' where the log was lost, or is not the database's own. */
export function checkLog(database: Database, walPath: string): void {
  const number = readLogNumber(database);
  if (number === null) throw strangeLog(walPath);
  if ((number ?? 0) > 0 && walHeader(walPath) === null) throw lostLog(walPath);
}

/**
 * Checks what recovery left out of the log. Then copies it back and empties it, so that no stale frame outlives this open
 * and the database can do without it. A store without numbers gets them, and `format` with them. Throws StoreError 'corrupt'.
 */
export function recoverWal(database: Database, walPath: string, format: number): void {
  using wal = new WriteAheadLog(database, walPath);
  const { frames } = wal.progress();
  const lost = countCommitsBehind(walPath, frames, wal.pageBytes);
  if (lost > commitsLostInCrashMax) {
    throw new StoreError(
      'corrupt',
      `${walPath} is damaged before its end: ${lost} acknowledged writes behind the damage cannot be read, votes may be among them. ${restoreAdvice}`,
    );
  }
  // What a crash left there is of the same log: with one more torn commit before it, it would look like damage.
  wal.cutTo(0);
  wal.copyBack();
  if (readLogNumber(database) === undefined) addLogNumbers(database, format);
  wal.release();
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
}

/**
 * Open databases that say that they have a log. When the process ends, Bun copies back and empties the log of whatever is
 * still open, and an empty log would count as lost: they are left as if it had been killed.
 */
const needed = new Set<Database>();
process.on('exit', () => {
  for (const database of needed) leaveUnchanged(database);
});

/** The log of an open database. */
export class WriteAheadLog implements Disposable {
  readonly pageBytes: number;
  readonly #database: Database;
  readonly #path: string;
  readonly #checkpoint: Statement;
  readonly #progress: Statement;
  /** Of entries, since the last copy back. */
  #freshBytes = 0;
  /** The present log has its number. */
  #isBegun = false;

  /** `path` is the log's. */
  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    using pageSize = database.prepare('PRAGMA page_size');
    this.pageBytes = pageSize.values()[0]?.[0] as number;
    this.#checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.#progress = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /** Valid frames in the file, and how many of them are copied back. */
  progress(): { readonly frames: number; readonly copied: number } {
    const [, frames, copied] = this.#progress.values()[0] as [number, number, number];
    return { frames, copied };
  }

  /** Bytes of an entry that was written. */
  wrote(bytes: number): void {
    this.#freshBytes += bytes;
  }

  /** Whether more than so many bytes are not yet copied back, or than is borne of small entries; costs 2 µs. */
  isAbove(bytes: number): boolean {
    const { frames, copied } = this.progress();
    const isOfSmallEntries = this.#freshBytes < freshBytesMin;
    return (frames - copied) * this.pageBytes > (isOfSmallEntries ? walBytesSmallEntries : bytes);
  }

  /** Copies everything back and syncs the database; the next write begins the file again. */
  copyBack(): void {
    this.#checkpoint.values();
    this.#freshBytes = 0;
    this.#isBegun = false;
  }

  /** Before every transaction: from the first one on the database itself says that it has a log. */
  need(): void {
    if (needed.has(this.#database)) return;
    keepLog(this.#database, true);
    needed.add(this.#database);
    this.#raiseNumber();
    this.copyBack();
  }

  /** Within every transaction: the first one of a log writes its number. */
  begin(): void {
    if (!this.#isBegun) this.#raiseNumber();
  }

  /** After every commit. */
  committed(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.cutTo(walFileBytesMax);
  }

  /** From here on nothing is missing without the log, and SQLite may remove it. The number is copied back last. */
  release(): void {
    this.copyBack();
    const number = readLogNumber(this.#database) ?? NaN;
    if (number > 0) writeLogNumber(this.#database, -number);
    keepLog(this.#database, false);
  }

  /** The last use of an open database. Where the disk is full the log stays, and the next open copies it back. */
  end(): void {
    try {
      this.release();
    } catch {
      keepLog(this.#database, true);
    }
  }

  #raiseNumber(): void {
    writeLogNumber(this.#database, Math.abs(readLogNumber(this.#database) ?? NaN) + 1);
  }

  /** Takes from the file what lies behind so many bytes and behind its last valid frame. */
  cutTo(bytes: number): void {
    if (!existsSync(this.#path)) return;
    const valid = headerBytes + this.progress().frames * (frameHeaderBytes + this.pageBytes);
    using file = openFile(this.#path, 'r+');
    if (fstatSync(file.descriptor).size <= Math.max(bytes, valid)) return;
    ftruncateSync(file.descriptor, Math.max(bytes, valid));
    fsyncSync(file.descriptor);
  }

  [Symbol.dispose](): void {
    needed.delete(this.#database);
    this.#checkpoint.finalize();
    this.#progress.finalize();
  }
}

/** The header, which is another one whenever the file is begun anew; null while there is none that SQLite takes for one. */
export function walHeader(walPath: string): Uint8Array | null {
  if (!existsSync(walPath)) return null;
  using file = openFile(walPath, 'r');
  const header = new Uint8Array(headerBytes);
  return readSync(file.descriptor, header, 0, headerBytes, 0) === headerBytes && isHeader(header) ? header : null;
}

function isHeader({ buffer }: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(buffer);
  const mark = view.getUint32(0);
  const isLittleEndian = mark === headerMark;
  let [one, other] = [0, 0];
  for (let at = 0; at < checksumOffset; at += 8) {
    one = (one + view.getUint32(at, isLittleEndian) + other) >>> 0;
    other = (other + view.getUint32(at + 4, isLittleEndian) + one) >>> 0;
  }
  const isSummed = view.getUint32(checksumOffset) === one && view.getUint32(checksumOffset + 4) === other;
  return (mark & ~1) === headerMark && isSummed;
}

/**
 * Bytes of a file that another process may be writing, up to its first frame that is not of the present generation:
 * frames are written in order, so all but the last of them are whole.
 */
export function presentBytes(walPath: string): number {
  const header = walHeader(walPath);
  if (header === null) return 0;
  const stride = frameHeaderBytes + new DataView(header.buffer).getUint32(pageSizeOffset);
  const salts = header.subarray(headerSaltOffset, headerSaltOffset + saltBytes);
  using file = openFile(walPath, 'r');
  const size = fstatSync(file.descriptor).size;
  const frame = new Uint8Array(frameHeaderBytes);
  let at = headerBytes;
  for (; at + stride <= size; at += stride) {
    readSync(file.descriptor, frame, 0, frameHeaderBytes, at);
    if (!salts.every((byte, offset) => frame[frameSaltOffset + offset] === byte)) break;
  }
  return at;
}

function lostLog(walPath: string): StoreError {
  return new StoreError(
    'corrupt',
    `${walPath} is gone, empty or without its header, and it held votes and entries that its database does not: this server could vote twice. Put that very file back if it is still somewhere. ${restoreAdvice}`,
  );
}

function strangeLog(walPath: string): StoreError {
  return new StoreError(
    'corrupt',
    `${walPath} and its database are of different moments; together they are neither, and votes are missing. Put back the two files that belong together. ${restoreAdvice}`,
  );
}

/** Commit frames of the present generation of the file that lie behind its valid frames. */
function countCommitsBehind(walPath: string, validFrames: number, pageBytes: number): number {
  if (!existsSync(walPath)) return 0;
  using file = openFile(walPath, 'r');
  const { descriptor } = file;
  const size = fstatSync(descriptor).size;
  const header = new Uint8Array(headerBytes);
  const frame = new Uint8Array(frameHeaderBytes);
  if (readSync(descriptor, header, 0, headerBytes, 0) < headerBytes) return 0;
  const salts = header.subarray(headerSaltOffset, headerSaltOffset + saltBytes);
  const stride = frameHeaderBytes + pageBytes;
  let commits = 0;
  for (let at = headerBytes + validFrames * stride; at + stride <= size; at += stride) {
    readSync(descriptor, frame, 0, frameHeaderBytes, at);
    const isPresent = salts.every((byte, offset) => frame[frameSaltOffset + offset] === byte);
    if (isPresent && new DataView(frame.buffer).getUint32(commitOffset) !== 0) commits += 1;
  }
  return commits;
}
