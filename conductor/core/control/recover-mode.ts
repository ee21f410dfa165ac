/**
 * Keeps op-node's recover mode (`admin_setRecoverMode`: blocks of deposits alone) as it should be: what is wanted is
 * compared with what the node was last told, and said again until it is confirmed. A node that does not know the method
 * has no such mode. At election it is not known whether somebody left it on.
 */
import { setRecoverMode, type CallResult, type NodeRequest } from '../node/calls.ts';

/** --sequencer.recover-mode: whether op-node's recover mode may be switched on as a last resort (rule 29). */
export type RecoverModePolicy = 'auto' | 'off';

/** After a failed call, milliseconds. */
const retryMs = 500;

export interface RecoverModeHost {
  nowMs(): number;
  /** `then` is called once, with the result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
}

export class RecoverMode {
  readonly #host: RecoverModeHost;
  /** What the node is known to be in; null for not known. */
  #known: boolean | null = null;
  /** What it is being told; null while it is told nothing. */
  #asked: { readonly isOn: boolean } | null = null;
  #retryAtMs = -Infinity;

  constructor(host: RecoverModeHost) {
    this.#host = host;
  }

  /** This conductor has switched it on, or is about to. */
  get isOn(): boolean {
    return this.#known === true || this.#asked?.isOn === true;
  }

  /** Another leadership: an operator, or a leader before, may have set it. */
  forget(): void {
    this.#known = null;
    this.#retryAtMs = -Infinity;
  }

  /** To be called whenever what is wanted may have changed. */
  reconcile(wanted: boolean): void {
    if (this.#known === wanted || this.#asked !== null || this.#host.nowMs() < this.#retryAtMs) return;
    this.#asked = { isOn: wanted };
    this.#host.call(setRecoverMode(wanted), (result) => this.#told(wanted, result));
  }

  #told(isOn: boolean, result: CallResult): void {
    this.#asked = null;
    if (result.kind === 'failed') {
      this.#known = null;
      this.#retryAtMs = this.#host.nowMs() + retryMs;
    } else {
      this.#known = result.kind === 'result' ? isOn : false;
      if (result.kind === 'error' && isOn) this.#retryAtMs = Infinity;
    }
  }

  /** When `reconcile` is wanted after a failed call; Infinity for never. */
  nextDeadlineMs(): number {
    return this.#known === null && this.#asked === null && this.#retryAtMs > this.#host.nowMs()
      ? this.#retryAtMs
      : Infinity;
  }
}
