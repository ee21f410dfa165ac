/**
 * What a peer can make the decoder do and hold, counted instead of timed: bytes moved, heads looked
 * at, and memory allocated, for values that come in small pieces or are announced and never come.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppendEntriesRequest } from '../raft/types.ts';
import { RequestDecoder } from './decode-message.ts';
import { encodeRequest } from './encode-message.ts';
import { MsgpackHead } from './msgpack-head.ts';
import { concatenate } from './testing/pieces.ts';

const MIB = 2 ** 20;
const appendedAt = Uint8Array.fromHex('010000000edf6ba85a075bcd15ffff');
const append: AppendEntriesRequest = {
  kind: 'append',
  protocolVersion: 3,
  id: 'n1',
  address: 'a:1',
  term: 1,
  leader: 'a:1',
  prevLogIndex: 0,
  prevLogTerm: 0,
  entries: null,
  leaderCommit: 0,
};

/** Counts bytes that are copied from array to array, and heads that are looked at. */
const work = { moved: 0, heads: 0 };

beforeEach(() => {
  work.moved = 0;
  work.heads = 0;
  const { set, slice } = Uint8Array.prototype;
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, from, at) {
    work.moved += from.length;
    set.call(this, from, at);
  });
  vi.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (this: Uint8Array<ArrayBuffer>, start, end) {
    const result = slice.call(this, start, end);
    work.moved += result.length;
    return result as Uint8Array<ArrayBuffer>;
  });
  const { peek } = MsgpackHead.prototype;
  vi.spyOn(MsgpackHead.prototype, 'peek').mockImplementation(function (this: MsgpackHead, queue) {
    work.heads += 1;
    return peek.call(this, queue);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pushes `bytes` in pieces of `pieceBytes`; returns what came out and the work it took. */
function feed(bytes: Uint8Array, pieceBytes: number) {
  const decoder = new RequestDecoder();
  work.moved = 0;
  work.heads = 0;
  let request = null;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    decoder.push(bytes.subarray(at, at + pieceBytes));
    request ??= decoder.next();
  }
  return { request, ...work, decoder };
}

function entryOf(bytes: number): Uint8Array {
  const data = new Uint8Array(bytes).fill(7);
  return concatenateOnce(
    encodeRequest({ ...append, entries: [{ index: 1, term: 1, type: 0, data, extensions: null, appendedAt }] }),
  );
}

/** Joins without the spied methods being counted. */
function concatenateOnce(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

describe('work is linear in the bytes that arrive', () => {
  test.each([1, 4, 64])('an entry of %d MiB in pieces of 16 KiB: each byte is moved at most three times', (mib) => {
    const bytes = entryOf(mib * MIB);
    const { request, moved, heads } = feed(bytes, 16 * 1024);
    expect(request).toMatchObject({ kind: 'append' });
    expect((request as AppendEntriesRequest).entries![0]!.data!.length).toBe(mib * MIB);
    expect(moved).toBeLessThan(3 * bytes.length);
    expect(heads).toBeLessThan(100);
  });

  test('an entry of 128 KiB byte by byte', () => {
    const bytes = entryOf(128 * 1024);
    const { request, moved, heads } = feed(bytes, 1);
    expect(request).not.toBeNull();
    expect(moved).toBeLessThan(4 * bytes.length);
    expect(heads).toBeLessThan(1000);
  });

  test('a snapshot of 1 MiB in pieces of 100 bytes', () => {
    const data = new Uint8Array(MIB);
    const bytes = concatenateOnce(
      encodeRequest({
        kind: 'snapshot',
        protocolVersion: 3,
        id: null,
        address: null,
        snapshotVersion: 1,
        term: 1,
        leader: null,
        lastLogIndex: 1,
        lastLogTerm: 1,
        peers: null,
        configuration: null,
        configurationIndex: 0,
        size: data.length,
        data,
      }),
    );
    const { request, moved } = feed(bytes, 100);
    expect(request).toMatchObject({ kind: 'snapshot', size: MIB });
    expect(moved).toBeLessThan(4 * bytes.length);
  });

  test('a key of 64 KiB byte by byte: its head is looked at once per byte, nothing is searched again', () => {
    const bytes = concatenate([Uint8Array.fromHex('0081daffff'), new Uint8Array(65_535).fill(97), Uint8Array.of(1)]);
    const { request, moved, heads } = feed(bytes, 1);
    expect(request).toMatchObject({ kind: 'append' });
    expect(moved).toBeLessThan(4 * bytes.length);
    expect(heads).toBeLessThan(1.1 * bytes.length);
  });

  test('1024 entries of 1 KiB in pieces of 1000 bytes', () => {
    const data = new Uint8Array(1024);
    const entries = Array.from({ length: 1024 }, (_, i) => ({
      index: i,
      term: 1,
      type: 0,
      data,
      extensions: null,
      appendedAt,
    }));
    const bytes = concatenateOnce(encodeRequest({ ...append, entries }));
    const { request, moved, heads } = feed(bytes, 1000);
    expect((request as AppendEntriesRequest).entries).toHaveLength(1024);
    expect(moved).toBeLessThan(3 * bytes.length);
    expect(heads).toBeLessThan(1024 * 13 + 4 * Math.ceil(bytes.length / 1000));
  });
});

describe('memory follows what has arrived, not what was announced', () => {
  /** Bytes of all arrays made while `run` runs; an upper bound of what is held after it. */
  function allocatedIn(run: () => void): number {
    const Plain = globalThis.Uint8Array;
    let bytes = 0;
    const Counting = new Proxy(Plain, {
      construct(target, [first, ...rest]: unknown[], newTarget) {
        if (typeof first === 'number') bytes += first;
        return Reflect.construct(target, [first, ...rest], newTarget) as object;
      },
    });
    globalThis.Uint8Array = Counting;
    try {
      run();
    } finally {
      globalThis.Uint8Array = Plain;
    }
    return bytes;
  }

  const entryHead = '0081a7456e74726965739181a444617461';
  test.each([
    ['an entry of 64 MiB', `${entryHead}db04000000`],
    ['an entry of 64 Mi small integers', `${entryHead}dd04000000`],
    ['1024 entries', '0081a7456e7472696573dc0400'],
    ['a snapshot of 64 MiB', '0282af50726f746f636f6c56657273696f6e03a453697a65d204000000'],
    ['a key of 64 KiB', '0081daffff'],
    ['an id of 64 KiB', '0081a24944daffff'],
  ])('%s of which 10 bytes come', (_, hex) => {
    const bytes = Uint8Array.fromHex(hex);
    const more = hex.includes('dc0400') ? [0x80] : [5, 5, 5, 5, 5, 5, 5, 5, 5, 5];
    const allocated = allocatedIn(() => {
      const decoder = new RequestDecoder();
      for (const piece of [bytes, Uint8Array.from(more)]) {
        decoder.push(piece);
        expect(decoder.next()).toBeNull();
      }
    });
    expect(allocated).toBeGreaterThan(0);
    expect(allocated).toBeLessThan(8 * 1024);
  });

  test('while 16 MiB arrive, the buffers made come to less than four times what has come', () => {
    const bytes = entryOf(16 * MIB);
    const decoder = new RequestDecoder();
    let arrived = 0;
    let allocated = 0;
    for (let at = 0; at < bytes.length; at += 64 * 1024) {
      const piece = bytes.subarray(at, at + 64 * 1024);
      arrived += piece.length;
      allocated += allocatedIn(() => {
        decoder.push(piece);
        decoder.next();
      });
      expect(allocated).toBeLessThan(4 * arrived + 8 * 1024);
    }
    expect(allocated).toBeGreaterThan(16 * MIB);
  });

  test('skipped bytes are not kept', () => {
    const bytes = concatenate([Uint8Array.fromHex('0081a158db000f0000'), new Uint8Array(0x0f_0000)]);
    const allocated = allocatedIn(() => expect(feed(bytes, 4096).request).toMatchObject({ kind: 'append' }));
    expect(allocated).toBeLessThan(8 * 1024);
  });
});
