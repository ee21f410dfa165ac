/**
 * The control loop: keeps the sequencer running exactly where leadership and health say (decide.ts).
 * Inputs (leadership, verdict, pause, resume, what the node says) are state, not messages, so none is
 * lost while a procedure runs; each change is looked at again at once. One procedure runs at a time,
 * is cancelled when no longer wanted, and a failed one is tried again after a random 0–2 s.
 */
import { stopTimeoutMs, type CallResult } from './calls.ts';
import { bringBack, ChainDoubt } from './bring-back.ts';
import type { CatchUpHost } from './catch-up.ts';
import type { ControlHost, ControlOptions, ControlVerdict } from './control-host.ts';
import { ControlReport } from './control-report.ts';
import { decide, type Decision } from './decide.ts';
import type { Steps } from './effects.ts';
import { Procedure } from './procedure.ts';
import { start, type StartOutcome } from './start.ts';
import { StartFailures } from './start-failures.ts';
import { readActive, stop, type StopOutcome } from './stop.ts';
import { chooseTarget, type TransferChoice } from './target.ts';

/** Longest random pause before a failed action is tried again, milliseconds. */
const retryPauseMaxMs = 2000;
/** Longest wait for a stop before leadership is handed over all the same, milliseconds. */
const stopBeforeTransferTimeoutMs = 1000;

type Work = 'readActive' | 'start' | 'stop' | 'transfer' | 'catchUp';

export class ControlLoop {
  readonly #options: ControlOptions;
  readonly #host: ControlHost;
  readonly #report: ControlReport;
  #isLeader = false;
  #term = 0;
  #verdict: ControlVerdict = { isHealthy: true, nodeAnswers: true };
  /** null: not known, to be read from the node before anything else is decided. */
  #active: boolean | null;
  #isPaused: boolean;
  #isStopped = false;
  #work: { readonly kind: Work; readonly term: number; readonly run: Procedure<never> } | null = null;
  #retryAtMs = 0;
  #startedAtMs: number | null = null;
  readonly #startFailures: StartFailures;
  readonly #doubt = new ChainDoubt();
  /** Counts starts and stops asked for, so that an older answer about the sequencer is not believed. */
  #orders = 0;

