/** A set of page numbers below a bound, one bit each: 64 GiB of 4 KiB pages take 2 MiB. */
export class PageSet {
  readonly #bits: Uint8Array;

  /** @param bound numbers are 0..bound-1. */
  constructor(bound: number, like?: PageSet) {
    this.#bits = like === undefined ? new Uint8Array(Math.ceil(bound / 8)) : like.#bits.slice();
  }

  /** Adds a number; false if it was there. */
  add(page: number): boolean {
    const byte = page >>> 3;
    const bit = 1 << (page & 7);
    const before = this.#bits[byte] ?? 0;
    this.#bits[byte] = before | bit;
    return (before & bit) === 0;
  }
}
