/**
 * The WebAssembly module behind keccak-pairs.ts, written instruction by instruction: Keccak-f[1600] on two states at
 * once, lane by lane side by side in 128-bit vectors (the Keccak reference, 3.1; WebAssembly 2.0 binary format). What
 * compilers make of one state uses half of each vector register.
 *
 * Exports: "memory", round constants at CONSTANTS; "hash"(job, end) hashes the messages that the jobs between these
 * two addresses name, two at a time. A job is three numbers of 32 bits: where its message begins, where it ends, and
 * where the 32 bytes of its hash go. Messages are padded where they stand, in BLOCK_BYTES that must follow each.
 */
import { BLOCK_BYTES, CONSTANTS, HASH_BYTES, JOB_BYTES } from './keccak-pair-layout.ts';
import { constant, get, section, set, simd, tee, unsigned, type Code } from './wasm-code.ts';

/** 25 lanes of two states: lane i of the first at STATE + 16·i, of the second 8 bytes on. */
const STATE = 0;
/** Where every other round puts them. */
const NEXT_STATE = 400;
const LANES = 25;
const BLOCK_LANES = BLOCK_BYTES / 8;
const ROUNDS = 24;

/** By how many bits lane x + 5y is rotated (step ρ). */
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

const VECTOR_TYPE = 0x7b;
const I32_TYPE = 0x7f;
const END = 0x0b;
const LOOP = [0x03, 0x40];
const IF = [0x04, 0x40];
const ELSE = [0x05];
const BRANCH_IF = [0x0d, 0];
/** To the loop around the `if` that this is in. */
const REPEAT = [0x0c, 1];
const CALL_ABSORB = [0x10, 0];
const EQUAL = [0x46];
const LESS_UNSIGNED = [0x49];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const MULTIPLY = [0x6c];
const DIVIDE_UNSIGNED = [0x6e];
const EITHER = [0x72];
const ZERO_LANE = [0x42, 0];
const loadNumber = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const loadByte = [0x2d, 0, 0];
const storeByte = [0x3a, 0, 0];
const loadLane = (offset: number): Code => [0x29, 0, ...unsigned(offset)];
const storeLane = (offset: number): Code => [0x37, 0, ...unsigned(offset)];

const load = (offset: number): Code => simd(0x00, 4, ...unsigned(offset));
const store = (offset: number): Code => simd(0x0b, 4, ...unsigned(offset));
const loadFirstLane = (offset: number): Code => simd(0x5d, 0, ...unsigned(offset));
const loadSecondLane = (offset: number): Code => simd(0x57, 0, ...unsigned(offset), 1);
const shuffle = (order: Code): Code => simd(0x0d, ...order);
const ZERO = simd(0x0c, ...new Array<number>(16).fill(0));
const AND_NOT = simd(0x4f);
const OR = simd(0x50);
const XOR = simd(0x51);
const SHIFT_LEFT = simd(0xcb);
const SHIFT_RIGHT = simd(0xcd);
const ADD_LANES = simd(0xce);
const SUBTRACT_LANES = simd(0xd1);
const LESS_SIGNED = simd(0xd8);

/** The module's bytes, with a memory of so many pages. */
export function keccakPairModule(pages: number): Uint8Array<ArrayBuffer> {
  const functions = [withLength([...absorb(), END]), withLength([...hash(), END])];
  const name = (text: string): Code => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 2, I32_TYPE, I32_TYPE, 0]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('hash'), 0, 1]),
    ...section(10, [functions.length, ...functions.flat()]),
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

/** One of the two states in "hash": the locals that say what goes into it. `end` is 0 where nothing does. */
interface Half {
  readonly lanesAt: number;
  readonly at: number;
  readonly end: number;
  readonly out: number;
}

const JOB = 0;
const JOBS_END = 1;
const MESSAGE_END = 2;
const HALVES: readonly Half[] = [
  { lanesAt: STATE, at: 3, end: 4, out: 5 },
  { lanesAt: STATE + 8, at: 6, end: 7, out: 8 },
];
const HASH_LOCALS = [1, 7, I32_TYPE];

/** A block of each message, until both states have none. */
function hash(): Code {
  const isDone = ({ at, end }: Half): Code => [...get(at), ...get(end), ...EQUAL];
  const step = (half: Half): Code => [
    ...[...get(half.at), ...constant(BLOCK_BYTES), ...ADD, ...set(half.at)],
    ...[...isDone(half), ...IF, ...squeeze(half), END],
  ];
  return [
    ...[...HASH_LOCALS, ...LOOP],
    ...HALVES.flatMap((half) => [...isDone(half), ...IF, ...begin(half), END]),
    ...[...HALVES.flatMap(({ end }) => get(end)), ...EITHER, ...IF],
    ...[...HALVES.flatMap(({ at }) => get(at)), ...CALL_ABSORB, ...HALVES.flatMap(step)],
    ...[...REPEAT, END, END],
  ];
}

/** The next job, if any, for a state of zeros. */
function begin({ lanesAt, at, end, out }: Half): Code {
  const clear = lanes(LANES).flatMap((lane) => [...constant(0), ...ZERO_LANE, ...storeLane(lanesAt + 16 * lane)]);
  const field = (offset: number, local: number): Code => [...get(JOB), ...loadNumber(offset), ...set(local)];
  return [
    ...[...clear, ...get(JOB), ...get(JOBS_END), ...LESS_UNSIGNED, ...IF],
    ...[...field(0, at), ...field(4, MESSAGE_END), ...field(8, out)],
    ...[...get(JOB), ...constant(JOB_BYTES), ...ADD, ...set(JOB)],
    ...[...get(MESSAGE_END), ...get(at), ...SUBTRACT, ...constant(BLOCK_BYTES), ...DIVIDE_UNSIGNED],
    ...[...constant(1), ...ADD, ...constant(BLOCK_BYTES), ...MULTIPLY, ...get(at), ...ADD, ...set(end)],
    // The original padding: a one, zeros, a one.
    ...lanes(BLOCK_LANES).flatMap((lane) => [...get(MESSAGE_END), ...ZERO_LANE, ...storeLane(8 * lane)]),
    ...[...get(MESSAGE_END), ...constant(0x01), ...storeByte],
    ...[...get(end), ...constant(1), ...SUBTRACT, ...tee(MESSAGE_END)],
    ...[...get(MESSAGE_END), ...loadByte, ...constant(0x80), ...EITHER, ...storeByte],
    ...[...ELSE, ...constant(0), ...set(at), ...constant(0), ...set(end), END],
  ];
}

