/**
 * A bounded number of requests at a time, and a bounded number that wait for their turn, in order. Who waits longer
 * than its own deadline leaves the line.
 */

export interface LaneBounds {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/** How waiting ended; whoever has its 'turn' must `leave`. */
export type Turn = 'turn' | 'full' | 'timeout';

export class Lane {
  readonly #bounds: LaneBounds;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(bounds: LaneBounds) {
    this.#bounds = bounds;
  }

  /** Resolves when it is the caller's turn, at once where there is room. */
  async enter(timeoutMs: number): Promise<Turn> {
    if (this.#running < this.#bounds.runningMax) {
      this.#running += 1;
      return 'turn';
    }
    if (this.#waiting.size >= this.#bounds.waitingMax) return 'full';
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const begin = (): void => resolve('turn');
    this.#waiting.add(begin);
    const timer = setTimeout(() => {
      if (this.#waiting.delete(begin)) resolve('timeout');
    }, timeoutMs);
    const turn = await promise;
    clearTimeout(timer);
    return turn;
  }

  /** The turn is over; the next in line has its own. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
