/** Memory of large bodies is used again, but never by two at once, and nothing of an earlier body shows. */
import { expect, test } from 'vitest';
import { RequestBody } from './request-body.ts';

const bytesMax = 64 * 1024 * 1024;

/** A body of `length` equal bytes, fed in pieces. */
function fed(length: number, byte: number): RequestBody {
  const body = new RequestBody(length, bytesMax);
  const piece = Buffer.alloc(512 * 1024, byte);
  while (body.state === 'more') body.feed(piece, 0);
  return body;
}

function expectFilled(body: RequestBody, length: number, byte: number): void {
  expect(body.bytes.length).toBe(length);
  expect(body.bytes.equals(Buffer.alloc(length, byte))).toBe(true);
}

test('a body takes the memory that one before it gave back, and shows only its own bytes', () => {
  const first = fed(3_000_000, 1);
  const memory = first.bytes.buffer;
  first.release();
  expect(first.bytes.length).toBe(0);
  const second = fed(2_000_000, 2);
  expect(second.bytes.buffer).toBe(memory);
  expectFilled(second, 2_000_000, 2);
});

test('bodies that are read at the same time share nothing', () => {
  fed(3_000_000, 1).release();
  const [first, second] = [fed(2_500_000, 3), fed(2_500_000, 4)];
  expect(first.bytes.buffer).not.toBe(second.bytes.buffer);
  expectFilled(first, 2_500_000, 3);
  expectFilled(second, 2_500_000, 4);
});

test('a body larger than what was given back grows as ever', () => {
  fed(2_000_000, 1).release();
  expectFilled(fed(7_000_000, 5), 7_000_000, 5);
});

test('a huge one is not kept', () => {
  const huge = fed(20_000_000, 1);
  const memory = huge.bytes.buffer;
  huge.release();
  expect(fed(1_500_000, 2).bytes.buffer).not.toBe(memory);
});
