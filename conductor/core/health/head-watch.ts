/**
 * What one round after the other says of the node's head. It knows when a look is worth more than the
 * next round: the moment the head becomes too old, and the moment the next block of the own sequencer
 * is overdue; a stall or a crash is then seen on time. And it knows a sequencer that is still catching
 * up, whose old head is not to be taken for a stall (rule 19).
 */

/** A block is overdue after this many block times since the last. */
const overdueBlocks = 1.25;
/** For so many block times a block that is overdue is a reason to doubt who is silent; then it is nothing new. */
const doubtedBlocks = 3;

/** The present, on both clocks. */
export interface Moment {
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** Wall time, milliseconds since 1970. */
  readonly unixMs: number;
}

export class HeadWatch {
  readonly #unsafeIntervalSeconds: number;
  readonly #blockTimeMs: number;
  #tooOldAtMs = Infinity;
  #overdueAtMs = Infinity;
  /** From when on the next block is overdue, looked at or not. */
  #doubtedFromMs = Infinity;
  #committedSeconds: number | null = null;
  /** Lowest age of the head since a start, and when it was reached; both in seconds. */
  #lowest: { readonly ageSeconds: number; readonly atSeconds: number } | null = null;

  constructor(options: { readonly unsafeIntervalSeconds: number; readonly blockTimeMs: number }) {
    this.#unsafeIntervalSeconds = options.unsafeIntervalSeconds;
    this.#blockTimeMs = options.blockTimeMs;
  }

  /** When the node is worth a look, monotonic milliseconds; Infinity for never. */
  get lookAtMs(): number {
    return Math.min(this.#tooOldAtMs, this.#overdueAtMs);
  }

  /** A look at the node has begun: what was due is done. */
  looked(nowMs: number): void {
    if (nowMs >= this.#tooOldAtMs) this.#tooOldAtMs = Infinity;
    if (nowMs >= this.#overdueAtMs) this.#overdueAtMs = Infinity;
  }

  /** The own sequencer's block of that time (Unix seconds) was committed. */
  blockCommitted(nowMs: number, timestampSeconds: number): void {
    this.#committedSeconds = timestampSeconds;
    this.#overdueAtMs = nowMs + overdueBlocks * this.#blockTimeMs;
    this.#doubtedFromMs = this.#overdueAtMs;
  }

  /**
   * Time of the newest block that the own sequencer committed, Unix seconds, while the next one is not overdue; null
   * otherwise. op-node tells of its head by its event loop, which its sequencer does not wait for (op-node, driver.go).
   */
  committedSeconds(nowMs: number): number | null {
    return nowMs < this.#doubtedFromMs ? this.#committedSeconds : null;
  }

  /** `atMs`, or when the own sequencer's next block is overdue, if that is later; Infinity once it has been so for long. */
  whenOverdue(atMs: number): number {
    const overdueMs = Math.max(atMs, this.#doubtedFromMs);
    return overdueMs < this.#doubtedFromMs + doubtedBlocks * this.#blockTimeMs ? overdueMs : Infinity;
  }

  /**
   * A round saw a head of this time (Unix seconds). `startedAtSeconds` is when the own sequencer was
   * started, null when it was not. Returns since when its head's age counts: from the start, and for one
   * that catches up from the last time it came nearer.
   */
  seen(headSeconds: number, startedAtSeconds: number | null, { nowMs, unixMs }: Moment): number | null {
    // Ages are whole seconds: the head is too old once the clock shows one second more than is allowed.
    const tooOldUnixMs = (headSeconds + this.#unsafeIntervalSeconds + 1) * 1000;
    this.#tooOldAtMs = tooOldUnixMs > unixMs ? nowMs + tooOldUnixMs - unixMs : Infinity;
    if (startedAtSeconds === null) {
      this.#lowest = null;
      return null;
    }
    const nowSeconds = Math.floor(unixMs / 1000);
    const ageSeconds = nowSeconds - headSeconds;
    const isNewStart = this.#lowest === null || startedAtSeconds > this.#lowest.atSeconds + 1;
    if (isNewStart) this.#lowest = { ageSeconds, atSeconds: startedAtSeconds };
    else if (ageSeconds < (this.#lowest?.ageSeconds ?? 0)) this.#lowest = { ageSeconds, atSeconds: nowSeconds };
    return this.#lowest?.atSeconds ?? startedAtSeconds;
  }
}
