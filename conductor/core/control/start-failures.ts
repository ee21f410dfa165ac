/**
 * How long this node could not be started, and whether that is long enough to hand leadership on; peers are
 * told for a while, however healthy the node looks (the known failure “unprovisioned”).
 */

/**
 * How long a node that could not be started is told to peers as not fit, and after that as one of which it is not known:
 * what kept it from starting may have ended, and where nobody else is left it is worth another try. Milliseconds.
 */
const unfitMs = 10_000;
const doubtfulMs = 60_000;

/** What earlier attempts to start the node say of the next one. */
export type StartTrouble = 'none' | 'unfit' | 'doubtful';

export class StartFailures {
  readonly #failingMsMax: number;
  #sinceMs: number | null = null;
  #isOnOtherBranch = false;
  #hopelessHead: string | null = null;
  #troubleAtMs = -Infinity;
  /** Since then, how long it counts as unfit. */
  #unfitMs = unfitMs;

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
    this.#hopelessHead = null;
  }

  started(): void {
    this.startOver();
    this.#troubleAtMs = -Infinity;
  }

  /** A node on another branch than the committed chain is not tried any longer; `head` is what it stands on, if that is known. */
  failed(isOnOtherBranch: boolean, nowMs: number, head: string | null = null): void {
    this.#sinceMs ??= nowMs;
    this.#isOnOtherBranch = isOnOtherBranch;
    this.#hopelessHead = isOnOtherBranch ? head : null;
    if (this.hasFailed(nowMs)) this.#noteTrouble(nowMs);
  }

  /** Whose node stands where this one could not be started fares no better, however healthy it says it is. */
  isHopelessOn(headHash: string | null | undefined): boolean {
    return this.#hopelessHead !== null && headHash === this.#hopelessHead;
  }

  /** Leadership was handed on, perhaps for that. */
  handedOn(nowMs: number): void {
    if (this.hasFailed(nowMs)) this.#noteTrouble(nowMs);
    this.startOver();
  }

  /** It has been tried for long enough. */
  hasFailed(nowMs: number): boolean {
    return this.#isOnOtherBranch || (this.#sinceMs !== null && nowMs - this.#sinceMs >= this.#failingMsMax);
  }

  /** Whether it could not be started lately, in this leadership or an earlier one. */
  trouble(nowMs: number): StartTrouble {
    const agoMs = nowMs - this.#troubleAtMs;
    if (agoMs < this.#unfitMs) return 'unfit';
    return agoMs < doubtfulMs ? 'doubtful' : 'none';
  }

  /** A node on another branch does not come back by itself. */
  #noteTrouble(nowMs: number): void {
    this.#troubleAtMs = nowMs;
    this.#unfitMs = this.#isOnOtherBranch ? doubtfulMs : unfitMs;
  }
}
