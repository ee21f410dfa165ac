/**
 * How late what is expected at a known time has come at most: the memory of a failure detector (rule 34). One late
 * heartbeat makes it patient at once, and it takes half a minute of punctual ones to forget it: a link that has lost
 * something loses again.
 */
import { MEMORY_MS } from './timing.ts';

export class Lateness {
  #latestMs = 0;
  #beforeMs = 0;
  #sinceMs = -Infinity;

  /** Takes note of something that came `lateMs` after it was expected; negative for early. */
  note(lateMs: number, nowMs: number): void {
    this.#forget(nowMs);
    this.#latestMs = Math.max(this.#latestMs, lateMs);
  }

  /** The most of what is remembered, ms ≥ 0. */
  maxMs(nowMs: number): number {
    this.#forget(nowMs);
    return Math.max(this.#latestMs, this.#beforeMs);
  }

  #forget(nowMs: number): void {
    const agoMs = nowMs - this.#sinceMs;
    if (agoMs < MEMORY_MS) return;
    this.#beforeMs = agoMs < 2 * MEMORY_MS ? this.#latestMs : 0;
    this.#latestMs = 0;
    this.#sinceMs = nowMs;
  }
}
