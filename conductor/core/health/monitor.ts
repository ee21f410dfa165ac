/**
 * Makes a round of health checks every interval, the first one interval after start, and reports each
 * verdict; a round still open when the next is due is waited for. Between rounds it looks at the node
 * alone when its head asks for it (head-watch.ts). Rollup-boost is asked in rounds only, last and for a
 * node that is healthy otherwise; while it hangs, rounds go on, so that it delays no verdict on the node.
 * A refusal is a verdict at once. Silence is one when the request's time is up, or, where the own sequencer's next
 * block is overdue, when nothing has been heard for an interval, however long this request has been open.
 * It also asks whether the sequencer runs, so that a node restarted behind our back is seen.
 */
import { LATE_MS, READING_MS } from '../own-stall.ts';
import {
  sequencerActive,
  syncHeadOf,
  type BlockRef,
  type CallResult,
  type CallTarget,
  type NodeRequest,
} from '../node/calls.ts';
import type { HealthOptions } from './check.ts';
import {
  judge,
  judgeEarly,
  judgeRollupBoost,
  questionsOf,
  timestampOf,
  unsafeHeadOf,
  type Answers,
  type CheckName,
} from './checks.ts';
import { HeadWatch } from './head-watch.ts';
import { ToldHeads } from './told-heads.ts';
import { PartialTolerance, rollupBoostRequest, type RollupBoostOptions } from './rollup-boost.ts';
import type { Verdict } from './verdict.ts';

export interface MonitorHost {
  nowMs(): number;
  /** Wall time, milliseconds. */
  unixMs(): number;
  /** Starts a request; `then` is called once, with its result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  /** Wall seconds at which the sequencer was last started; null when it was not. */
  startedAtSeconds(): number | null;
  /** Starts and stops ordered so far; handed back with what the node says of its sequencer. */
  commandEpoch(): number;
  /** `head` is the node's unsafe head, `l1` the newest L1 block it knows; null when it did not say. */
  verdict(verdict: Verdict, head: Head, l1: BlockRef | null): void;
  observed(active: boolean, commandEpoch: number): void;
}

/** Milliseconds from one round to the next, and from one block of the rollup to the next. */
export interface MonitorPace {
  readonly intervalMs: number;
  readonly blockTimeMs: number;
}

type Head = ReturnType<typeof unsafeHeadOf>;

/** A question is open for so long at least before its silence is a verdict, milliseconds. */
const silenceMsMin = 300;

interface Asked {
  readonly name: CheckName;
  readonly target: CallTarget;
  result: CallResult | null;
}

interface Round {
  readonly asked: readonly Asked[];
  readonly isFull: boolean;
  readonly beganAtMs: number;
  /** Until when answers are read that came while this process stood still; null while it has not. */
  readUntilMs: number | null;
}

