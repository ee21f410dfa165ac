/**
 * Virtual time: what is scheduled runs in the order of its time, then of its scheduling, and the clock jumps
 * from one to the next. A binary heap, because this is the innermost loop of the simulator.
 */

export interface Scheduled {
  atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Events at one moment, beyond which time will never go on. */
const EVENTS_AT_ONCE_MAX = 100_000;

/** Something happens again and again without any time passing. */
export class StandstillError extends Error {
  override readonly name = 'StandstillError';
}

export class EventQueue {
  /** Milliseconds since the run began. */
  nowMs = 0;
  /** Events since time last went on. */
  #atOnce = 0;
  readonly #heap: Scheduled[] = [];
  #order = 0;

  /** Events not run yet. */
  get size(): number {
    return this.#heap.length;
  }

  /** Runs `run` after a delay (≥ 0 ms). */
  after(delayMs: number, run: () => void): Scheduled {
    return this.at(this.nowMs + delayMs, run);
  }

  /** Runs `run` at a time; at once if that has passed. */
  at(atMs: number, run: () => void): Scheduled {
    const heap = this.#heap;
    const scheduled = { atMs: Math.max(atMs, this.nowMs), order: this.#order++, run };
    let at = heap.length;
    heap.push(scheduled);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(scheduled, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = scheduled;
    return scheduled;
  }

  /** Gives what has not run yet another time (not in the past), as if it had been scheduled for then at first. */
  move(scheduled: Scheduled, atMs: number): void {
    scheduled.atMs = Math.max(atMs, this.nowMs);
    // What is sorted is a heap, too.
    this.#heap.sort((left, right) => (isBefore(left, right) ? -1 : 1));
  }

  /** Runs the next event, if one is due by `untilMs`; else moves the clock there and returns false. Throws StandstillError. */
  step(untilMs: number): boolean {
    const next = this.#heap[0];
    if (next === undefined || next.atMs > untilMs) {
      this.nowMs = Math.max(this.nowMs, untilMs);
      return false;
    }
    this.#takeFirst();
    this.#atOnce = next.atMs > this.nowMs ? 0 : this.#atOnce + 1;
    if (this.#atOnce > EVENTS_AT_ONCE_MAX)
      throw new StandstillError(`${EVENTS_AT_ONCE_MAX} events at ${next.atMs} ms, and time does not go on`);
    this.nowMs = next.atMs;
    next.run();
    return true;
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    const { length } = heap;
    if (length === 0) return;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(left: Scheduled, right: Scheduled): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order);
}
