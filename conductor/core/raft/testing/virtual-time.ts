/** A clock that jumps from event to event: whatever is scheduled runs in the order of time, then of scheduling. */

interface Timed {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A small seeded generator (mulberry32): uniform in [0, 1). */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class VirtualTime {
  nowMs = 0;
  #queue: Timed[] = [];
  #order = 0;

  /** When the next event is due, Infinity without one. */
  get nextMs(): number {
    return this.#queue[0]?.atMs ?? Infinity;
  }

  after(delayMs: number, run: () => void): void {
    const timed = { atMs: this.nowMs + delayMs, order: this.#order++, run };
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#queue[middle]!.atMs <= timed.atMs) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, timed);
  }

  runNext(): void {
    const next = this.#queue.shift();
    if (!next) return;
    this.nowMs = Math.max(this.nowMs, next.atMs);
    next.run();
  }
}
