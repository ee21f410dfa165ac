/**
 * The time that a request may take. A process that stands still (a slow disk, a busy machine) finds its timers due before
 * it has read what came meanwhile: that is read first, so that no answer is too late for having lain here.
 */

/** A timer that comes so much later than it is due, and how long reading takes then; milliseconds. */
const lateMs = 20;
const readingMs = 5;

export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  /** `ms`: at least that long, from now on. */
  constructor(ms: number) {
    const dueMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueMs <= lateMs) this.#controller.abort();
      else this.#timer = setTimeout(() => this.#controller.abort(), readingMs);
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
