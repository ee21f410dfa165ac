/**
 * Seeded randomness in named streams: what one part of the world draws never shifts what another gets, so
 * that leaving an event out of a run changes as little else as possible. The same on every engine.
 */
import type { Random } from '#conductor/core/ports';

/** FNV-1a of a text, 32 bits. */
export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** One stream (mulberry32): uniform in [0, 1), and what is made of that. */
export class Stream implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Uniform in [min, max). */
  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  /** True this often. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** All streams of a run. */
export class Streams {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A fresh stream of that name, always the same one for a seed. */
  named(name: string): Stream {
    // The hash keeps the last characters near each other; neighbouring seeds must have nothing in common.
    return new Stream(scattered(hashText(`${name} ${this.#seed}`)));
  }
}

/** Spreads 32 bits one to one, as the end of murmur3 does. */
function scattered(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
