/** Digits read in vectors are what the engine's own conversion makes of them, and nothing else counts as a digit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesFromHex, prefixedHex } from './hex.ts';
import { HexReader, hexVectors } from './hex-reader.ts';

const BEFORE = 5;
const encoder = new TextEncoder();

/** All runs read one after another with a character between them; null at the first that is refused. */
function readAll(runs: readonly string[], vectors = hexVectors): Uint8Array | null {
  const text = encoder.encode(runs.join(';'));
  const out = new Uint8Array(BEFORE + text.length);
  const reader = new HexReader(text, out, BEFORE, vectors);
  let from = 0;
  let bytes = 0;
  for (const run of runs) {
    const to = from + encoder.encode(run).length;
    if (!reader.read(from, to)) return null;
    bytes += (to - from) / 2;
    from = to + 1;
  }
  reader.finish();
  expect([...out.subarray(0, BEFORE), ...out.subarray(BEFORE + bytes)].every((byte) => byte === 0)).toBe(true);
  return out.slice(BEFORE, BEFORE + bytes);
}

function hexOf(digits: readonly string[]): string {
  return digits.join('');
}

const digit = fc.constantFrom(...'0123456789abcdefABCDEF');
const evenRun = fc.array(digit, { maxLength: 300 }).map((digits) => hexOf(digits.slice(digits.length % 2)));
/** As long as the window and around it, which arrays of digits would be slow for. */
const longRun = fc
  .record({ run: evenRun, times: fc.integer({ min: 1, max: 900 }) })
  .map(({ run, times }) => run.repeat(times));

test('this engine has vectors', () => expect(hexVectors).not.toBeNull());

test('runs of digits of all lengths', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 6, arbitrary: evenRun }, longRun), { maxLength: 40 }), (runs) => {
      const expected = bytesFromHex(runs.join(''));
      for (const vectors of [hexVectors, null]) {
        expect(Buffer.from(readAll(runs, vectors)!).equals(Buffer.from(expected!))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('readers that pause read in turn, each in the middle of its window', () => {
  const texts = ['0123456789abcdef', 'fedcba9876543210'].map((run) => encoder.encode(run.repeat(1000)));
  const outs = texts.map(({ length }) => new Uint8Array(length / 2));
  const readers = texts.map((text, at) => new HexReader(text, outs[at]!, 0));
  for (let from = 0; from < texts[0]!.length; from += 160) {
    for (const reader of readers) {
      expect(reader.read(from, from + 160)).toBe(true);
      reader.pause();
    }
  }
  for (const [at, text] of texts.entries()) expect(prefixedHex(outs[at]!)).toBe(`0x${new TextDecoder().decode(text)}`);
});

test('an odd number of digits, or one byte that is none, anywhere', () => {
  const runs = fc.array(evenRun, { minLength: 1, maxLength: 8 });
  const other = fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(runs, fc.nat(), fc.nat(), fc.oneof(digit, other, fc.constant('')), (good, which, where, character) => {
      const index = which % good.length;
      const run = good[index]!;
      const at = where % (run.length + 1);
      const changed = good.with(index, run.slice(0, at) + character + run.slice(at + 1));
      const isGood = changed.every((one) => /^([0-9a-f]{2})*$/i.test(one));
      for (const vectors of [hexVectors, null]) expect(readAll(changed, vectors) !== null).toBe(isGood);
    }),
    { numRuns: 2000 },
  );
});

test('every byte at every place of sixteen', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const isDigit = byte < 128 && /[0-9a-f]/i.test(String.fromCharCode(byte));
    for (let at = 0; at < 18; at += 1) {
      const text = encoder.encode('0123456789abcdefAB');
      text[at] = byte;
      expect(new HexReader(text, new Uint8Array(9), 0).read(0, 18)).toBe(isDigit);
    }
  }
});
