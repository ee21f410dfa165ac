/**
 * Carries out what the state asks for (control-state.ts): one procedure at a time, and what it came to goes back
 * into the state. A failed one is tried again after a random 0–2 s. A start or stop that the node has been told
 * of is heard to its end; anything else may be cancelled.
 */
import { resyncNode } from './resync.ts';
import type { CatchUpHost } from './catch-up.ts';
import type { ControlHost, ControlOptions } from './control-host.ts';
import type { ControlReport } from './control-report.ts';
import type { ControlState, WorkKind } from './control-state.ts';
import type { Decision } from './decide.ts';
import type { BlockRef } from '../node/calls.ts';
import type { Steps } from '../node/effects.ts';
import { bringToEndOfLog } from './end-of-log.ts';
import { Procedure } from '../node/procedure.ts';
import { areMostOffLog, leftBelowLog } from './rollback.ts';
import { start, type StartOutcome } from './start.ts';
import { dropJob, readActive, stop, stopBeforeTransferMs, type StopOutcome } from './stop.ts';
import { isHeldElsewhere, type TransferChoice } from './target.ts';
import { transfer } from './transfer.ts';

/** Longest random pause before a failed action is tried again, milliseconds. */
const retryPauseMaxMs = 2000;
/** Pause before a start is tried again that needs the word of other voters, or of the own client, which is asked about many blocks; milliseconds. */
const disputePauseMs = 250;
const withheldPauseMs = 500;

/** What the work reads, writes and reports to. */
interface WorkDependencies {
  readonly options: ControlOptions;
  readonly host: ControlHost;
  readonly state: ControlState;
  readonly report: ControlReport;
}

export class ControlWork {
  readonly #options: ControlOptions;
  readonly #host: ControlHost;
  readonly #state: ControlState;
  readonly #report: ControlReport;
  #running: { readonly kind: WorkKind; readonly term: number; readonly run: Procedure<never> } | null = null;

  constructor({ options, host, state, report }: WorkDependencies) {
    this.#options = options;
    this.#host = host;
    this.#state = state;
    this.#report = report;
  }

  /** What it is busy with; null for nothing. */
  get kind(): WorkKind | null {
    return this.#running?.kind ?? null;
  }

  /** The node has been told to start or stop and has not answered yet. */
  get isOrdering(): boolean {
    return this.#running?.run.isOrdering === true;
  }

  /** Whether what runs is still what the state asks for. */
  get isWanted(): boolean {
    return this.#running !== null && this.#state.isWanted(this.#running.kind, this.#running.term);
  }

  /** When `tick` is wanted for what runs, monotonic milliseconds; Infinity for never. */
  deadlineMs(): number {
    return this.#running?.run.deadlineMs() ?? Infinity;
  }

  tick(): void {
    this.#running?.run.tick();
  }

  cancelUnlessOrdering(): void {
    if (this.#running === null || this.#running.run.isOrdering) return;
    // The operator waits for it, paused or not.
    if (this.#running.kind === 'endOfLog' && this.isWanted) return;
    if (this.#running.kind === 'catchUp') this.#state.resync.cutShort();
    this.#running.run.cancel();
    this.#running = null;
  }

  carryOut(decision: Decision): void {
    if ('alarm' in decision && decision.alarm !== null) this.#report.alarm('no-healthy-peer', decision.alarm, {});
    if (this.#state.isStandingJobDue(decision)) {
      this.#report.standingJobDropped();
      return this.beginDropJob(0);
    }
    switch (decision.action) {
      case 'stop':
        this.#beginStop('stop', stop(), () => undefined);
        return;
      case 'start':
        this.#beginStart();
        return;
      case 'transfer':
        this.beginTransfer(decision.choice);
        return;
      case 'stopAndTransfer':
        this.#stopThenTransfer(decision.choice);
        return;
      default: // none, report, wait, keep: the next change is looked at again.
        if (this.#state.resync.exists && this.#state.isLeader && this.#state.active === true) this.#beginCatchUp();
    }
  }

  /** Asks the node whether it sequences. */
  beginReadActive(): void {
    this.#begin('readActive', readActive(), ({ active, message }) => {
      // Believing that it runs is safe for a leader: an unhealthy one is then stopped and handed over.
      this.#state.active = active ?? true;
      if (active !== null) return;
      this.#host.logger.log('warn', 'cannot read whether the sequencer runs', { err: message });
      this.#retryLater();
    });
  }

  /** Gives the node what the own log ends in, unless its sequencer runs; `then` is called whether or not it takes it. */
  beginEndOfLog(then: () => void): void {
    const chain = this.#host.endOfLog;
    const steps = bringToEndOfLog({ ...this.#catchUpHost(), chain }, this.#state.active !== false);
    this.#begin('endOfLog', steps, (outcome) => {
      this.#report.endOfLogDone(outcome, chain.head());
      then();
    });
  }

  beginTransfer(choice: TransferChoice): void {
    if (choice.kind === 'none') return;
    const { target, exclude } = choice;
    this.#begin('transfer', transfer(target, exclude), (outcome) => {
      this.#report.transferDone(outcome);
      if (!outcome.isDone) {
        if (outcome.server !== undefined) this.#state.successors.didNotTake(outcome.server);
        return this.#retryLater();
      }
      this.#state.isLeader = false; // It is gone already; the notice that says so comes after this result.
      this.#state.startFailures.handedOn(this.#host.nowMs());
      this.#state.startedAtMs = null;
    });
  }

