/**
 * Keccak-256 of many messages in one memory, two at a time: a block's transactions are thousands of short ones, and
 * hashing them one by one is most of what checking a block hash costs. Where an engine has no vectors, they are hashed
 * one by one all the same.
 */
import { assert } from '../assert.ts';
import { keccakPairModule, roundConstants } from './keccak-pair-code.ts';
import { BLOCK_BYTES, CONSTANTS, FREE, HASH_BYTES, JOB_BYTES } from './keccak-pair-layout.ts';
import { keccak256 } from './keccak.ts';

export { BLOCK_BYTES, HASH_BYTES };
/** Most messages between two calls of `hash`. */
export const MESSAGES_MAX = 1024;

const PAGES = 5;
const PAGE_BYTES = 65_536;
const MODULE = keccakPairModule(PAGES);
const JOB_WORDS = JOB_BYTES / 4;
/** The callers' part of the memory: messages and hashes; what follows takes the padding of a message at its end. */
export const MEMORY_FROM = FREE + JOB_BYTES * MESSAGES_MAX;
export const MEMORY_TO = PAGES * PAGE_BYTES - BLOCK_BYTES;

type Hash = (job: number, end: number) => void;

/** A memory of its own, and the messages in it that are to be hashed. */
export class KeccakPairs {
  /** For callers from MEMORY_FROM to MEMORY_TO − 1. */
  readonly memory: Uint8Array;
  readonly #jobs: Uint32Array;
  /** Null where there are no vectors. */
  readonly #hash: Hash | null;
  #words = 0;

  constructor(hasVectors = WebAssembly.validate(MODULE)) {
    const { buffer, hash } = hasVectors ? instantiate() : { buffer: new ArrayBuffer(PAGES * PAGE_BYTES), hash: null };
    this.memory = new Uint8Array(buffer);
    this.#jobs = new Uint32Array(buffer, FREE, JOB_WORDS * MESSAGES_MAX);
    this.#hash = hash;
  }

  /** Takes a message from `start` to `end` − 1, behind which BLOCK_BYTES are free for padding; its hash goes to `out`. */
  add(start: number, end: number, out: number): void {
    const word = this.#words;
    assert(word < this.#jobs.length, 'messages between two calls of hash number MESSAGES_MAX at most');
    this.#jobs[word] = start;
    this.#jobs[word + 1] = end;
    this.#jobs[word + 2] = out;
    this.#words = word + JOB_WORDS;
  }

  /** Writes the hashes of all messages taken, HASH_BYTES each. */
  hash(): void {
    if (this.#hash === null) this.#hashSingly();
    else this.#hash(FREE, FREE + 4 * this.#words);
    this.#words = 0;
  }

  #hashSingly(): void {
    for (let word = 0; word < this.#words; word += JOB_WORDS) {
      const message = this.memory.subarray(this.#jobs[word], this.#jobs[word + 1]);
      this.memory.set(keccak256(message), this.#jobs[word + 2]);
    }
  }
}

function instantiate(): { readonly buffer: ArrayBuffer; readonly hash: Hash } {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
  const { memory, hash } = exports as unknown as {
    readonly memory: { readonly buffer: ArrayBuffer };
    readonly hash: Hash;
  };
  new Uint32Array(memory.buffer, CONSTANTS).set(roundConstants());
  return { buffer: memory.buffer, hash };
}
