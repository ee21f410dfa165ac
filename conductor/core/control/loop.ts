/**
 * The control loop: keeps the sequencer running exactly where leadership and health say (decide.ts). Every input
 * changes the state (control-state.ts), which is looked at again at once; one piece of work runs at a time, and
 * is cancelled when no longer wanted (control-work.ts).
 */
import type { ControlHost, ControlOptions, ControlVerdict, Standing } from './control-host.ts';
import { ControlReport } from './control-report.ts';
import { ControlState } from './control-state.ts';
import { ControlWork } from './control-work.ts';
import { Seals } from './seals.ts';
import type { BlockRef } from '../node/calls.ts';
import type { StartTrouble } from './start-failures.ts';

export class ControlLoop {
  readonly #host: ControlHost;
  readonly #report: ControlReport;
  readonly #state: ControlState;
  readonly #work: ControlWork;
  /** What becomes of bad blocks of the own sequencer. */
  readonly seals: Seals;
  /** Operators' overrides that have no answer yet. */
  readonly #overrides: (() => void)[] = [];
  #mustBringToEnd = false;

  constructor(options: ControlOptions, host: ControlHost) {
    this.#host = host;
    this.#report = new ControlReport(options.selfId, host);
    this.#state = new ControlState(options, host);
    const parts = { options, host, state: this.#state, report: this.#report };
    this.#work = new ControlWork(parts);
    this.seals = new Seals({ ...parts, work: this.#work });
  }

  get isPaused(): boolean {
    return this.#state.isPaused;
  }

  get isOverridden(): boolean {
    return this.#state.isOverridden;
  }

  get isStopped(): boolean {
    return this.#state.isStopped;
  }

  /** What the sequencer is believed to do; null when not known. */
  get active(): boolean | null {
    return this.#state.active;
  }

  /** Starts and stops asked for so far; pass it back to `observeActive`. */
  get commandEpoch(): number {
    return this.#state.commandEpoch;
  }

  /** When the sequencer was last started by this loop, monotonic milliseconds. */
  get startedAtMs(): number | null {
    return this.#state.startedAtMs;
  }

  /** It could not be started lately: leadership may be wasted on this node, however healthy it looks. */
  get startTrouble(): StartTrouble {
    return this.#state.startFailures.trouble(this.#host.nowMs());
  }

  /** This server leads, and the sequencer is believed to build; nothing keeps the loop from acting. */
  get isSequencing(): boolean {
    return this.#state.isLeader && this.#state.mayReconcile && this.#state.active === true;
  }

  get isBusy(): boolean {
    return this.#work.kind !== null;
  }

  /** The node has been told to start or stop and has not answered yet. */
  get hasOrderInFlight(): boolean {
    return this.#work.isOrdering;
  }

  leadershipChanged(isLeader: boolean, term: number): void {
    if (!this.#state.leadershipChanged(isLeader, term)) return;
    if (isLeader) this.seals.leads();
    this.#reconcileSoon();
  }

  verdictChanged(verdict: ControlVerdict): void {
    this.#state.verdictChanged(verdict);
    this.#reconcileSoon();
  }

  /** Heads of the own node and its client, as they were told: where both are on the chain again, or on the tip, it may be started there. */
  nodeIsAt(heads: readonly BlockRef[]): void {
    const { startFailures } = this.#state;
    const tip = this.#host.chain.head();
    if (tip !== null && heads.every(({ hash }) => hash === tip.hash)) startFailures.onTip();
    const isOnChain = ({ number, hash }: BlockRef): boolean => this.#host.chain.at(number)?.hash === hash;
    if (startFailures.wasOnOtherBranch && heads.every(isOnChain)) startFailures.backOnChain();
  }

  /** What the watchdog on commits found; null when the head does not stand (rule 31). */
  headStands(standing: Standing | null): void {
    const state = this.#state;
    const hasChanged = standing?.kind !== state.standing?.kind;
    const isSaidAgain = standing?.waitsFor === 'another server';
    state.standing = standing;
    if (standing !== null && (hasChanged || isSaidAgain)) this.#report.headStands(standing);
    if (hasChanged) this.#reconcileSoon();
  }

  /**
   * The own sequencer commits. What stood for a reason that all shared, or went back with its node, counts as started
   * anew: its head is old (rule 19). So does one whose start was never answered.
   */
  headGoesOn(): void {
    const state = this.#state;
    if (state.isStartUnanswered) state.sequencerStarted(state.term);
    if (state.standing?.kind !== 'common' && !state.hasLeft) return;
    if (state.startedAtMs !== null) state.startedAtMs = this.#host.nowMs();
    if (state.verdict.isOnlyStale === true) state.verdictChanged({ isHealthy: true, nodeAnswers: true });
  }

  /** The own op-node builds, or follows who does, and offers nothing for commit. */
  headRisesUncommitted(head: BlockRef): void {
    this.#report.risesUncommitted(head, this.#host.chain.head());
  }

  /** The own node goes on from a block whose commit was refused. */
  publishesRefused(head: BlockRef): void {
    this.#report.publishesRefused(head, this.#host.chain.head());
  }

  /** The node said, in an answer to a question asked when `commandEpoch` was the count, whether it sequences. */
  observeActive(active: boolean, commandEpoch: number): void {
    const state = this.#state;
    if (commandEpoch !== state.commandEpoch || this.#work.kind !== null || state.active === active) return;
    this.#host.logger.log('info', 'sequencer active status updated', { active });
    state.active = active;
    this.#reconcileSoon();
  }

  /** The own node builds beside the committed chain: post it what it lost, so that it drops its stale job (rule 3). */
  nodeIsOff(): void {
    this.#state.resync.refused();
    this.reconcile();
  }

  /** Rule 3 was tried for this committed head, to its end, and peers have told of their own heads since. */
  wasBroughtTo(tipHash: string): boolean {
    return this.#state.resync.wasTriedFor(tipHash, this.#host.nowMs()) && this.#work.kind !== 'catchUp';
  }

  /** Hands leadership to a peer whose node holds the committed head (rule 6). */
  handTo(target: string): void {
    if (this.#state.leadsFreely && this.#work.kind === null)
      this.#work.beginTransfer({ kind: 'healthy', target, exclude: [] });
  }

  /** Something that the log could not know has changed: what is to be done is tried again at once. */
  tryAgain(): void {
    this.#state.startFailures.startOver();
    this.#reconcileSoon();
  }

  rollbackRefused(why: string): void {
    this.#report.rollbackRefused(why);
  }

  pause(): void {
    this.#state.isPaused = true;
    this.#work.cancelUnlessOrdering();
  }

  /** Goes on; `active` was read from the node by a question asked when `commandEpoch` was the count. */
  resume(active: boolean, commandEpoch: number): void {
    this.#state.wasElectedPaused = false;
    this.#state.isPaused = false;
    if (this.#work.kind === null && commandEpoch === this.#state.commandEpoch) this.#state.active = active;
    this.#reconcileSoon();
  }

  /**
   * While leadership is overridden the sequencer is the operator's: it is neither started nor stopped, and leadership
   * is handed to nobody. `done` is called when the node holds what this server's log ends in, or does not take it.
   */
  override(done: () => void): void {
    this.#state.isOverridden = true;
    this.#overrides.push(done);
    this.#mustBringToEnd = true;
    this.#report.overridden();
    this.#work.cancelUnlessOrdering();
    this.reconcile();
  }

  /** The override is over: what leadership and health ask for is done again, at once. */
  endOverride(): void {
    this.#state.isOverridden = false;
    this.#work.cancelUnlessOrdering();
    this.#answerOverrides();
    this.#reconcileSoon();
  }

  /** No action any more; a start or stop that the node has been told is still heard to its end. */
  shutDown(): void {
    this.#state.isStopped = true;
    this.#work.cancelUnlessOrdering();
    this.#answerOverrides();
  }

  tick(): void {
    this.#work.tick();
    this.reconcile();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    const dueMs = this.#work.kind === null ? this.#state.nextChangeMs() : this.#work.deadlineMs();
    return Math.min(dueMs, this.seals.nextDeadlineMs());
  }

  /** Looks at the state and begins what it asks for; to be called when anything that was asked for has ended, too. */
  reconcile(): void {
    const state = this.#state;
    const work = this.#work;
    this.seals.reconcileRecoverMode();
    if (!state.mayReconcile && !(state.leadsForNothing && work.kind === 'transfer')) work.cancelUnlessOrdering();
    if (state.isStopped) return this.#answerOverrides();
    this.#report.state(state.isLeader, state.isEligible, state.active ?? true);
    this.seals.review();
    if (work.kind !== null) {
      if (work.isWanted) return;
      work.cancelUnlessOrdering();
      if (work.kind !== null) return;
    }
    if (state.isOverridden) return this.#leaveToOperator();
    if (state.leadsForNothing) return work.beginTransfer(state.choiceWhilePaused);
    if (state.isPaused || this.#host.nowMs() < state.retryAtMs) return;
    if (state.active === null && state.isLeader) work.beginReadActive();
    else work.carryOut(state.decide());
  }

  #leaveToOperator(): void {
    if (!this.#mustBringToEnd) return this.#report.leftToOperator(this.#state.decide());
    this.#mustBringToEnd = false;
    this.#work.beginEndOfLog(() => this.#answerOverrides());
  }

  #answerOverrides(): void {
    for (const done of this.#overrides.splice(0)) done();
  }

  /** A new fact: no need to wait out the pause. */
  #reconcileSoon(): void {
    this.#state.retryAtMs = 0;
    this.reconcile();
  }
}
