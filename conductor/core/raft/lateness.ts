/**
 * How late what is expected at a known time has come at most: the memory of a failure detector (rule 34). One late
 * heartbeat makes it patient at once, and it takes half a minute of punctual ones to forget it: a link that has lost
 * something loses again. What has led to an election that nobody needed is kept for longer, and for longer each time.
 */
import { MEMORY_MS, NEEDLESS_MEMORY_MS } from './timing.ts';

export class Lateness {
  #latestMs = 0;
  #beforeMs = 0;
  #sinceMs = -Infinity;
  #needless = { lateMs: 0, untilMs: -Infinity, forMs: NEEDLESS_MEMORY_MS.min / 2 };

  /** Takes note of something that came `lateMs` after it was expected; negative for early. */
  note(lateMs: number, nowMs: number): void {
    this.#forget(nowMs);
    this.#latestMs = Math.max(this.#latestMs, lateMs);
  }

  /** Takes note that a leader was replaced who came back: `lateMs` would have borne it. */
  noteNeedless(lateMs: number, nowMs: number): void {
    const forMs = Math.min(2 * this.#needless.forMs, NEEDLESS_MEMORY_MS.max);
    this.#needless = { lateMs, untilMs: nowMs + forMs, forMs };
  }

  /** The most of what is remembered, ms ≥ 0. */
  maxMs(nowMs: number): number {
    this.#forget(nowMs);
    const { lateMs, untilMs } = this.#needless;
    return Math.max(this.#latestMs, this.#beforeMs, nowMs < untilMs ? lateMs : 0);
  }

  #forget(nowMs: number): void {
    const agoMs = nowMs - this.#sinceMs;
    if (agoMs < MEMORY_MS) return;
    this.#beforeMs = agoMs < 2 * MEMORY_MS ? this.#latestMs : 0;
    this.#latestMs = 0;
    this.#sinceMs = nowMs;
  }
}
