/** A short name of everything that happened in a run, the same on every engine: two 32-bit hashes over each event and its time. */
import { hashText } from './streams.ts';

export class Trace {
  #low = 0x811c9dc5;
  #high = 0xc2b2ae35;

  /** Takes in something that happened: what, to whom, when (milliseconds, to the microsecond). */
  add(what: string, who: number, atMs: number): void {
    const time = Math.round(atMs * 1000);
    this.#mix(hashText(what));
    this.#mix(who);
    this.#mix(time % 4294967296);
    this.#mix(Math.floor(time / 4294967296));
  }

  /** 16 hex digits. */
  get hash(): string {
    return [this.#high, this.#low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #mix(number: number): void {
    this.#low = Math.imul(this.#low ^ (number >>> 0), 0x01000193);
    this.#high = Math.imul(this.#high ^ Math.imul(number >>> 0, 0x9e3779b1), 0x85ebca6b) + this.#low;
  }
}
