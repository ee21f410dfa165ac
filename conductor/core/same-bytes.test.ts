import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameBytes } from './same-bytes.ts';

test('two arrays are the same where each byte is, wherever they lie in memory', () => {
  const size = fc.constantFrom(0, 1, 32, 255, 256, 257, 258, 259, 1000);
  fc.assert(
    fc.property(size, fc.nat(7), fc.nat(7), fc.nat(), (length, leftAt, rightAt, at) => {
      const left = new Uint8Array(length + 8).subarray(leftAt, leftAt + length).map((_, index) => (index * 7) % 256);
      const right = new Uint8Array(length + 8).subarray(rightAt, rightAt + length);
      right.set(left);
      expect(sameBytes(left, right)).toBe(true);
      expect(sameBytes(left, right.subarray(1))).toBe(length === 0);
      if (length === 0) return;
      right[at % length]! ^= 1;
      expect(sameBytes(left, right)).toBe(false);
    }),
  );
});
