/** Two at a time gives what one at a time gives: hash-wasm's keccak256 is the other opinion. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keccakPairModule } from './keccak-pair-code.ts';
import { BLOCK_BYTES, HASH_BYTES, KeccakPairs, MEMORY_FROM, MEMORY_TO, MESSAGES_MAX } from './keccak-pairs.ts';
import { keccak256 } from './keccak.ts';

const MARK = 0xee;

/** Hashes all messages, each of them `gap` bytes behind the room of the one before. */
function hashAll(keccak: KeccakPairs, messages: readonly Uint8Array[], gap = 0): string[] {
  let at = MEMORY_FROM + HASH_BYTES * messages.length;
  keccak.memory.fill(MARK, MEMORY_FROM, MEMORY_TO);
  messages.forEach((message, index) => {
    at += gap;
    keccak.memory.set(message, at);
    keccak.add(at, at + message.length, MEMORY_FROM + HASH_BYTES * index);
    at += message.length + BLOCK_BYTES;
    expect(at).toBeLessThanOrEqual(MEMORY_TO + BLOCK_BYTES);
  });
  keccak.hash();
  expect(keccak.memory.subarray(at, MEMORY_TO).findIndex((byte) => byte !== MARK)).toBe(-1);
  return (
    keccak.memory
      .subarray(MEMORY_FROM, MEMORY_FROM + HASH_BYTES * messages.length)
      .toHex()
      .match(/.{64}/g) ?? []
  );
}

const patterned = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) + length) & 255);
const hashedSingly = (messages: readonly Uint8Array[]): string[] =>
  messages.map((message) => keccak256(message).toHex());

test('this engine has vectors', () => expect(WebAssembly.validate(keccakPairModule(1))).toBe(true));

test('the module is small enough for the main thread of browsers, which compile 4 KiB at once', () =>
  expect(keccakPairModule(1).length).toBeLessThanOrEqual(4096));

describe.each([true, false])('with vectors: %o', (hasVectors) => {
  const keccak = new KeccakPairs(hasVectors);

  test('every length up to three blocks', () => {
    const messages = Array.from({ length: 3 * BLOCK_BYTES + 2 }, (_, length) => patterned(length));
    expect(hashAll(keccak, messages)).toEqual(hashedSingly(messages));
    expect(hashAll(keccak, messages.toReversed())).toEqual(hashedSingly(messages.toReversed()));
  });

  test('the longest message, alone, first and last', () => {
    const others = [patterned(0), patterned(136), patterned(1000)];
    const room = MEMORY_TO - MEMORY_FROM - HASH_BYTES;
    for (const messages of [
      [patterned(room)],
      [patterned(room - 8192), ...others],
      [...others, patterned(room - 8192)],
    ]) {
      expect(hashAll(keccak, messages)).toEqual(hashedSingly(messages));
    }
  });

  test('any messages, wherever they stand in memory', () => {
    const message = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), fc.nat(10), (messages, gap) => {
        expect(hashAll(keccak, messages, gap)).toEqual(hashedSingly(messages));
      }),
    );
  });

  test('as many messages as it takes, and not one more', () => {
    const messages = Array.from({ length: MESSAGES_MAX }, (_, at) => patterned(at % 7));
    expect(hashAll(keccak, messages)).toEqual(hashedSingly(messages));
    for (let count = 0; count < MESSAGES_MAX; count++) keccak.add(MEMORY_FROM, MEMORY_FROM, MEMORY_FROM);
    expect(() => keccak.add(MEMORY_FROM, MEMORY_FROM, MEMORY_FROM)).toThrow('MESSAGES_MAX');
    keccak.hash();
  });
});
