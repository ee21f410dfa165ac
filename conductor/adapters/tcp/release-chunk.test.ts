/** Memory is given back only where nobody else can be looking at it. */
import { expect, test } from 'vitest';
import { releaseChunk } from './release-chunk.ts';

const LARGE = 64 * 1024;

test('a large chunk that is all of its memory has none afterwards', () => {
  const chunk = Buffer.alloc(LARGE, 1);
  releaseChunk(chunk);
  expect(chunk.length).toBe(0);
});

test('a small chunk, a part of more, and shared memory stay as they are', () => {
  const memory = new Uint8Array(LARGE).fill(1);
  const kept = [
    new Uint8Array(100),
    memory.subarray(1),
    memory.subarray(0, -1),
    new Uint8Array(new SharedArrayBuffer(LARGE)),
  ];
  const before = kept.map((chunk) => chunk.length);
  for (const chunk of kept) releaseChunk(chunk);
  expect(kept.map((chunk) => chunk.length)).toEqual(before);
});
