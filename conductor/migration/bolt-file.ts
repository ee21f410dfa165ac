/**
 * Reads a bolt file that nobody vouches for: its buckets and their keys in order, values on demand. Every
 * offset is checked, every page is visited at most once and must not be free (so there are no cycles, and
 * a copy taken while the file was written is found out), keys must ascend over the whole bucket.
 */
import {
  BUCKET_FLAG,
  BUCKET_HEADER_BYTES,
  ELEMENT_BYTES,
  PAGE_HEADER_BYTES,
  PageFlag,
  readMeta,
  type BoltMeta,
} from './bolt-format.ts';
import { bytesSource, type ByteSource } from './byte-source.ts';
import { MigrationError } from './migration-error.ts';
import { PageSet } from './page-set.ts';

/** bbolt's own bound on keys. */
const KEY_BYTES_MAX = 32_768;
/** An inline bucket is smaller than a page. */
const INLINE_BYTES_MAX = 64 * 1024;
/** bbolt keeps at least two children per branch: more levels than this need more pages than there are. */
const DEPTH_MAX = 48;
const PAGES_MAX = 2 ** 31;
/** A page's element count that says: the first of the list is the count. */
const COUNT_OVERFLOW = 0xffff;

/** A key of a bucket. Values lie in the file until asked for. */
export interface BoltItem {
  readonly key: Uint8Array;
  readonly valueBytes: number;
  /** A copy; throws MigrationError. */
  value(): Uint8Array;
}

interface Page {
  readonly source: ByteSource;
  /** Offset and length of the page with its overflow. */
  readonly at: number;
  readonly bytes: number;
  readonly flags: number;
  readonly count: number;
}

interface Leaf extends BoltItem {
  readonly isBucket: boolean;
}

export class BoltFile {
  readonly meta: BoltMeta;
  readonly #source: ByteSource;
  readonly #free: PageSet;

  /** Throws MigrationError 'damaged' if this is no bolt file. */
  constructor(source: ByteSource) {
    this.#source = source;
    this.meta = readMeta(source);
    const pages = Math.floor(source.size / this.meta.pageBytes);
    if (!(this.meta.highWater <= pages && pages < PAGES_MAX))
      throw this.#damage(`says it has ${this.meta.highWater} pages, but only ${pages} are there: it was cut short`);
    this.#free = this.#readFreelist();
  }

  /** Keys of a top-level bucket in ascending order; null if there is no such bucket. Throws MigrationError, also while iterating. */
  bucket(name: string): Iterable<BoltItem> | null {
    const wanted = new TextEncoder().encode(name);
    for (const leaf of this.#walk(this.meta.root)) {
      if (compare(leaf.key, wanted) !== 0) continue;
      if (!leaf.isBucket) throw this.#damage(`has the key ${name} where its bucket should be`);
      return this.#items(name, leaf);
    }
    return null;
  }

