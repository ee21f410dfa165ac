import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SendQueue, type ByteSink } from './send-queue.ts';

/** Takes what `takes` says, call by call, then everything; keeps what it took. */
class Sink implements ByteSink {
  readonly writes: Uint8Array[] = [];
  readonly #takes: number[];
  constructor(takes: readonly number[] = []) {
    this.#takes = [...takes];
  }
  write(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, this.#takes.shift() ?? bytes.length);
    if (taken >= 0) this.writes.push(bytes.slice(0, taken));
    return taken;
  }
  get bytes(): Uint8Array {
    return Buffer.concat(this.writes);
  }
}

describe('SendQueue', () => {
  test('writes the same bytes in the same order however they were cut and taken', () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(200_000, 262_144, 300_000).map((size) => new Uint8Array(size).fill(size % 251)),
    );
    const steps = fc.array(fc.tuple(fc.array(chunk, { maxLength: 80 }), fc.array(fc.nat(300_000), { maxLength: 5 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new SendQueue();
        const expected = Buffer.concat(all.flatMap(([chunks]) => chunks));
        const written: Uint8Array[] = [];
        for (const [chunks, takes] of all) {
          queue.add(chunks);
          const sink = new Sink(takes);
          const before = queue.bytes;
          const result = queue.flush(sink);
          expect(before - queue.bytes).toBe(sink.bytes.length);
          expect(result).toBe(queue.bytes === 0 ? 'empty' : 'full');
          written.push(sink.bytes);
        }
        const last = new Sink();
        expect(queue.flush(last)).toBe('empty');
        expect(Buffer.compare(Buffer.concat([...written, last.bytes]), expected)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('a message of small chunks is one write; a large chunk is written as it is', () => {
    const queue = new SendQueue();
    const sink = new Sink();
    queue.add([new Uint8Array(100), new Uint8Array(100_000), new Uint8Array(30)]);
    queue.flush(sink);
    expect(sink.writes.map((one) => one.length)).toEqual([100_130]);
    const large = new Uint8Array(1_000_000);
    const seen: Uint8Array[] = [];
    queue.add([new Uint8Array(10), large, new Uint8Array(20)]);
    queue.flush({ write: (bytes) => seen.push(bytes) && bytes.length });
    expect(seen.map((one) => one.length)).toEqual([10, 1_000_000, 20]);
    expect(seen[1]).toBe(large);
  });

  test('says closed when the socket is, and forgets on clear', () => {
    const queue = new SendQueue();
    queue.add([new Uint8Array(5)]);
    expect(queue.flush(new Sink([-1]))).toBe('closed');
    expect(queue.bytes).toBe(5);
    queue.clear();
    expect(queue.bytes).toBe(0);
    const sink = new Sink();
    expect(queue.flush(sink)).toBe('empty');
    expect(sink.writes).toHaveLength(0);
  });
});
