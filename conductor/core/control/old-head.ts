/**
 * A leader's node that is suddenly on an old head below the committed one: L1 may have taken what was above (rule 6). What made
 * it go is looked for before leadership is handed over, and for as long as recovery is waited for.
 */
import type { ControlHost } from './control-host.ts';

type OldHeadHost = Pick<ControlHost, 'nowMs' | 'lookNow' | 'lookedAtMs' | 'hasLeft'>;

export class OldHead {
  readonly #host: OldHeadHost;
  readonly #graceMs: number;
  /** When it was first seen there, monotonic milliseconds; null while it is not. */
  #sinceMs: number | null = null;

  /** `graceMs`: how long recovery is waited for. */
  constructor(host: OldHeadHost, graceMs: number) {
    this.#host = host;
    this.#graceMs = graceMs;
  }

  /** To be told of each verdict on the node. */
  seen(isBack: boolean): void {
    if (!isBack) this.#sinceMs = null;
    else if (this.#sinceMs === null) {
      this.#sinceMs = this.#host.nowMs();
      this.#host.lookNow();
    }
  }

  /** It is there because L1 took what was above. */
  get hasLeft(): boolean {
    return this.#sinceMs !== null && this.#host.hasLeft();
  }

  /** It is there for L1's sake, or that is not known yet: what its sequencer offers next is rule 6's. */
  get isLeaving(): boolean {
    const sinceMs = this.#sinceMs;
    if (sinceMs === null || this.#host.nowMs() >= this.untilMs) return false;
    return this.#host.lookedAtMs() < sinceMs || this.#host.hasLeft();
  }

  /** Until when that is waited for, monotonic milliseconds; Infinity while it is not there. */
  get untilMs(): number {
    return this.#sinceMs === null ? Infinity : this.#sinceMs + this.#graceMs;
  }
}
