/**
 * Keccak-256 of many messages, two at a time: a block's transactions are thousands of short ones, and hashing them one
 * by one is most of what checking a block hash costs. Where an engine has no vectors, `keccakPairs` is null.
 */
import { BLOCK_BYTES, CONSTANTS, FREE, keccakPairModule, roundConstants } from './keccak-pair-code.ts';

/** Longest message. Transactions are shorter: op-geth's pool takes 128 KiB at most; longer ones are hashed singly. */
export const PAIRED_BYTES_MAX = 128 * 1024;
export const HASH_BYTES = 32;
const PLACE_BYTES = PAIRED_BYTES_MAX + BLOCK_BYTES;
const PAGES = Math.ceil((FREE + 2 * PLACE_BYTES) / 65_536);
/** 25 lanes of two states, in words of 32 bits. */
const STATE_WORDS = 100;

/** Where a message was written. */
export interface Place {
  start: number;
  end: number;
}

/** Writes a message into memory, within PAIRED_BYTES_MAX from `from`, and says where; false leaves this one out. */
export type WriteMessage = (message: number, memory: Uint8Array, from: number, place: Place) => boolean;

export type KeccakPairs = (from: number, to: number, write: WriteMessage, hashes: Uint8Array) => void;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly absorb: (first: number, second: number) => void;
}

/** One of the two states, and the message that goes into it. */
interface Half {
  readonly place: number;
  readonly stateWord: number;
  /** Index of its message, −1 for none. */
  message: number;
  at: number;
  /** Where the padded message ends. */
  end: number;
}

/** Hashes messages `from` to `to` − 1; the hash of each goes to `hashes` at HASH_BYTES times its index. */
export const keccakPairs: KeccakPairs | null = makeKeccakPairs();

function makeKeccakPairs(): KeccakPairs | null {
  const code = keccakPairModule(PAGES);
  if (!WebAssembly.validate(code)) return null;
  const { memory, absorb } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as unknown as Exports;
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  words.set(roundConstants(), CONSTANTS / 4);
  const place: Place = { start: 0, end: 0 };
  const first: Half = { place: FREE, stateWord: 0, message: -1, at: FREE, end: FREE };
  const second: Half = { place: FREE + PLACE_BYTES, stateWord: 2, message: -1, at: FREE, end: FREE };
  const halves = [first, second];

  /** The next message that is not left out goes into this half. */
  function begin(half: Half, from: number, to: number, write: WriteMessage): number {
    let message = from;
    while (message < to && !write(message, bytes, half.place, place)) message++;
    half.message = message < to ? message : -1;
    if (message === to) return to;
    half.at = place.start;
    half.end = place.start + (Math.floor((place.end - place.start) / BLOCK_BYTES) + 1) * BLOCK_BYTES;
    // The original padding: a one, zeros, a one.
    bytes.fill(0, place.end, half.end);
    bytes[place.end] = 0x01;
    bytes[half.end - 1]! |= 0x80;
    for (let word = half.stateWord; word < STATE_WORDS; word += 4) words[word] = words[word + 1] = 0;
    return message + 1;
  }

  function finish(half: Half, hashes: Uint8Array): void {
    for (let lane = 0; lane < HASH_BYTES / 8; lane++) {
      const state = 4 * half.stateWord + 16 * lane;
      for (let at = 0; at < 8; at++) hashes[HASH_BYTES * half.message + 8 * lane + at] = bytes[state + at]!;
    }
  }

  return (from, to, write, hashes) => {
    let next = begin(first, from, to, write);
    next = begin(second, next, to, write);
    while (first.message >= 0 || second.message >= 0) {
      // A half without a message goes through the other's blocks, too, and nobody looks at it.
      absorb(first.message < 0 ? second.at : first.at, second.message < 0 ? first.at : second.at);
      for (const half of halves) {
        if (half.message < 0) continue;
        half.at += BLOCK_BYTES;
        if (half.at < half.end) continue;
        finish(half, hashes);
        next = begin(half, next, to, write);
      }
    }
  };
}
