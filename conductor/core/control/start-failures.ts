/**
 * How long this node could not be started, and whether that is long enough to hand leadership on; peers are
 * told for a while, however healthy the node looks (the known failure “unprovisioned”).
 */

/** How long a node that could not be started is told to peers as not fit, milliseconds. */
const troubleMs = 60_000;

export class StartFailures {
  readonly #failingMsMax: number;
  #sinceMs: number | null = null;
  #isOnOtherBranch = false;
  #troubleAtMs = -Infinity;

  /** `failingMsMax`: how long starting may fail before leadership is handed on. */
  constructor(failingMsMax: number) {
    this.#failingMsMax = failingMsMax;
  }

  leadershipChanged(): void {
    this.startOver();
  }

  /** What failed may not fail any more. */
  startOver(): void {
    this.#sinceMs = null;
    this.#isOnOtherBranch = false;
  }

  started(): void {
    this.#sinceMs = null;
    this.#troubleAtMs = -Infinity;
  }

  /** A node on another branch than the committed chain is not tried any longer. */
  failed(isOnOtherBranch: boolean, nowMs: number): void {
    this.#sinceMs ??= nowMs;
    this.#isOnOtherBranch = isOnOtherBranch;
    if (this.hasFailed(nowMs)) this.#troubleAtMs = nowMs;
  }

  /** It has been tried for long enough. */
  hasFailed(nowMs: number): boolean {
    return this.#isOnOtherBranch || (this.#sinceMs !== null && nowMs - this.#sinceMs >= this.#failingMsMax);
  }

  /** It could not be started lately, in this leadership or an earlier one. */
  isTrouble(nowMs: number): boolean {
    return nowMs - this.#troubleAtMs < troubleMs;
  }
}
