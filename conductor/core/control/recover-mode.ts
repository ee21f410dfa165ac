/**
 * Keeps op-node's recover mode (`admin_setRecoverMode`: blocks of deposits alone) as it should be: what is wanted is
 * compared with what the node was last told, and said again until it is confirmed. A node that does not know the method
 * has no such mode. At start and at election it is not known whether somebody left it on, nor after an op-node may have been
 * restarted, for it keeps the mode in memory.
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
  /** It is being told, and has not answered. */
  #isAsked = false;
  #isLent = false;
  #retryAtMs = -Infinity;

  constructor(host: RecoverModeHost) {
    this.#host = host;
  }

  /** This conductor has told the node to switch it on, and the node has not confirmed since that it is off. */
  get isLent(): boolean {
    return this.#isLent;
  }

  /** Somebody may have left it on: the process before this one, a leader before, or an operator. */
  get isUnknown(): boolean {
    return this.#known === null;
  }

  /** Another leadership, for which an operator or a leader before may have set it, or perhaps another process of op-node. */
  forget(): void {
    this.#known = null;
    this.#retryAtMs = -Infinity;
  }

  /** To be called whenever what is wanted may have changed. */
  reconcile(wanted: boolean): void {
    if (this.#known === wanted || this.#isAsked || this.#host.nowMs() < this.#retryAtMs) return;
    this.#isAsked = true;
    if (wanted) this.#isLent = true;
    this.#host.call(setRecoverMode(wanted), (result) => this.#told(wanted, result));
  }

  #told(isOn: boolean, result: CallResult): void {
    this.#isAsked = false;
    if (result.kind === 'failed') {
      this.#known = null;
      this.#retryAtMs = this.#host.nowMs() + retryMs;
    } else {
      this.#known = this.#isLent = result.kind === 'result' ? isOn : false;
      if (result.kind === 'error' && isOn) this.#retryAtMs = Infinity;
    }
  }

  /** When `reconcile` is wanted after a failed call; Infinity for never. */
  nextDeadlineMs(): number {
    return this.#known === null && !this.#isAsked && this.#retryAtMs > this.#host.nowMs() ? this.#retryAtMs : Infinity;
  }
}
