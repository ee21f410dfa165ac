/** Two at a time gives what one at a time gives: hash-wasm's keccak256 is the other opinion. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HASH_BYTES, keccakPairs, PAIRED_BYTES_MAX } from './keccak-pairs.ts';
import { keccak256 } from './keccak.ts';

const MARK = 0xee;

/** Hashes all messages but those left out, which keep MARK. `shift` moves where each is written. */
function hashAll(messages: readonly Uint8Array[], isLeftOut: (at: number) => boolean = () => false, shift = 0) {
  const hashes = new Uint8Array(HASH_BYTES * messages.length).fill(MARK);
  keccakPairs?.(
    0,
    messages.length,
    (at, memory, from, place) => {
      if (isLeftOut(at)) return false;
      const message = messages[at]!;
      place.start = from + shift;
      place.end = place.start + message.length;
      memory.set(message, place.start);
      return true;
    },
    hashes,
  );
  return messages.map((_, at) => hashes.slice(HASH_BYTES * at, HASH_BYTES * (at + 1)));
}

test('this engine has vectors', () => expect(keccakPairs).not.toBeNull());

test('every length around the blocks of 136 bytes, and the longest', () => {
  const lengths = [0, 1, 7, 8, 134, 135, 136, 137, 271, 272, 273, 4096, PAIRED_BYTES_MAX];
  const messages = lengths.map((length) => Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 255));
  expect(hashAll(messages)).toEqual(messages.map((message) => keccak256(message)));
  expect(hashAll(messages.toReversed())).toEqual(messages.toReversed().map((message) => keccak256(message)));
});

test('any messages, some of them left out, wherever they stand in memory', () => {
  const message = fc.uint8Array({ maxLength: 600 });
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.boolean()), { maxLength: 40 }), fc.nat(10), (given, shift) => {
      const messages = given.map(([bytes]) => bytes);
      const expected = given.map(([bytes, isOut]) =>
        isOut ? new Uint8Array(HASH_BYTES).fill(MARK) : keccak256(bytes),
      );
      expect(hashAll(messages, (at) => given[at]![1], shift)).toEqual(expected);
    }),
  );
});

test('nothing to hash changes nothing', () => expect(hashAll([])).toEqual([]));
