/**
 * Seeded randomness for process tests: the seed is printed, and CLUSTER_SEED runs it again.
 * Timing of real processes still differs between runs; the choices do not.
 */
import type { Random } from '#conductor/core/ports';

/** splitmix32: small, well mixed, enough for choosing victims and delays. */
export class Seeded implements Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** The seed of CLUSTER_SEED, or a fresh one; prints it with `title`. */
  static announced(title: string): Seeded {
    const given = process.env['CLUSTER_SEED'];
    const random = new Seeded(given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
    console.log(`${title}: CLUSTER_SEED=${random.seed}`);
    return random;
  }

  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** Uniform integer in [from, to). */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from));
  }

  /** A uniformly chosen member of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length)] as T;
  }
}
