/**
 * Makes a round of health checks every interval, the first one interval after start, and reports each
 * verdict; a round still open when the next is due is waited for. Between rounds it looks at the node
 * alone when its head asks for it (head-watch.ts). Rollup-boost is asked in rounds only, last and for a
 * node that is healthy otherwise; while it hangs, rounds go on, so that it delays no verdict on the node.
 * It also asks whether the sequencer runs, so that a node restarted behind our back is seen.
 */
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { sequencerActive } from '../node/calls.ts';
import {
  judge,
  judgeRollupBoost,
  requestsOf,
  timestampOf,
  unsafeHeadOf,
  type Answers,
  type HealthOptions,
  type Verdict,
} from './checks.ts';
import { HeadWatch } from './head-watch.ts';
import { PartialTolerance, rollupBoostRequest, type RollupBoostOptions } from './rollup-boost.ts';

export interface MonitorHost {
  nowMs(): number;
  /** Wall time, milliseconds. */
  unixMs(): number;
  call(request: NodeRequest): number;
  /** Wall seconds at which the sequencer was last started; null when it was not. */
  startedAtSeconds(): number | null;
  /** Starts and stops ordered so far; handed back with what the node says of its sequencer. */
  commandEpoch(): number;
  /** `head` is the node's unsafe head, null when it did not say. */
  verdict(verdict: Verdict, head: Head): void;
  observed(active: boolean, commandEpoch: number): void;
}

/** Milliseconds from one round to the next, and from one block of the rollup to the next. */
export interface MonitorPace {
  readonly intervalMs: number;
  readonly blockTimeMs: number;
}

type Head = ReturnType<typeof unsafeHeadOf>;

export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #intervalMs: number;
  readonly #host: MonitorHost;
  readonly #head: HeadWatch;
  #nextAtMs: number;
  #round: { readonly answers: Map<number, CallResult | null>; readonly isFull: boolean } | null = null;
  #boostCallId: number | null = null;
  /** What the latest round said of the node alone. */
  #node: { readonly isHealthy: boolean; readonly head: Head } = { isHealthy: false, head: null };
  readonly #boost: { readonly options: RollupBoostOptions; readonly tolerance: PartialTolerance } | null;
  #activeCall: { readonly id: number; readonly commandEpoch: number } | null = null;

  constructor(options: HealthOptions, pace: MonitorPace, host: MonitorHost) {
    const { intervalMs, blockTimeMs } = pace;
    this.#options = options;
    this.#intervalMs = intervalMs;
    this.#head = new HeadWatch({ unsafeIntervalSeconds: options.unsafeIntervalSeconds, blockTimeMs });
    this.#host = host;
    this.#nextAtMs = host.nowMs() + intervalMs;
    const { rollupBoost } = options;
    this.#boost = rollupBoost === null ? null : { options: rollupBoost, tolerance: new PartialTolerance(rollupBoost) };
  }

  nextDeadlineMs(): number {
    return this.#round !== null ? Infinity : Math.min(this.#nextAtMs, this.#head.lookAtMs);
  }

  /** The own sequencer's block was committed: the next one is expected a block time later. */
  blockCommitted(): void {
    this.#head.blockCommitted(this.#host.nowMs());
  }

  tick(): void {
    const nowMs = this.#host.nowMs();
    if (nowMs < this.nextDeadlineMs()) return;
    // Rounds keep their pace; after a stall the missed ones are not made up for.
    const isFull = nowMs >= this.#nextAtMs;
    if (isFull) this.#nextAtMs = Math.max(this.#nextAtMs + this.#intervalMs, nowMs + 1);
    this.#head.looked(nowMs);
    const answers = new Map(requestsOf(this.#options).map((request) => [this.#host.call(request), null]));
    this.#round = { answers, isFull };
    this.#activeCall = { id: this.#host.call(sequencerActive), commandEpoch: this.#host.commandEpoch() };
  }

  callDone(id: number, result: CallResult): void {
    if (this.#activeCall?.id === id) {
      const { commandEpoch } = this.#activeCall;
      this.#activeCall = null;
      if (result.kind === 'result' && typeof result.value === 'boolean')
        this.#host.observed(result.value, commandEpoch);
      return;
    }
    if (this.#boostCallId === id) return this.#boostDone(result);
    if (this.#round === null || !this.#round.answers.has(id)) return;
    const { answers, isFull } = this.#round;
    answers.set(id, result);
    const [syncStatus, peerStats, executionPeers] = [...answers.values()];
    if (syncStatus == null || peerStats == null || executionPeers === null) return;
    this.#round = null;
    this.#judge({ syncStatus, peerStats, executionPeers: executionPeers ?? null }, isFull);
  }

  #judge(answers: Answers, isFull: boolean): void {
    const { syncStatus } = answers;
    const verdict = judge(this.#options, answers, this.#nowSeconds, this.#countsFromSeconds(syncStatus));
    this.#node = { isHealthy: verdict.isHealthy, head: unsafeHeadOf(syncStatus) };
    if (this.#boost === null || !verdict.isHealthy) return this.#host.verdict(verdict, this.#node.head);
    if (isFull) this.#boostCallId ??= this.#host.call(rollupBoostRequest(this.#boost.options));
  }

  /** An answer that comes when the node has become unhealthy says nothing: the node's verdict stands. */
  #boostDone(result: CallResult): void {
    this.#boostCallId = null;
    if (this.#boost === null || !this.#node.isHealthy) return;
    const { options, tolerance } = this.#boost;
    this.#host.verdict(judgeRollupBoost(options, result, tolerance, this.#nowSeconds), this.#node.head);
  }

  /** Since when the head's age counts; null: from its own time. */
  #countsFromSeconds(syncStatus: CallResult): number | null {
    const startedAtSeconds = this.#host.startedAtSeconds();
    const headSeconds = syncStatus.kind === 'result' ? timestampOf(syncStatus.value, 'unsafe_l2') : null;
    if (headSeconds === null) return startedAtSeconds;
    return this.#head.seen(headSeconds, startedAtSeconds, { nowMs: this.#host.nowMs(), unixMs: this.#host.unixMs() });
  }

  get #nowSeconds(): number {
    return Math.floor(this.#host.unixMs() / 1000);
  }
}
