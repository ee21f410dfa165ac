/**
 * The WebAssembly module behind hex-reader.ts, written instruction by instruction as keccak-pair-code.ts is: sixteen
 * hex digits to eight bytes at a time, in 128-bit vectors.
 *
 * Exports: "memory"; "decode"(from, to, out) reads the digits at `from` to `to` − 1, an even number and sixteen at
 * least, in either case, writes their bytes to `out` and returns 0 exactly when one of them was no digit.
 */
import { constant, get, section, set, simd, tee, unsigned, type Code } from './wasm-code.ts';

export const DIGITS_MIN = 16;
const FROM = 0;
const TO = 1;
const OUT = 2;
const CHARACTERS = 3;
const DIGIT = 4;
const LETTER = 5;
const IS_DIGIT = 6;
const IS_LETTER = 7;
const ARE_DIGITS = 8;

const I32_TYPE = 0x7f;
const VECTOR_TYPE = 0x7b;
const END = 0x0b;
const SPLAT_BYTES = simd(0x0f);
const ADD_BYTES = simd(0x6e);
const SUBTRACT_BYTES = simd(0x71);
const BYTES_BELOW = simd(0x26);
const ALL_TRUE = simd(0x63);
const AND = simd(0x4e);
const OR = simd(0x50);
const BITSELECT = simd(0x52);
const SHIFT_LEFT = simd(0x8b);
const SHIFT_RIGHT = simd(0x8d);
const NARROW = simd(0x66);
const LOAD = simd(0x00, 0, 0);
const STORE_LOW = simd(0x5b, 0, 0, 0);
const bytes = (value: number): Code => [...constant(value), ...SPLAT_BYTES];

/** The module's bytes, with a memory of so many pages. */
export function hexModule(pages: number): Uint8Array<ArrayBuffer> {
  const locals = [1, 6, VECTOR_TYPE];
  const body = [...locals, ...decode(), END];
  const name = (text: string): Code => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, I32_TYPE, I32_TYPE, I32_TYPE, 1, I32_TYPE]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('decode'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/** Sixteen digits after sixteen; the last sixteen once more, since their number may be no multiple of it. */
function decode(): Code {
  const step = (local: number, value: number): Code => [...get(local), ...constant(value), 0x6a, ...set(local)];
  return [
    ...[...bytes(0xff), ...set(ARE_DIGITS)],
    // Blocks that end at `to` at most.
    ...[0x02, 0x40, 0x03, 0x40],
    ...[...get(FROM), ...constant(DIGITS_MIN), 0x6a, ...get(TO), 0x4b, 0x0d, 1],
    ...[...block(), ...step(FROM, DIGITS_MIN), ...step(OUT, DIGITS_MIN / 2)],
    ...[0x0c, 0, END, END],
    // Back by as many bytes as the last sixteen digits begin before `from`.
    ...[...get(OUT), ...get(FROM), ...get(TO), ...constant(DIGITS_MIN), 0x6b, ...tee(TO), 0x6b],
    ...[...constant(1), 0x76, 0x6b, ...set(OUT)],
    ...[...get(TO), ...set(FROM), ...block()],
    ...[...get(ARE_DIGITS), ...ALL_TRUE],
  ];
}

/** The digits at FROM to bytes at OUT. */
function block(): Code {
  return [
    ...[...get(FROM), ...LOAD, ...tee(CHARACTERS), ...bytes(0x30), ...SUBTRACT_BYTES, ...tee(DIGIT)],
    ...[...bytes(10), ...BYTES_BELOW, ...set(IS_DIGIT)],
    ...[...get(CHARACTERS), ...bytes(0x20), ...OR, ...bytes(0x61), ...SUBTRACT_BYTES, ...tee(LETTER)],
    ...[...bytes(6), ...BYTES_BELOW, ...set(IS_LETTER)],
    ...[...get(ARE_DIGITS), ...get(IS_DIGIT), ...get(IS_LETTER), ...OR, ...AND, ...set(ARE_DIGITS)],
    ...[...get(DIGIT), ...get(LETTER), ...bytes(10), ...ADD_BYTES, ...get(IS_DIGIT), ...BITSELECT, ...set(DIGIT)],
    // In a lane of 16 bits, the first digit is the low byte: it becomes the upper four bits of that byte.
    ...[
      ...get(OUT),
      ...get(DIGIT),
      ...constant(4),
      ...SHIFT_LEFT,
      ...get(DIGIT),
      ...constant(8),
      ...SHIFT_RIGHT,
      ...OR,
    ],
    ...[...constant(0xff), ...simd(0x10), ...AND, ...tee(DIGIT), ...get(DIGIT), ...NARROW, ...STORE_LOW],
  ];
}
