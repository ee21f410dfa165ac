/**
 * One timer for all requests in flight. Completing a request does not touch it: when it fires, the
 * owner looks at everything and says when it next wants to be called. With steady traffic and equal
 * timeouts that is one timer per timeout, not one per request.
 */

/** Firing later than this means that the process stood still, and answers may wait in the sockets. */
const LATE_MS = 50;

export class DeadlineTimer {
  readonly #now: () => number;
  readonly #expire: (nowMs: number) => number;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #dueMs = Infinity;
  #isStopped = false;

  /** `expire` ends what is due and returns the earliest deadline left, Infinity for none; `now` is monotonic milliseconds. */
  constructor(now: () => number, expire: (nowMs: number) => number) {
    this.#now = now;
    this.#expire = expire;
  }

  /** Makes sure that `expire` is called at `dueMs` or before. */
  at(dueMs: number): void {
    if (dueMs >= this.#dueMs || this.#isStopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, Math.ceil(dueMs - this.#now())));
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #fire(): void {
    this.#timer = null;
    const isLate = this.#now() - this.#dueMs > LATE_MS;
    // Bun runs timers before it polls again; the second immediate comes after a poll.
    if (isLate) setImmediate(() => setImmediate(() => this.#run()));
    else this.#run();
  }

  #run(): void {
    if (this.#isStopped) return;
    this.#dueMs = Infinity;
    this.at(this.#expire(this.#now()));
  }
}
