/**
 * The time that a request may take; longer by what it takes to read after a stall of our own, so that no answer is too late
 * for having lain here.
 */
import { LATE_MS, READING_MS } from '#conductor/core/own-stall';

export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  /** `ms`: at least that long, from now on. */
  constructor(ms: number) {
    const dueMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueMs <= LATE_MS) this.#controller.abort();
      else this.#timer = setTimeout(() => this.#controller.abort(), READING_MS);
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
