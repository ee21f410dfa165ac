/**
 * Writes a new bolt file from keys in ascending order: leaves as they come, branches above them at the end,
 * the metas last, so that a file cut short by a crash has none. Nothing is held but the first
 * key of every page. Elements are packed to whole pages; a large value gets overflow pages.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { assert } from '#conductor/core/assert';
import {
  BUCKET_FLAG,
  BUCKET_HEADER_BYTES,
  ELEMENT_BYTES,
  encodeMeta,
  PAGE_HEADER_BYTES,
  PageFlag,
} from './bolt-format.ts';
import { writeFully } from '#conductor/adapters/system/durable-files';

const PAGE_BYTES = 4096;
/** bbolt wants at least two children of a branch. */
const CHILDREN_MIN = 2;

type Element = readonly [key: Uint8Array, value: Uint8Array];

/** A page that is written, by its first key. */
interface Child {
  readonly key: Uint8Array;
  readonly page: number;
}

/** A file with one bucket that is written as its keys come, and small ones given at the end. */
export class BoltWriter implements Disposable {
  readonly #descriptor: number;
  #nextPage = 2;
  #pending: Element[] = [];
  #pendingBytes = 0;
  #leaves: Child[] = [];

  /** Creates the file, mode 0600; it must not exist. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx', 0o600);
  }

  /** Keys must ascend. */
  add(key: Uint8Array, value: Uint8Array): void {
    const bytes = ELEMENT_BYTES + key.length + value.length;
    if (this.#pendingBytes > 0 && PAGE_HEADER_BYTES + this.#pendingBytes + bytes > PAGE_BYTES) this.#flushLeaf();
    this.#pending.push([key, value]);
    this.#pendingBytes += bytes;
  }

  /** Completes the file with the added keys as bucket `name` beside small `others`, and makes it durable. */
  finish(name: string, others: Readonly<Record<string, readonly Element[]>>): void {
    const isEmpty = this.#leaves.length === 0 && this.#pending.length === 0;
    const main = isEmpty ? inlineBucket([]) : this.#treeBucket();
    const buckets = Object.entries(others).map(([other, elements]): Element => [
      bytesOf(other),
      inlineBucket(elements),
    ]);
    const root = this.#nextPage;
    const elements = [...buckets, [bytesOf(name), main] as Element].toSorted(([a], [b]) => Buffer.compare(a, b));
    this.#write(leafPage(elements, BUCKET_FLAG));
    const freelist = this.#nextPage;
    this.#write(page(PageFlag.freelist, 0, PAGE_BYTES));
    fsyncSync(this.#descriptor);
    for (const transaction of [0, 1]) {
      const bytes = page(PageFlag.meta, 0, PAGE_BYTES);
      bytes.set(
        encodeMeta({ pageBytes: PAGE_BYTES, root, freelist, highWater: this.#nextPage, transaction }),
        PAGE_HEADER_BYTES,
      );
      stamp(bytes, transaction);
      writeFully(this.#descriptor, bytes, transaction * PAGE_BYTES);
    }
    fsyncSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #flushLeaf(): void {
    const key = this.#pending[0]?.[0];
    assert(key !== undefined, 'a leaf has elements');
    this.#leaves.push({ key, page: this.#write(leafPage(this.#pending, 0)) });
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** Header of the bucket whose leaves are written, with the branches above them. */
  #treeBucket(): Uint8Array {
    if (this.#pending.length > 0) this.#flushLeaf();
    let level = this.#leaves;
    while (level.length > 1)
      level = groups(level).map((children) => ({ key: children[0]!.key, page: this.#write(branchPage(children)) }));
    const header = new Uint8Array(BUCKET_HEADER_BYTES);
    new DataView(header.buffer).setBigUint64(0, BigInt(level[0]!.page), true);
    return header;
  }

  /** Appends whole pages; returns the number of the first. */
  #write(bytes: Uint8Array): number {
    const id = this.#nextPage;
    stamp(bytes, id);
    writeFully(this.#descriptor, bytes, id * PAGE_BYTES);
    this.#nextPage += bytes.length / PAGE_BYTES;
    return id;
  }
}

/** As many children per branch as fit a page, but never one alone. */
function groups(children: readonly Child[]): Child[][] {
  const found: Child[][] = [];
  let group: Child[] = [];
  let bytes = PAGE_HEADER_BYTES;
  for (const child of children) {
    const more = ELEMENT_BYTES + child.key.length;
    if (bytes + more > PAGE_BYTES && group.length >= CHILDREN_MIN) {
      found.push(group);
      group = [];
      bytes = PAGE_HEADER_BYTES;
    }
    group.push(child);
    bytes += more;
  }
  if (group.length < CHILDREN_MIN && found.length > 0) group.unshift(found.at(-1)!.pop()!);
  return [...found, group];
}

function branchPage(children: readonly Child[]): Uint8Array {
  const bytes = page(PageFlag.branch, children.length, PAGE_BYTES);
  const view = new DataView(bytes.buffer);
  let keyAt = PAGE_HEADER_BYTES + children.length * ELEMENT_BYTES;
  children.forEach((child, at) => {
    const element = PAGE_HEADER_BYTES + at * ELEMENT_BYTES;
    view.setUint32(element, keyAt - element, true);
    view.setUint32(element + 4, child.key.length, true);
    view.setBigUint64(element + 8, BigInt(child.page), true);
    bytes.set(child.key, keyAt);
    keyAt += child.key.length;
  });
  return bytes;
}

function leafPage(elements: readonly Element[], flags: number): Uint8Array {
  const bytes = page(PageFlag.leaf, elements.length, Math.ceil(leafBytes(elements) / PAGE_BYTES) * PAGE_BYTES);
  putElements(bytes, elements, flags);
  return bytes;
}

/** A bucket that lies in its parent's leaf: a header without root, and a page without number. */
function inlineBucket(elements: readonly Element[]): Uint8Array {
  const bytes = page(PageFlag.leaf, elements.length, leafBytes(elements));
  putElements(bytes, elements, 0);
  const value = new Uint8Array(BUCKET_HEADER_BYTES + bytes.length);
  value.set(bytes, BUCKET_HEADER_BYTES);
  return value;
}

function putElements(bytes: Uint8Array, elements: readonly Element[], flags: number): void {
  const view = new DataView(bytes.buffer);
  let keyAt = PAGE_HEADER_BYTES + elements.length * ELEMENT_BYTES;
  elements.forEach(([key, value], at) => {
    const element = PAGE_HEADER_BYTES + at * ELEMENT_BYTES;
    [flags, keyAt - element, key.length, value.length].forEach((word, place) =>
      view.setUint32(element + place * 4, word, true),
    );
    bytes.set(key, keyAt);
    bytes.set(value, keyAt + key.length);
    keyAt += key.length + value.length;
  });
}

function leafBytes(elements: readonly Element[]): number {
  return elements.reduce((sum, [key, value]) => sum + ELEMENT_BYTES + key.length + value.length, PAGE_HEADER_BYTES);
}

/** A page with everything but its number. */
function page(flags: number, count: number, bytes: number): Uint8Array {
  const made = new Uint8Array(bytes);
  const view = new DataView(made.buffer);
  view.setUint16(8, flags, true);
  view.setUint16(10, count, true);
  view.setUint32(12, Math.max(0, Math.ceil(bytes / PAGE_BYTES) - 1), true);
  return made;
}

function stamp(bytes: Uint8Array, id: number): void {
  new DataView(bytes.buffer).setBigUint64(0, BigInt(id), true);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
