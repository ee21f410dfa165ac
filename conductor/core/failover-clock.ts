/**
 * Measures failovers as the rollup's users feel them: from the moment the old leader was lost to the start
 * of the own sequencer, handed over or elected.
 */
import type { Metrics } from './ports.ts';

export class FailoverClock {
  readonly #metrics: Metrics;
  readonly #selfId: string;
  #isFollowing = false;
  /** Monotonic ms; null while another leader is known, or none ever was. */
  #lostAtMs: number | null = null;

  constructor(metrics: Metrics, selfId: string) {
    this.#metrics = metrics;
    this.#selfId = selfId;
  }

  /** Who leads, as far as this server knows; null for nobody. */
  leaderIs(leaderId: string | null, nowMs: number): void {
    if (leaderId !== null && leaderId !== this.#selfId) {
      this.#isFollowing = true;
      this.#lostAtMs = null;
    } else if (this.#isFollowing) this.#lostAtMs ??= nowMs;
  }

  /** When the own sequencer was last started as leader; null where it was not. May be told again and again. */
  sequencerStarted(atMs: number | null): void {
    if (atMs === null || this.#lostAtMs === null || atMs < this.#lostAtMs) return;
    this.#metrics.observe('failover_seconds', (atMs - this.#lostAtMs) / 1000);
    this.#isFollowing = false;
    this.#lostAtMs = null;
  }
}
