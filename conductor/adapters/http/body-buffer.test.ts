/** The memory of large bodies: it serves one after the other, and never two at once. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { BodyBuffer } from './body-buffer.ts';

const pieceBytes = 64 * 1024;
const mebibyte = 1024 * 1024;

/** A body of so many bytes, all of one value, that came in pieces. */
function fed(bytes: number, value: number, announced: number | null = bytes): BodyBuffer {
  const body = new BodyBuffer(announced);
  feed(body, bytes, value);
  return body;
}

function feed(body: BodyBuffer, bytes: number, value: number): void {
  for (let at = 0; at < bytes; at += pieceBytes)
    body.append(new Uint8Array(Math.min(pieceBytes, bytes - at)).fill(value));
}

function expectFilled(body: BodyBuffer, bytes: number, value: number): void {
  expect([body.size, body.bytes.length]).toEqual([bytes, bytes]);
  expect(body.bytes.equals(Buffer.alloc(bytes, value))).toBe(true);
}

// What tests before have given back goes to a body that is never released.
beforeEach(() => void fed(8 * mebibyte, 0));

describe('the memory of a body', () => {
  test('serves the next one, which shows only its own bytes', () => {
    const first = fed(3 * mebibyte, 1);
    const memory = first.bytes.buffer;
    first.release();
    expect([first.size, first.bytes.length, first.reservedBytes]).toEqual([0, 0, 0]);
    const second = fed(2 * mebibyte, 2);
    expect(second.bytes.buffer).toBe(memory);
    expectFilled(second, 2 * mebibyte, 2);
  });

  test('is never that of two', () => {
    fed(3 * mebibyte, 1).release();
    const [first, second] = [new BodyBuffer(2.5 * mebibyte), new BodyBuffer(null)];
    for (let at = 0; at < 40; at += 1) {
      feed(first, pieceBytes, 3);
      feed(second, pieceBytes, 4);
    }
    expect(first.bytes.buffer).not.toBe(second.bytes.buffer);
    expectFilled(first, 40 * pieceBytes, 3);
    expectFilled(second, 40 * pieceBytes, 4);
  });

  test('grows beyond what was given back', () => {
    fed(2 * mebibyte, 1).release();
    expectFilled(fed(7 * mebibyte, 5), 7 * mebibyte, 5);
  });

  test('is not kept where it is huge', () => {
    const huge = fed(20 * mebibyte, 1);
    const memory = huge.bytes.buffer;
    huge.release();
    expect(fed(1.5 * mebibyte, 2).bytes.buffer).not.toBe(memory);
  });

  test('grows with what has come, not with what is announced', () => {
    const body = new BodyBuffer(20 * mebibyte);
    feed(body, pieceBytes, 1);
    expect(body.reservedBytes).toBeLessThanOrEqual(2 * pieceBytes);
    feed(body, mebibyte, 1);
    expect(body.reservedBytes).toBe(20 * mebibyte);
  });
});

test('whatever bodies come and go beside each other, each has its own bytes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('open' as const), announced: fc.constantFrom(null, 1.25 * mebibyte, 3 * mebibyte) }),
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('feed' as const),
        who: fc.nat(),
        bytes: fc.constantFrom(1, 300_000, 900_000),
      }),
    },
    fc.record({ kind: fc.constant('release' as const), who: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const open: { body: BodyBuffer; value: number; bytes: number }[] = [];
      for (const [at, each] of steps.entries()) {
        const one = 'who' in each ? open[each.who % Math.max(1, open.length)] : undefined;
        if (each.kind === 'open') open.push({ body: new BodyBuffer(each.announced), value: 1 + at, bytes: 0 });
        else if (one === undefined) continue;
        else if (each.kind === 'release') open.splice(open.indexOf(one), 1)[0]?.body.release();
        else {
          feed(one.body, each.bytes, one.value);
          one.bytes += each.bytes;
        }
        const memories = open.filter(({ bytes }) => bytes > 0).map(({ body }) => body.bytes.buffer);
        expect(new Set(memories).size).toBe(memories.length);
      }
      for (const { body, bytes, value } of open) expectFilled(body, bytes, value);
    }),
    { numRuns: 60 },
  );
});
