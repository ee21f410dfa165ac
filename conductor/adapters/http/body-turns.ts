/**
 * The turns of the event loop in which bodies are read: one that is not small per turn, so that peers, timers and
 * other callers are heard between two of them, however many are complete at once.
 */

/** Bodies below this are read whenever they come, bytes: a thousand of them cost some milliseconds. */
export const pacedBytesMin = 32 * 1024;

/** Bodies above this are read in steps, bytes: reading one below takes about ten milliseconds. */
export const steppedBytesMin = 8 * 1024 * 1024;

export class BodyTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Takes this turn; false when another has it, or others wait for theirs. */
  take(): boolean {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    setImmediate(() => this.#next());
    return true;
  }

  /** Runs `work` in a turn of its own, after those that waited before. */
  queue(work: () => void): void {
    this.#waiting.push(work);
    this.take();
  }

  #next(): void {
    const work = this.#waiting.shift();
    this.#isTaken = work !== undefined;
    if (work === undefined) return;
    setImmediate(() => this.#next());
    work();
  }
}