  /** Has op-node drop its job: it is stopped, and started again as a leader that is not active is, after a pause. */
  beginDropJob(pauseMs: number): void {
    const mayGoOn = (): boolean => this.#state.mayReconcile;
    this.#beginStop('dropJob', dropJob(mayGoOn), () => {
      if (pauseMs > 0) this.#state.retryAtMs = this.#host.nowMs() + pauseMs;
    });
  }

  /**
   * Stops a sequencer whose block was refused, and hands over whether or not that worked: while this server leads, op-node's
   * stop may wait for that block to become its head, which it never is (stop.ts).
   */
  beginHandOver(choice: TransferChoice): void {
    const { term } = this.#state;
    this.#beginStop('stop', stop(stopBeforeTransferMs.refused), () => {
      if (this.#state.leadsIn(term) && this.#state.mayReconcile) this.beginTransfer(choice);
    });
  }

  /** A node that does not answer cannot confirm a stop: leadership goes first, the stop is repeated as follower. */
  #stopThenTransfer(choice: TransferChoice): void {
    const state = this.#state;
    if (!state.verdict.nodeAnswers) return this.beginTransfer(choice);
    const { term } = state;
    const { standing, otherwise } = stopBeforeTransferMs;
    this.#beginStop('stop', stop(state.standing?.kind === 'own' ? standing : otherwise), () => {
      // Whether or not it stopped: commits need leadership, which another node can use better.
      const isWanted = state.leadsIn(term) && !state.isEligible;
      if (isWanted && state.mayReconcile) this.beginTransfer(choice);
    });
  }

  #beginStop(kind: 'stop' | 'dropJob', steps: Steps<StopOutcome>, then: () => void): void {
    this.#state.commandEpoch += 1;
    this.#begin(kind, steps, (outcome) => {
      this.#stopDone(outcome);
      then();
    });
  }

  #stopDone(outcome: StopOutcome): void {
    this.#report.stopDone(outcome);
    if (outcome.kind === 'retry') return this.#retryLater();
    this.#state.sequencerStopped();
  }

  #beginStart(): void {
    const state = this.#state;
    const host = this.#host;
    const { term } = state;
    const steps = start({
      ...this.#catchUpHost(),
      asksNode: true,
      isTipHeldElsewhere: () => isHeldElsewhere(host.chain.head(), host.peers()),
      trustedHash: this.#options.trustedHash,
      peers: () => host.peers(),
      proofAgainst: (block) => host.proofAgainst(block),
      isLeft: (block) => host.isLeft(block),
      refusal: (block) => host.refusal(block),
      clientRefuses: (block) => host.clientRefuses(block),
      random: () => host.random(),
      isStillLeader: () => {
        const isStill = state.isLeader && host.isLeaderOf(term) && state.isWanted('start', term) && state.mayReconcile;
        if (isStill) state.commandEpoch += 1;
        return isStill;
      },
    });
    this.#begin('start', steps, (outcome) => this.#startDone(outcome, term));
  }

  #startDone(outcome: StartOutcome, term: number): void {
    this.#report.startDone(outcome);
    if (outcome.kind === 'started') return this.#state.sequencerStarted(term);
    if (outcome.kind === 'noHead') {
      // Nothing has failed: an operator was told to start this very server, which is to lead when that is done (rule 19).
      this.#state.startFailures.startOver();
      return this.#retryLater();
    }
    const tip = this.#host.chain.head();
    const isTipHeldElsewhere = isHeldElsewhere(tip, this.#host.peers());
    if (outcome.kind === 'retry' && tip !== null && !isTipHeldElsewhere) this.#tellDispute(tip);
    const isBelowLog = 'isBelowLog' in outcome && outcome.isBelowLog === true;
    const isNeededElsewhere = isBelowLog && outcome.kind === 'retry' && isTipHeldElsewhere;
    if (isBelowLog && !isNeededElsewhere && areMostOffLog(this.#host)) this.#report.rollbackRefused(leftBelowLog);
    const isWithheld = outcome.kind === 'retry' && outcome.isWithheld === true;
    // Nobody is known to be better off: it is tried here until enough voters have spoken, or its client has synced.
    if (isWithheld || (outcome.kind === 'disputed' && !isTipHeldElsewhere)) {
      this.#state.retryAtMs = this.#host.nowMs() + (isWithheld ? withheldPauseMs : disputePauseMs);
      return this.#state.startFailures.triedOn();
    }
    const isHopelessHere = outcome.kind === 'otherBranch' || outcome.kind === 'disputed' || isNeededElsewhere;
    const standsOn = outcome.kind === 'otherBranch' ? outcome.theirs.hash : null;
    if ('sinceMs' in outcome && outcome.sinceMs !== undefined) this.#state.startFailures.failingSince(outcome.sinceMs);
    this.#state.startFailures.failed(isHopelessHere, this.#host.nowMs(), standsOn, isNeededElsewhere);
    this.#host.startTroubleChanged();
    // What follows is no other try, and needs no pause.
    if (isNeededElsewhere) return;
    if (outcome.kind === 'uncertain') {
      this.#state.active = null;
      this.#state.unansweredStartTerm = term;
    }
    this.#retryLater();
  }

  /** The own node does not take the tip, and another voter's node speaks against it: who would have to say what is for operators. */
  #tellDispute(tip: BlockRef): void {
    if (!this.#host.peers().some(({ isVoter, isAgainstTip }) => isVoter && isAgainstTip)) return;
    const proof = this.#host.proofAgainst(tip);
    if (proof.kind === 'unproved') this.#report.rollbackRefused(proof.why);
  }

  /** After a refusal once per committed head, or for ever the same (rule 3). */
  #beginCatchUp(): void {
    const attempt = this.#state.resync.take(this.#host.chain.head(), this.#host.nowMs());
    if (attempt === null) return;
    const host = this.#catchUpHost();
    let postedCount = 0;
    const posted = (count: number): void => {
      postedCount += count;
      host.posted(count);
    };
    const look = { lookNow: () => this.#host.lookNow(), lookedAtMs: () => this.#host.lookedAtMs() };
    const steps = resyncNode({ ...host, ...look, posted }, this.#options.blockTimeMs, attempt.isRefusal);
    this.#begin('catchUp', steps, (outcome) => {
      if (outcome.kind === 'left') return;
      const isNews = postedCount > 0 || outcome.kind === 'stuck' || outcome.kind === 'otherBranch';
      if (attempt.isRefusal || isNews) this.#report.catchUpDone(outcome, this.#host.chain.head());
    });
  }

  #catchUpHost(): CatchUpHost {
    const { chain, metrics, hasEngine } = this.#host;
    return {
      chain,
      hasEngine,
      nowMs: () => this.#host.nowMs(),
      posted: (count) => metrics.count('catch_up_payloads_total', {}, count),
      refusal: (block) => this.#host.refusal(block),
      isForgetting: () => this.#host.isForgetting(),
      mayInsert: () => this.#state.mayReconcile,
      isRefilling: () => this.#host.isRefilling(),
    };
  }

  #begin<Outcome>(kind: WorkKind, steps: Steps<Outcome>, onDone: (outcome: Outcome) => void): void {
    const run = new Procedure<Outcome>(steps, this.#host, (outcome) => {
      this.#running = null;
      onDone(outcome);
    });
    this.#running = { kind, term: this.#state.term, run: run as unknown as Procedure<never> };
    this.#report.begins(kind);
    run.begin();
  }

  #retryLater(): void {
    this.#state.retryAtMs = this.#host.nowMs() + this.#host.random() * retryPauseMaxMs;
  }
}
