/**
 * Makes a round of health checks every interval, the first one interval after start, and reports
 * each verdict. A round that is still open when the next is due is waited for, so at most one is
 * in flight. It also asks whether the sequencer runs, so that a node restarted behind our back is seen.
 */
import type { CallResult, NodeRequest } from '../control/calls.ts';
import { sequencerActive } from '../control/calls.ts';
import { judge, requestsOf, unsafeHeadOf, type HealthOptions, type Verdict } from './checks.ts';

export interface MonitorHost {
  nowMs(): number;
  /** Wall time, seconds. */
  nowSeconds(): number;
  call(request: NodeRequest): number;
  /** Wall seconds at which the sequencer was last started; null when it was not. */
  startedAtSeconds(): number | null;
  /** Starts and stops ordered so far; handed back with what the node says of its sequencer. */
  orders(): number;
  /** `head` is the node's unsafe head, null when it did not say. */
  verdict(verdict: Verdict, head: ReturnType<typeof unsafeHeadOf>): void;
  observed(active: boolean, orders: number): void;
}

export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #intervalMs: number;
  readonly #host: MonitorHost;
  #nextAtMs: number;
  #round: Map<number, CallResult | null> | null = null;
  #activeCall: { readonly id: number; readonly orders: number } | null = null;

  constructor(options: HealthOptions, intervalMs: number, host: MonitorHost) {
    this.#options = options;
    this.#intervalMs = intervalMs;
    this.#host = host;
    this.#nextAtMs = host.nowMs() + intervalMs;
  }

  nextDeadlineMs(): number {
    return this.#round === null ? this.#nextAtMs : Infinity;
  }

  tick(): void {
    const nowMs = this.#host.nowMs();
    if (this.#round !== null || nowMs < this.#nextAtMs) return;
    // Rounds keep their pace; after a stall the missed ones are not made up for.
    this.#nextAtMs = Math.max(this.#nextAtMs + this.#intervalMs, nowMs + 1);
    this.#round = new Map(requestsOf(this.#options).map((request) => [this.#host.call(request), null]));
    this.#activeCall = { id: this.#host.call(sequencerActive), orders: this.#host.orders() };
  }

  callDone(id: number, result: CallResult): void {
    if (this.#activeCall?.id === id) {
      const { orders } = this.#activeCall;
      this.#activeCall = null;
      if (result.kind === 'result' && typeof result.value === 'boolean') this.#host.observed(result.value, orders);
      return;
    }
    if (this.#round === null || !this.#round.has(id)) return;
    this.#round.set(id, result);
    const [syncStatus, peerStats, executionPeers] = [...this.#round.values()];
    if (syncStatus == null || peerStats == null || executionPeers === null) return;
    this.#round = null;
    const answers = { syncStatus, peerStats, executionPeers: executionPeers ?? null };
    const verdict = judge(this.#options, answers, this.#host.nowSeconds(), this.#host.startedAtSeconds());
    this.#host.verdict(verdict, unsafeHeadOf(syncStatus));
  }
}