  constructor(options: ControlOptions, host: ControlHost) {
    this.#options = options;
    this.#host = host;
    this.#report = new ControlReport(host);
    this.#isPaused = options.isPaused;
    this.#active = options.isActive;
    this.#startFailures = new StartFailures(this.#graceMs);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** What the sequencer is believed to do; null when not known. */
  get active(): boolean | null {
    return this.#active;
  }

  /** Starts and stops asked for so far; pass it back to `observeActive`. */
  get orders(): number {
    return this.#orders;
  }

  /** When the sequencer was last started by this loop, monotonic milliseconds. */
  get startedAtMs(): number | null {
    return this.#startedAtMs;
  }

  /** It could not be started lately: leadership is wasted on this node, however healthy it looks. */
  get hasStartTrouble(): boolean {
    return this.#startFailures.isTrouble(this.#host.nowMs());
  }

  leadershipChanged(isLeader: boolean, term: number): void {
    const hasChanged = isLeader !== this.#isLeader || (isLeader && term !== this.#term);
    this.#isLeader = isLeader;
    this.#term = term;
    if (!hasChanged) return;
    this.#startFailures.leadershipChanged();
    this.#doubt.leadershipChanged(isLeader);
    if (!isLeader) this.#startedAtMs = null;
    this.#nudge();
  }

  verdictChanged(verdict: ControlVerdict): void {
    this.#verdict = verdict;
    this.#nudge();
  }

  /** The node said, in an answer to a question asked when `orders` was the count, whether it sequences. */
  observeActive(active: boolean, orders: number): void {
    if (orders !== this.#orders || this.#work !== null || this.#active === active) return;
    this.#host.logger.log('info', 'sequencer active status updated', { active });
    this.#active = active;
    this.#nudge();
  }

  /** The own node builds beside the committed chain: post it what it lost, so that it drops its stale job (rule 3). */
  nodeIsOff(): void {
    this.#doubt.refused();
    this.act();
  }

  /** Rule 3 was tried for this committed head, to its end. */
  wasBroughtTo(tipHash: string): boolean {
    return this.#doubt.wasTriedFor(tipHash) && this.#work?.kind !== 'catchUp';
  }

  /** Hands leadership to a peer whose node holds the committed head (rule 6). */
  handTo(target: string): void {
    if (this.#work === null && this.#isLeader && !this.#isPaused && !this.#isStopped)
      this.#beginTransfer({ kind: 'healthy', target, exclude: [] });
  }

  rollbackRefused(why: string): void {
    this.#report.rollbackRefused(why);
  }

  pause(): void {
    this.#isPaused = true;
    this.#cancelUnlessOrdering();
  }

  /** Goes on; `active` was read from the node by a question asked when `orders` was the count. */
  resume(active: boolean, orders: number): void {
    this.#isPaused = false;
    if (this.#work === null && orders === this.#orders) this.#active = active;
    this.#nudge();
  }

  /** No action any more; a start or stop that the node has been told is still heard to its end. */
  shutDown(): void {
    this.#isStopped = true;
    this.#cancelUnlessOrdering();
  }

  /** The node has been told to start or stop and has not answered yet. */
  get hasOrderInFlight(): boolean {
    return this.#work?.run.isOrdering === true;
  }

  callDone(id: number, result: CallResult): void {
    this.#work?.run.callDone(id, result);
    this.act();
  }

  readDone(id: number, isConfirmed: boolean, message: string): void {
    this.#work?.run.readDone(id, isConfirmed, message);
    this.act();
  }

  transferDone(id: number, isDone: boolean, message: string): void {
    this.#work?.run.transferDone(id, isDone, message);
    this.act();
  }

  tick(): void {
    this.#work?.run.tick();
    this.act();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    if (this.#work !== null) return this.#work.run.deadlineMs();
    if (this.#isPaused || this.#isStopped) return Infinity;
    const nowMs = this.#host.nowMs();
    const mustLook = this.#isLeader && !this.#verdict.isHealthy && this.#startedAtMs !== null;
    const graceEndsAtMs = mustLook ? this.#startedAtMs! + this.#graceMs : Infinity;
    const later = (atMs: number): number => (atMs > nowMs ? atMs : Infinity);
    return Math.min(later(this.#retryAtMs), later(graceEndsAtMs));
  }

  /** Looks at the state and begins what it asks for. */
  act(): void {
    if (this.#isPaused || this.#isStopped) this.#cancelUnlessOrdering();
    if (this.#isStopped) return;
    this.#report.state(this.#isLeader, this.#verdict.isHealthy, this.#active ?? true);
    if (this.#work !== null) {
      if (this.#isWanted(this.#work.kind, this.#work.term)) return;
      this.#cancelUnlessOrdering();
      if (this.#work !== null) return;
    }
    if (this.#isPaused || this.#host.nowMs() < this.#retryAtMs) return;
    if (this.#active === null && this.#isLeader) {
      this.#begin('readActive', readActive(), (outcome) => this.#activeRead(outcome));
      return;
    }
    this.#carryOut(this.#decide());
  }

  #carryOut(decision: Decision): void {
    if ('alarm' in decision && decision.alarm !== null) this.#report.alarm('no-healthy-peer', decision.alarm, {});
    switch (decision.action) {
      case 'stop':
        this.#beginStop(stopTimeoutMs, () => undefined);
        return;
      case 'start':
        this.#beginStart();
        return;
      case 'transfer':
        this.#beginTransfer(decision.choice);
        return;
      case 'stopAndTransfer':
        this.#stopThenTransfer(decision.choice);
        return;
      default: // none, report, wait, keep: the next change is looked at again.
        if (this.#doubt.exists && this.#isLeader && this.#active === true) this.#beginCatchUp();
    }
  }

  /** A node that does not answer cannot confirm a stop: leadership goes first, the stop is repeated as follower. */
  #stopThenTransfer(choice: TransferChoice): void {
    if (!this.#verdict.nodeAnswers) return this.#beginTransfer(choice);
    const term = this.#term;
    this.#beginStop(stopBeforeTransferTimeoutMs, () => {
      // Whether or not it stopped: commits need leadership, which another node can use better.
      const isWanted = this.#isLeader && this.#term === term && !this.#verdict.isHealthy;
      if (isWanted && !this.#isPaused && !this.#isStopped) this.#beginTransfer(choice);
    });
  }

  #decide(): Decision {
    const host = this.#host;
    const options = this.#options;
    const nowMs = host.nowMs();
    const graceMs = this.#graceMs;
    return decide(
      { leader: this.#isLeader, healthy: this.#verdict.isHealthy, active: this.#active ?? true },
      {
        nodeAnswers: this.#verdict.nodeAnswers,
        isInGrace:
          this.#verdict.mayRecover !== false && this.#startedAtMs !== null && nowMs - this.#startedAtMs < graceMs,
        hasStartFailed: this.#startFailures.hasFailed(nowMs),
        // Looked for only where a decision hangs on it: this runs with every event.
        get choice() {
          return chooseTarget(host.peers(), options, nowMs);
        },
      },
    );
  }

  /** How long recovery is waited for, milliseconds (rule 19). */
  get #graceMs(): number {
    const { unsafeIntervalMs, blockTimeMs } = this.#options;
    return Math.max(unsafeIntervalMs, 2 * blockTimeMs);
  }

  /** Whether the running work is still what the state asks for. */
  #isWanted(kind: Work, term: number): boolean {
    if (kind === 'readActive') return this.#isLeader;
    if (kind === 'transfer' || kind === 'catchUp') return this.#isLeader && term === this.#term;
    const { action } = this.#decide();
    if (kind === 'stop') return action === 'stop' || action === 'stopAndTransfer';
    return this.#isLeader && term === this.#term && action === 'start';
  }

  #beginStop(timeoutMs: number, then: () => void): void {
    this.#orders += 1;
    this.#begin('stop', stop(timeoutMs), (outcome) => {
      this.#stopped(outcome);
      then();
    });
  }

  #stopped(outcome: StopOutcome): void {
    this.#report.stopDone(outcome);
    if (outcome.kind === 'retry') return this.#retryLater();
    this.#active = false;
    this.#startedAtMs = null;
  }

  #beginStart(): void {
    const term = this.#term;
    const host = this.#host;
    const steps = start({
      ...this.#catchUpHost(),
      policy: this.#options.rollback,
      vouchedHash: this.#options.vouchedHash,
      peers: () => host.peers(),
      random: () => host.random(),
      isStillLeader: () => {
        const isStill = this.#isLeader && host.isLeaderOf(term) && this.#isWanted('start', term) && !this.#isPaused;
        if (isStill) this.#orders += 1;
        return isStill;
      },
    });
    this.#begin('start', steps, (outcome) => this.#startDone(outcome, term));
  }

  #startDone(outcome: StartOutcome, term: number): void {
    this.#report.startDone(outcome);
    if (outcome.kind === 'started') {
      this.#active = true;
      this.#startedAtMs = this.#host.nowMs();
      this.#startFailures.started();
      if (term === this.#term) this.#doubt.settled();
      return;
    }
    this.#startFailures.failed(outcome.kind === 'otherBranch', this.#host.nowMs());
    if (outcome.kind === 'uncertain') this.#active = null;
    this.#retryLater();
  }

  /** After a refusal once per committed head, or for ever the same (rule 3). */
  #beginCatchUp(): void {
    const attempt = this.#doubt.take(this.#host.chain.head());
    if (attempt === null) return;
    const host = this.#catchUpHost();
    let postedCount = 0;
    const posted = (count: number): void => {
      postedCount += count;
      host.posted(count);
    };
    this.#begin('catchUp', bringBack({ ...host, posted }), (outcome) => {
      const isNews = postedCount > 0 || outcome.kind === 'stuck' || outcome.kind === 'otherBranch';
      if (attempt.isRefusal || isNews) this.#report.catchUpDone(outcome);
    });
  }

  #catchUpHost(): CatchUpHost {
    const { chain, metrics } = this.#host;
    return {
      chain,
      nowMs: () => this.#host.nowMs(),
      posted: (count) => metrics.count('catch_up_payloads_total', {}, count),
    };
  }

  #beginTransfer(choice: TransferChoice): void {
    if (choice.kind === 'none') return;
    const { target, exclude } = choice;
    this.#begin('transfer', transfer(target, exclude), (outcome) => {
      this.#report.transferDone(target, outcome);
      if (!outcome.isDone) return this.#retryLater();
      this.#isLeader = false; // It is gone already; the notice that says so comes after this result.
      this.#startedAtMs = null;
    });
  }

  #activeRead(outcome: { readonly active: boolean | null; readonly message: string }): void {
    if (outcome.active === null) {
      this.#host.logger.log('warn', 'cannot read whether the sequencer runs', { err: outcome.message });
      // Believing that it runs is safe for a leader: an unhealthy one is then stopped and handed over.
      this.#active = true;
      this.#retryLater();
    } else {
      this.#active = outcome.active;
    }
  }

  #begin<Outcome>(kind: Work, steps: Steps<Outcome>, onDone: (outcome: Outcome) => void): void {
    const run = new Procedure<Outcome>(steps, this.#host, (outcome) => {
      this.#work = null;
      onDone(outcome);
    });
    this.#work = { kind, term: this.#term, run: run as unknown as Procedure<never> };
    run.begin();
  }

  #cancelUnlessOrdering(): void {
    if (this.#work === null || this.#work.run.isOrdering) return;
    if (this.#work.kind === 'catchUp') this.#doubt.cutShort();
    this.#work.run.cancel();
    this.#work = null;
  }

  #retryLater(): void {
    this.#retryAtMs = this.#host.nowMs() + this.#host.random() * retryPauseMaxMs;
  }

  /** A new fact: no need to wait out the pause. */
  #nudge(): void {
    this.#retryAtMs = 0;
    this.act();
  }
}

function* transfer(
  target: string | null,
  exclude: readonly string[],
): Steps<{ readonly isDone: boolean; readonly message: string }> {
  const answer = yield { kind: 'transfer', target, exclude };
  return answer.kind === 'transfer' ? answer : { isDone: false, message: 'the transfer was cancelled' };
}