export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #intervalMs: number;
  readonly #host: MonitorHost;
  readonly #head: HeadWatch;
  readonly #toldHeads = new ToldHeads();
  #nextAtMs: number;
  #round: Round | null = null;
  /** When each was heard of last, monotonic milliseconds. */
  readonly #heardAtMs = new Map<CallTarget, number>();
  #isBoostAsked = false;
  /** What the latest round said of the node alone. */
  #node: { readonly isHealthy: boolean; readonly head: Head; readonly l1: BlockRef | null } = {
    isHealthy: false,
    head: null,
    l1: null,
  };
  readonly #boost: { readonly options: RollupBoostOptions; readonly tolerance: PartialTolerance } | null;
  /** Counts questions whether the sequencer runs; the answer to the latest one counts. */
  #activeAsks = 0;

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
    return this.#round === null ? Math.min(this.#nextAtMs, this.#head.lookAtMs) : this.#silentAtMs(this.#round);
  }

  /** The own sequencer's block of that time (Unix seconds) was committed: the next one is expected a block time later. */
  blockCommitted(timestampSeconds: number): void {
    this.#head.blockCommitted(this.#host.nowMs(), timestampSeconds);
  }

  tick(): void {
    const nowMs = this.#host.nowMs();
    if (nowMs < this.nextDeadlineMs()) return;
    if (this.#round !== null) return this.#silenceIsDue(this.#round, nowMs);
    // Rounds keep their pace; after a stall the missed ones are not made up for.
    const isFull = nowMs >= this.#nextAtMs;
    if (isFull) this.#nextAtMs = Math.max(this.#nextAtMs + this.#intervalMs, nowMs + 1);
    this.#head.looked(nowMs);
    const questions = questionsOf(this.#options);
    const asked = questions.map(({ name, request }): Asked => ({ name, target: request.target, result: null }));
    const round = { asked, isFull, beganAtMs: nowMs, readUntilMs: null };
    this.#round = round;
    for (const [at, { request }] of questions.entries())
      this.#host.call(request, (result) => this.#answered(round, asked[at]!, result));
    this.#askWhetherActive();
  }

  #askWhetherActive(): void {
    const asks = ++this.#activeAsks;
    const commandEpoch = this.#host.commandEpoch();
    this.#host.call(sequencerActive, (result) => {
      const isKnown = result.kind === 'result' && typeof result.value === 'boolean';
      if (asks === this.#activeAsks && isKnown) this.#host.observed(result.value as boolean, commandEpoch);
    });
  }

  #answered(round: Round, asked: Asked, result: CallResult): void {
    if (this.#round !== round) return;
    asked.result = result;
    if (asked.name === 'syncStatus') this.#toldHeads.heard(result);
    if (result.kind !== 'failed') this.#heardAtMs.set(asked.target, this.#host.nowMs());
    this.#review(round);
  }

  /** Ends the round when all have answered, or one says all there is to know. */
  #review(round: Round): void {
    const { asked } = round;
    const answers: Answers = Object.fromEntries(asked.map(({ name, result }) => [name, result]));
    const down = judgeEarly(answers, this.#options);
    if (down !== null) return this.#endWith(down, answers);
    if (asked.some(({ result }) => result === null)) return;
    this.#round = null;
    this.#judge(answers, round.isFull);
  }

  /** When the silence of one that is asked is a verdict before its time is up. */
  #silentAtMs({ asked, beganAtMs, readUntilMs }: Round): number {
    const silent = asked.filter(({ result }) => result === null);
    const untilMs = silent.map(({ target }) =>
      Math.max(beganAtMs + silenceMsMin, (this.#heardAtMs.get(target) ?? beganAtMs) + this.#intervalMs),
    );
    return Math.max(readUntilMs ?? 0, this.#head.whenOverdue(Math.min(...untilMs)));
  }

  #silenceIsDue(round: Round, nowMs: number): void {
    if (round.readUntilMs !== null || nowMs - this.#silentAtMs(round) <= LATE_MS) return this.#endInSilence(round);
    round.readUntilMs = nowMs + READING_MS;
  }

  #endInSilence(round: Round): void {
    const message = `no answer, and none for ${this.#intervalMs} ms before`;
    for (const one of round.asked) one.result ??= { kind: 'failed', reason: 'timeout', message };
    this.#review(round);
  }

  #endWith(verdict: Verdict, answers: Answers): void {
    this.#round = null;
    this.#see(verdict, answers);
    this.#tell(verdict);
  }

  #judge(given: Answers, isFull: boolean): void {
    const { syncStatus } = given;
    const answers = syncStatus == null ? given : { ...given, syncStatus: this.#toldHeads.complete(syncStatus) };
    const verdict = judge(answers, {
      options: this.#options,
      nowSeconds: this.#nowSeconds,
      startedAtSeconds: this.#countsFromSeconds(answers),
      committedSeconds: this.#head.committedSeconds(this.#host.nowMs()),
    });
    this.#see(verdict, given);
    if (this.#boost === null || !verdict.isHealthy) return this.#tell(verdict);
    if (!isFull || this.#isBoostAsked) return;
    this.#isBoostAsked = true;
    this.#host.call(rollupBoostRequest(this.#boost.options), (result) => this.#boostAnswered(result));
  }

  /** An answer that comes when the node has become unhealthy says nothing: the node's verdict stands. */
  #boostAnswered(result: CallResult): void {
    this.#isBoostAsked = false;
    if (this.#boost === null || !this.#node.isHealthy) return;
    const { options, tolerance } = this.#boost;
    this.#tell(judgeRollupBoost(options, result, tolerance, this.#nowSeconds));
  }

  #see({ isHealthy }: Verdict, { syncStatus }: Answers): void {
    this.#node = { isHealthy, head: unsafeHeadOf(syncStatus ?? null), l1: syncHeadOf(syncStatus, 'head_l1') };
  }

  #tell(verdict: Verdict): void {
    this.#host.verdict(verdict, this.#node.head, this.#node.l1);
  }

  /** Since when the head's age counts; null: from its own time. */
  #countsFromSeconds({ syncStatus }: Answers): number | null {
    const startedAtSeconds = this.#host.startedAtSeconds();
    const headSeconds = syncStatus?.kind === 'result' ? timestampOf(syncStatus.value, 'unsafe_l2') : null;
    if (headSeconds === null) return startedAtSeconds;
    return this.#head.seen(headSeconds, startedAtSeconds, { nowMs: this.#host.nowMs(), unixMs: this.#host.unixMs() });
  }

  get #nowSeconds(): number {
    return Math.floor(this.#host.unixMs() / 1000);
  }
}
