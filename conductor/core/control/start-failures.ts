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
  #isHopeless = false;
  #isBelowLog = false;
  #failedHead: string | null = null;
  #troubleAtMs = -Infinity;
  /** What it stood on, where that was another branch. */
  #troubleHead: string | null = null;
  /** It was on another branch, or its client disputed a block: it does not come back by itself, and counts as unfit for longer. */
  #wasHopeless = false;

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
    this.triedOn();
  }

  started(): void {
    this.startOver();
    this.#troubleAtMs = -Infinity;
    this.#troubleHead = null;
    this.#wasHopeless = false;
  }

  /** What fails now has been tried since then in vain. */
  failingSince(sinceMs: number): void {
    this.#sinceMs ??= sinceMs;
  }

  /** It is tried on here, until others have spoken or its client has synced: nothing is hopeless any more. */
  triedOn(): void {
    this.#isHopeless = false;
    this.#isBelowLog = false;
    this.#failedHead = null;
  }

  /**
   * A node on another branch than the committed chain is not tried any longer, nor one that needs a block which another
   * node has and the log does not (`isBelowLog`); `head` is what it stands on, if that is known to be of no use.
   */
  failed(isHopeless: boolean, nowMs: number, head: string | null = null, isBelowLog = false): void {
    this.#sinceMs ??= nowMs;
    this.#isHopeless = isHopeless;
    this.#isBelowLog = isBelowLog;
    this.#failedHead = isHopeless ? head : null;
    if (this.hasFailed(nowMs)) this.#noteTrouble(nowMs);
  }

  /** It needs a block that the log no longer holds: leadership is of use only where a node has it. */
  get isBelowLog(): boolean {
    return this.#isBelowLog;
  }

  /** On this head the own node could not be started, for it is on another branch: nor could any other node. */
  isFailedHead(headHash: string | null | undefined): boolean {
    return this.#failedHead !== null && headHash === this.#failedHead;
  }

  /** The own node's head is on the committed chain: one that was on another branch has come back, as after L1 took blocks. */
  backOnChain(): void {
    if (this.#troubleHead !== null) this.#troubleAtMs = -Infinity;
    this.#troubleHead = null;
  }

  /** The own node and its client hold the newest block: nothing that they disputed is left, whatever branch it was on. */
  onTip(): void {
    if (this.#wasHopeless) this.#troubleAtMs = -Infinity;
    this.#wasHopeless = false;
    this.#troubleHead = null;
  }

  /** Whether its head is of interest: it was on another branch when it was last tried. */
  get wasOnOtherBranch(): boolean {
    return this.#troubleHead !== null;
  }

  /** Leadership was handed on, perhaps for that. */
  handedOn(nowMs: number): void {
    if (this.hasFailed(nowMs)) this.#noteTrouble(nowMs);
    this.startOver();
  }

  /** It has been tried for long enough. */
  hasFailed(nowMs: number): boolean {
    return this.#isHopeless || (this.#sinceMs !== null && nowMs - this.#sinceMs >= this.#failingMsMax);
  }

  /** Whether it could not be started lately, in this leadership or an earlier one. */
  trouble(nowMs: number): StartTrouble {
    const agoMs = nowMs - this.#troubleAtMs;
    if (agoMs < (this.#wasHopeless ? doubtfulMs : unfitMs)) return 'unfit';
    return agoMs < doubtfulMs ? 'doubtful' : 'none';
  }

  #noteTrouble(nowMs: number): void {
    this.#troubleAtMs = nowMs;
    this.#troubleHead = this.#failedHead;
    this.#wasHopeless = this.#isHopeless && !this.#isBelowLog;
  }
}