  *#items(name: string, holder: Leaf): Generator<BoltItem> {
    for (const leaf of this.#bucketLeaves(holder)) {
      if (leaf.isBucket) throw this.#damage(`has a bucket inside the bucket ${name}`);
      yield leaf;
    }
  }

  #bucketLeaves(holder: Leaf): Generator<Leaf> {
    if (holder.valueBytes < BUCKET_HEADER_BYTES || holder.valueBytes > INLINE_BYTES_MAX)
      throw this.#damage(`has a bucket header of ${holder.valueBytes} bytes`);
    const value = holder.value();
    const root = Number(new DataView(value.buffer).getBigUint64(0, true));
    if (root !== 0) return this.#walk(root);
    const inline = bytesSource(this.#source.name, value.slice(BUCKET_HEADER_BYTES));
    return this.#leaves(this.#parse(inline, 0, inline.size));
  }

  /** All leaf elements under a page. */
  *#walk(root: number): Generator<Leaf> {
    const visited = new PageSet(this.meta.highWater, this.#free);
    const stack: Iterator<number>[] = [[root].values()];
    let previous: Uint8Array | null = null;
    for (let children = stack.at(-1); children !== undefined; children = stack.at(-1)) {
      const next = children.next();
      if (next.done === true) {
        stack.pop();
        continue;
      }
      const page = this.#page(next.value, visited);
      if (page.flags === PageFlag.branch) {
        if (stack.length >= DEPTH_MAX) throw this.#damage(`is more than ${DEPTH_MAX} levels deep`);
        stack.push(this.#children(page));
        continue;
      }
      if (page.flags !== PageFlag.leaf) throw this.#damage(`has no data on page ${next.value} (kind ${page.flags})`);
      for (const leaf of this.#leaves(page)) {
        if (previous !== null && compare(previous, leaf.key) >= 0) throw this.#damage(`has keys out of order`);
        previous = leaf.key;
        yield leaf;
      }
    }
  }

  #page(id: number, visited: PageSet): Page {
    const { pageBytes, highWater } = this.meta;
    if (!(id >= 2 && id < highWater)) throw this.#damage(`refers to page ${id} of ${highWater}`);
    const page = this.#parse(this.#source, id * pageBytes, pageBytes);
    const first = this.#source.read(page.at, PAGE_HEADER_BYTES);
    const view = new DataView(first.buffer);
    const overflow = view.getUint32(12, true);
    if (view.getBigUint64(0, true) !== BigInt(id)) throw this.#damage(`has another page where page ${id} should be`);
    if (id + overflow >= highWater) throw this.#damage(`has page ${id} reach beyond its end`);
    for (let at = id; at <= id + overflow; at += 1)
      if (!visited.add(at)) throw this.#damage(`uses page ${at} twice, or though it is free`);
    return { ...page, bytes: (overflow + 1) * pageBytes };
  }

  #parse(source: ByteSource, at: number, bytes: number): Page {
    const view = new DataView(source.read(at, PAGE_HEADER_BYTES).buffer);
    return { source, at, bytes, flags: view.getUint16(8, true), count: view.getUint16(10, true) };
  }

  *#children(page: Page): Generator<number> {
    for (let at = 0; at < page.count; at += 1) {
      const view = new DataView(this.#element(page, at).buffer);
      yield Number(view.getBigUint64(8, true));
    }
  }

  *#leaves(page: Page): Generator<Leaf> {
    for (let at = 0; at < page.count; at += 1) {
      const view = new DataView(this.#element(page, at).buffer);
      const flags = view.getUint32(0, true);
      const keyBytes = view.getUint32(8, true);
      const valueBytes = view.getUint32(12, true);
      const keyAt = PAGE_HEADER_BYTES + at * ELEMENT_BYTES + view.getUint32(4, true);
      if (keyBytes > KEY_BYTES_MAX || keyAt + keyBytes + valueBytes > page.bytes)
        throw this.#damage(`has an element that reaches beyond its page`);
      const { source } = page;
      yield {
        key: source.read(page.at + keyAt, keyBytes),
        valueBytes,
        isBucket: (flags & BUCKET_FLAG) !== 0,
        value: () => source.read(page.at + keyAt + keyBytes, valueBytes),
      };
    }
  }

  #element(page: Page, at: number): Uint8Array {
    const offset = PAGE_HEADER_BYTES + at * ELEMENT_BYTES;
    if (offset + ELEMENT_BYTES > page.bytes) throw this.#damage(`has more elements than fit a page`);
    return page.source.read(page.at + offset, ELEMENT_BYTES);
  }

  #readFreelist(): PageSet {
    const { highWater, freelist } = this.meta;
    const free = new PageSet(highWater);
    if (freelist === null) return free;
    const page = this.#page(freelist, new PageSet(highWater));
    if (page.flags !== PageFlag.freelist) throw this.#damage(`has no list of free pages on page ${freelist}`);
    const isLong = page.count === COUNT_OVERFLOW;
    const begin = page.at + PAGE_HEADER_BYTES;
    const count = isLong ? Number(new DataView(this.#source.read(begin, 8).buffer).getBigUint64(0, true)) : page.count;
    const skipped = isLong ? 8 : 0;
    if (PAGE_HEADER_BYTES + skipped + count * 8 > page.bytes)
      throw this.#damage(`has a list of free pages that is too long`);
    for (let at = 0; at < count; at += 1) {
      const id = Number(new DataView(this.#source.read(begin + skipped + at * 8, 8).buffer).getBigUint64(0, true));
      if (!(id >= 2 && id < highWater)) throw this.#damage(`lists page ${id} of ${highWater} as free`);
      free.add(id);
    }
    return free;
  }

  #damage(what: string): MigrationError {
    return new MigrationError(
      'damaged',
      `${this.#source.name} ${what}; it is damaged, or was copied while it was written.`,
    );
  }
}

function compare(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}