function squeeze({ lanesAt, out }: Half): Code {
  return lanes(HASH_BYTES / 8).flatMap((lane) => [
    ...[...get(out), ...constant(0), ...loadLane(lanesAt + 16 * lane), ...storeLane(8 * lane)],
  ]);
}

/** Parameters of "absorb", then locals: the offset of the round's constant, and vectors. */
const FIRST = 0;
const SECOND = 1;
const ROUND = 2;
const parity = (x: number): number => 3 + x;
const mixed = (x: number): number => 8 + x;
const row = (x: number): number => 13 + x;
const SCRATCH = 18;
/** Which of the states a round takes and makes. */
const FROM = 19;
const TO = 20;
const ABSORB_LOCALS = [3, 1, I32_TYPE, 16, VECTOR_TYPE, 2, I32_TYPE];

/**
 * Mixes a block of each address into the states and permutes them. The states stay in memory, since no processor has
 * registers for them, and the sums of columns that the next round begins with are made while lanes are at hand.
 */
function absorb(): Code {
  const input = lanes(LANES).flatMap((lane) => {
    const kept = [...constant(STATE), ...load(16 * lane)];
    if (lane >= BLOCK_LANES) return [...kept, ...addToParity(lane)];
    return [
      ...[...get(FIRST), ...loadFirstLane(8 * lane), ...set(SCRATCH)],
      ...[...get(SECOND), ...get(SCRATCH), ...loadSecondLane(8 * lane), ...kept, ...XOR, ...set(SCRATCH)],
      ...[...constant(STATE), ...get(SCRATCH), ...store(16 * lane), ...get(SCRATCH), ...addToParity(lane)],
    ];
  });
  return [
    ...[...ABSORB_LOCALS, ...input, ...constant(NEXT_STATE), ...set(TO)],
    ...[...LOOP, ...permute(), ...get(TO), ...get(FROM), ...set(TO), ...set(FROM)],
    ...[...get(ROUND), ...constant(16), ...ADD, ...tee(ROUND), ...constant(16 * ROUNDS), ...LESS_UNSIGNED],
    ...[...BRANCH_IF, END],
  ];
}

/** One round from the lanes at FROM to the lanes at TO, a row of the result at a time. */
function permute(): Code {
  // What step θ adds to each column.
  const mixing = lanes(5).flatMap((x) => [
    ...[...get(parity((x + 4) % 5)), ...rotated(parity((x + 1) % 5), 1), ...XOR, ...set(mixed(x))],
  ]);
  const rows = lanes(5).flatMap((y) => [
    // Steps ρ and π: what comes to column x of this row.
    ...lanes(5).flatMap((x) => {
      const column = lanes(5).find((one) => (2 * one + 3 * x) % 5 === y) as number;
      const lane = column + 5 * x;
      const sum = [...get(FROM), ...load(16 * lane), ...get(mixed(column)), ...XOR];
      return [...sum, ...set(row(x)), ...rotated(row(x), ROTATIONS[lane] as number), ...set(row(x))];
    }),
    // Steps χ and ι.
    ...lanes(5).flatMap((x) => [
      ...[...get(TO), ...get(row(x)), ...get(row((x + 2) % 5)), ...get(row((x + 1) % 5)), ...AND_NOT, ...XOR],
      ...(x === 0 && y === 0 ? [...get(ROUND), ...load(CONSTANTS), ...XOR] : []),
      ...[...tee(SCRATCH), ...store(16 * (x + 5 * y)), ...get(SCRATCH), ...addToParity(x + 5 * y)],
    ]),
  ]);
  return [...mixing, ...rows];
}

/** Adds the lane on the stack to the sum of its column; the first begins it. */
function addToParity(lane: number): Code {
  const sum = parity(lane % 5);
  return lane < 5 ? set(sum) : [...get(sum), ...XOR, ...set(sum)];
}

/**
 * A vector's two lanes rotated to the left. Whole bytes are moved by one instruction, and one bit in three: doubled,
 * less −1 where the sign was set. Shifts are dear: engines bring the count into a vector register for each.
 */
function rotated(local: number, bits: number): Code {
  if (bits === 0) return get(local);
  if (bits === 1) {
    const sign = [...get(local), ...ZERO, ...LESS_SIGNED];
    return [...get(local), ...get(local), ...ADD_LANES, ...sign, ...SUBTRACT_LANES];
  }
  if (bits % 8 < 2) {
    const moved = lanes(16).map((at) => (at & 8) | ((at + 8 - (bits >> 3)) & 7));
    const whole = [...get(local), ...get(local), ...shuffle(moved)];
    return bits % 8 === 0 ? whole : [...whole, ...set(local), ...rotated(local, 1)];
  }
  const left = [...get(local), ...constant(bits), ...SHIFT_LEFT];
  return [...left, ...get(local), ...constant(64 - bits), ...SHIFT_RIGHT, ...OR];
}

function withLength(code: Code): Code {
  return [...unsigned(code.length), ...code];
}

function lanes(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
