/**
 * The WebAssembly module behind keccak-pairs.ts, written instruction by instruction: Keccak-f[1600] on two states at
 * once, lane by lane side by side in 128-bit vectors (the Keccak reference, 3.1; WebAssembly 2.0 binary format). What
 * compilers make of one state uses half of each vector register.
 *
 * Exports: "memory", the states at STATE, round constants at CONSTANTS; "absorb"(a, b) takes one block of 136 bytes
 * from each address into the two states and permutes them.
 */
import { constant, get, section, set, simd, tee, unsigned, type Code } from './wasm-code.ts';

/** 25 lanes of two states: lane i of the first at STATE + 16·i, of the second 8 bytes on. */
const STATE = 0;
/** 24 round constants, each twice. */
export const CONSTANTS = 400;
/** Free from here on. */
export const FREE = 1024;
export const BLOCK_BYTES = 136;
const LANES = 25;
const BLOCK_LANES = 17;
const ROUNDS = 24;

/** By how many bits lane x + 5y is rotated (step ρ). */
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/** Parameters, then locals: the offset of the round's constant, and vectors. */
const FIRST = 0;
const SECOND = 1;
const ROUND = 2;
const vector = (at: number): number => 3 + at;
const state = (lane: number): number => vector(lane);
const other = (lane: number): number => vector(LANES + lane);
const parity = (x: number): number => vector(2 * LANES + x);
const mixed = (x: number): number => vector(2 * LANES + 5 + x);
const row = (x: number): number => vector(2 * LANES + 10 + x);
const SCRATCH = vector(2 * LANES + 15);
const VECTORS = 2 * LANES + 16;

const VECTOR_TYPE = 0x7b;
const I32_TYPE = 0x7f;
const END = 0x0b;
const LOOP = [0x03, 0x40];
const BRANCH_IF = [0x0d, 0];
const ADD = [0x6a];
const LESS_UNSIGNED = [0x49];
const load = (offset: number): Code => simd(0x00, 4, ...unsigned(offset));
const store = (offset: number): Code => simd(0x0b, 4, ...unsigned(offset));
const loadFirstLane = (offset: number): Code => simd(0x5d, 0, ...unsigned(offset));
const loadSecondLane = (offset: number): Code => simd(0x57, 0, ...unsigned(offset), 1);
const shuffle = (order: Code): Code => simd(0x0d, ...order);
const AND_NOT = simd(0x4f);
const OR = simd(0x50);
const XOR = simd(0x51);
const SHIFT_LEFT = simd(0xcb);
const SHIFT_RIGHT = simd(0xcd);

/** The module's bytes, with a memory of so many pages. */
export function keccakPairModule(pages: number): Uint8Array<ArrayBuffer> {
  const locals = [2, 1, I32_TYPE, ...unsigned(VECTORS), VECTOR_TYPE];
  const body = [...locals, ...absorb(), ...permute(), ...keep(), END];
  const name = (text: string): Code => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 2, I32_TYPE, I32_TYPE, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('absorb'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/** The constants of step ι, each twice, as little-endian halves: from the register of the reference, 1.2. */
export function roundConstants(): Uint32Array {
  const halves = new Uint32Array(4 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (let bit = 0; bit < 7; bit++) {
      const position = 2 ** bit - 1;
      if (register & 1) {
        for (const copy of [0, 2]) halves[4 * round + copy + (position >> 5)]! |= 2 ** (position & 31);
      }
      register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    }
  }
  return halves;
}

/** Loads the states and mixes a block of each address into them. */
function absorb(): Code {
  return lanes(LANES).flatMap((lane) => [
    ...[...constant(STATE), ...load(16 * lane)],
    ...(lane < BLOCK_LANES ? [...get(FIRST), ...loadFirstLane(8 * lane), ...set(SCRATCH)] : []),
    ...(lane < BLOCK_LANES ? [...get(SECOND), ...get(SCRATCH), ...loadSecondLane(8 * lane), ...XOR] : []),
    ...set(state(lane)),
  ]);
}

/** All rounds, two at a time, so that the state ends where it began. */
function permute(): Code {
  return [
    ...[...constant(0), ...set(ROUND), ...LOOP],
    ...[...roundOf(state, other, 0), ...roundOf(other, state, 16)],
    ...[...get(ROUND), ...constant(32), ...ADD, ...tee(ROUND), ...constant(16 * ROUNDS), ...LESS_UNSIGNED],
    ...[...BRANCH_IF, END],
  ];
}

/** Stores the states. */
function keep(): Code {
  return lanes(LANES).flatMap((lane) => [...constant(STATE), ...get(state(lane)), ...store(16 * lane)]);
}

/** One round from the lanes `from` to the lanes `to`, a row of the result at a time: few vectors are needed at once. */
function roundOf(from: (lane: number) => number, to: (lane: number) => number, constantOffset: number): Code {
  const theta = lanes(5).flatMap((x) => [
    ...[...get(from(x)), ...get(from(x + 5)), ...XOR, ...get(from(x + 10)), ...XOR],
    ...[...get(from(x + 15)), ...XOR, ...get(from(x + 20)), ...XOR, ...set(parity(x))],
  ]);
  const mixing = lanes(5).flatMap((x) => [
    ...[...get(parity((x + 4) % 5)), ...rotated(parity((x + 1) % 5), 1), ...XOR, ...set(mixed(x))],
  ]);
  const rows = lanes(5).flatMap((y) => [
    // Steps ρ and π: what comes to column x of this row.
    ...lanes(5).flatMap((x) => {
      const column = lanes(5).find((one) => (2 * one + 3 * x) % 5 === y) as number;
      const lane = column + 5 * x;
      const sum = [...get(from(lane)), ...get(mixed(column)), ...XOR];
      return [...sum, ...set(SCRATCH), ...rotated(SCRATCH, ROTATIONS[lane] as number), ...set(row(x))];
    }),
    // Steps χ and ι.
    ...lanes(5).flatMap((x) => [
      ...[...get(row(x)), ...get(row((x + 2) % 5)), ...get(row((x + 1) % 5)), ...AND_NOT, ...XOR],
      ...(x === 0 && y === 0 ? [...get(ROUND), ...load(CONSTANTS + constantOffset), ...XOR] : []),
      ...set(to(x + 5 * y)),
    ]),
  ]);
  return [...theta, ...mixing, ...rows];
}

/** A vector's two lanes rotated to the left; whole bytes are moved by one instruction. */
function rotated(local: number, bits: number): Code {
  if (bits === 0) return get(local);
  if (bits % 8 === 0) {
    const moved = lanes(16).map((at) => (at & 8) | ((at + 8 - bits / 8) & 7));
    return [...get(local), ...get(local), ...shuffle(moved)];
  }
  const left = [...get(local), ...constant(bits), ...SHIFT_LEFT];
  return [...left, ...get(local), ...constant(64 - bits), ...SHIFT_RIGHT, ...OR];
}

function lanes(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
