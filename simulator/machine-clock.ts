/**
 * The clocks of one machine: a monotonic one that may run fast or slow, and a wall clock that may step. Both
 * are functions of the world's time.
 */

/** Wall time at the start of every run, milliseconds since the Unix epoch. */
export const EPOCH_MS = 1_700_000_000_000;

/** A wall clock that is kept right is off by no more, milliseconds. */
const WALL_OFF_MAX_MS = 500;

export class MachineClock {
  #rate = 1;
  #fromWorldMs = 0;
  #fromLocalMs: number;
  /** How far the wall clock is off, milliseconds. */
  wallOffsetMs = 0;

  /** `startMs` is what the monotonic clock shows when the run begins. */
  constructor(startMs: number) {
    this.#fromLocalMs = startMs;
  }

  /** Monotonic milliseconds at a time of the world. */
  monotonicMs(worldMs: number): number {
    return this.#fromLocalMs + (worldMs - this.#fromWorldMs) * this.#rate;
  }

  /** The world's time at which the monotonic clock will show `localMs`. */
  worldMs(localMs: number): number {
    return this.#fromWorldMs + (localMs - this.#fromLocalMs) / this.#rate;
  }

  /** How long so many milliseconds of the monotonic clock take at its present rate. */
  durationMs(localMs: number): number {
    return localMs / this.#rate;
  }

  /** Milliseconds since the Unix epoch, as this machine has it. */
  unixMs(worldMs: number): number {
    return EPOCH_MS + worldMs + this.wallOffsetMs;
  }

  /** Neither fast nor slow, and its wall clock off by no more than clocks are that are kept right. */
  get isRight(): boolean {
    return this.#rate === 1 && Math.abs(this.wallOffsetMs) <= WALL_OFF_MAX_MS;
  }

  /** The machine was suspended for so long: its monotonic clock stood still, its wall clock did not. */
  stoodStill(ms: number): void {
    this.#fromLocalMs -= ms;
  }

  /** From now on the monotonic clock runs `rate` times as fast as the world. */
  setRate(worldMs: number, rate: number): void {
    this.#fromLocalMs = this.monotonicMs(worldMs);
    this.#fromWorldMs = worldMs;
    this.#rate = rate;
  }
}
