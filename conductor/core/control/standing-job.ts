/**
 * When a job that goes nowhere is dropped, by a stop and a start: the head stands for a reason of the own node (rule 31) and
 * nobody can take over. op-node waits for ever in several places, as for the echo of a block that it lost, and both together
 * end that. Where it waits for an L1 that is silent for all it cannot stop either, and a reset costs it a moment when L1 is
 * back; a job that takes long is begun anew: so it is tried ever more rarely.
 */

/** Longest pause between two drops of one head, milliseconds; never shorter than the first. */
const pauseMaxMs = 60_000;

/** What a look at the leader showed. */
export interface StandingLook {
  readonly tipHash: string;
  /** The sequencer goes on, unhealthy, for want of another leader; it is not held up, and no block of it is under way. */
  readonly isKept: boolean;
  /** Its head stands for a reason of its own, as far as is known. */
  readonly isOwn: boolean;
}

export class StandingJob {
  readonly #graceMs: number;
  #tipHash = '';
  #drops = 0;
  /** Not dropped before this, monotonic milliseconds; Infinity while nothing is to be dropped. */
  dueAtMs = Infinity;

  /** `graceMs`: how long recovery is waited for. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Whether the job is to be dropped now. To be told of each look, for it is to have stood all the time. */
  isDue({ tipHash, isKept, isOwn }: StandingLook, nowMs: number): boolean {
    if (tipHash !== this.#tipHash) {
      this.#tipHash = tipHash;
      this.#drops = 0;
      this.dueAtMs = Infinity;
    }
    // Who has been started since is not known to stand for a reason of its own: the head is the same all the same.
    if (this.#drops > 0) return isKept && this.#isTime(nowMs);
    if (!isKept || !isOwn) this.dueAtMs = Infinity;
    else if (this.dueAtMs === Infinity) this.dueAtMs = nowMs + this.#graceMs;
    return this.#isTime(nowMs);
  }

  #isTime(nowMs: number): boolean {
    if (nowMs < this.dueAtMs) return false;
    const pauseMs = this.#graceMs * 2 ** Math.min(this.#drops, 10);
    this.#drops += 1;
    this.dueAtMs = nowMs + Math.min(pauseMs, Math.max(pauseMaxMs, this.#graceMs));
    return true;
  }
}
