/**
 * The numbers of a bolt file (bbolt's format version 2) and its meta pages. Everything is little-endian.
 * A page begins with id u64, flags u16, count u16, overflow u32; pages 0 and 1 are metas, each under an
 * FNV-1a checksum, of which the valid one with the higher transaction id counts.
 */
import type { ByteSource } from './byte-source.ts';
import { MigrationError } from './migration-error.ts';

export const PAGE_HEADER_BYTES = 16;
/** Header of a branch or leaf element. */
export const ELEMENT_BYTES = 16;
/** In front of a bucket's value: root page u64, sequence u64. */
export const BUCKET_HEADER_BYTES = 16;

export const PageFlag = { branch: 1, leaf: 2, meta: 4, freelist: 16 } as const;
/** Of a leaf element whose value is a bucket. */
export const BUCKET_FLAG = 1;

const MAGIC = 0xed0cdaed;
/** Stands where MAGIC was in a file that has been taken over: bolt refuses it, and it can be told from damage. */
const UNMARKED = 0xed0cdead;
const VERSION = 2;
const META_BYTES = 64;
const PAGE_SIZE_AT = 8;
const CHECKSUM_AT = 56;
/** Sizes that bbolt tries when the first meta is unreadable. */
const PAGE_BYTES_MIN = 1024;
const PAGE_BYTES_MAX = 64 * 1024;
/** A file that was written without its list of free pages. */
const NO_FREELIST = 0xffff_ffff_ffff_ffffn;

/** The state of a bolt file after a transaction. */
export interface BoltMeta {
  readonly pageBytes: number;
  /** Page of the root bucket. */
  readonly root: number;
  /** Page of the free list; null where it was not written. */
  readonly freelist: number | null;
  /** Pages with this number and above do not exist. */
  readonly highWater: number;
  readonly transaction: number;
}

/** The meta that counts; throws MigrationError 'damaged' when neither is valid. */
export function readMeta(source: ByteSource): BoltMeta {
  const best = newestFirst(source).find(({ meta }) => meta !== null)?.meta;
  if (!best)
    throw new MigrationError('damaged', `${source.name} is no bolt file, or both of its meta pages are damaged.`);
  return best;
}

/** By its magic numbers alone: a bolt file, one that `retirement` was applied to, or neither. */
export function boltKind(source: ByteSource): 'bolt' | 'unmarked' | 'other' {
  const words = metaOffsets(source).map((at) => word(source, at));
  if (words.includes(MAGIC)) return 'bolt';
  return words.includes(UNMARKED) ? 'unmarked' : 'other';
}

/**
 * What makes bolt refuse the file for good: bytes to put at each offset, made durable one by one in this
 * order, so that a crash in between does not leave an older transaction as the valid one.
 */
export function retirement(source: ByteSource): { readonly offsets: readonly number[]; readonly bytes: Uint8Array } {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, UNMARKED, true);
  return {
    offsets: newestFirst(source)
      .map(({ at }) => at)
      .toReversed(),
    bytes,
  };
}

/** A meta page's content with its checksum. */
export function encodeMeta(meta: BoltMeta): Uint8Array {
  const bytes = new Uint8Array(META_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(PAGE_SIZE_AT, meta.pageBytes, true);
  view.setBigUint64(16, BigInt(meta.root), true);
  view.setBigUint64(32, meta.freelist === null ? NO_FREELIST : BigInt(meta.freelist), true);
  view.setBigUint64(40, BigInt(meta.highWater), true);
  view.setBigUint64(48, BigInt(meta.transaction), true);
  view.setBigUint64(CHECKSUM_AT, fnv64a(bytes.subarray(0, CHECKSUM_AT)), true);
  return bytes;
}

function newestFirst(source: ByteSource): { readonly at: number; readonly meta: BoltMeta | null }[] {
  const metas = metaOffsets(source).map((at) => ({ at, meta: parseMeta(source.read(at, META_BYTES)) }));
  return metas.toSorted((a, b) => (b.meta?.transaction ?? -1) - (a.meta?.transaction ?? -1));
}

/** Where the metas are: on the first page, and on the second, which an unreadable first one leaves to be searched. */
function metaOffsets(source: ByteSource): number[] {
  const isThere = (at: number): boolean => at + META_BYTES <= source.size;
  if (!isThere(PAGE_HEADER_BYTES)) return [];
  const first = parseMeta(source.read(PAGE_HEADER_BYTES, META_BYTES));
  for (let pageBytes = first?.pageBytes ?? PAGE_BYTES_MIN; pageBytes <= PAGE_BYTES_MAX; pageBytes *= 2) {
    const at = pageBytes + PAGE_HEADER_BYTES;
    if (!isThere(at)) break;
    const magic = word(source, at);
    const isMeta = (magic === MAGIC || magic === UNMARKED) && word(source, at + PAGE_SIZE_AT) === pageBytes;
    if (first !== null || isMeta) return [PAGE_HEADER_BYTES, at];
  }
  return [PAGE_HEADER_BYTES];
}

function word(source: ByteSource, at: number): number {
  return new DataView(source.read(at, 4).buffer).getUint32(0, true);
}

function parseMeta(bytes: Uint8Array): BoltMeta | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, META_BYTES);
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== VERSION) return null;
  if (view.getBigUint64(CHECKSUM_AT, true) !== fnv64a(bytes.subarray(0, CHECKSUM_AT))) return null;
  const pageBytes = view.getUint32(PAGE_SIZE_AT, true);
  const isPower = (pageBytes & (pageBytes - 1)) === 0;
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX || !isPower) return null;
  const freelist = view.getBigUint64(32, true);
  return {
    pageBytes,
    root: Number(view.getBigUint64(16, true)),
    freelist: freelist === NO_FREELIST ? null : Number(freelist),
    highWater: Number(view.getBigUint64(40, true)),
    transaction: Number(view.getBigUint64(48, true)),
  };
}

function fnv64a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
