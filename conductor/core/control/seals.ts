/**
 * What the own sequencer seals that its client or the others' refuse (rule 29): its job is dropped, leadership goes to another
 * server, recover mode is switched on and off. bad-seals.ts counts and says which; here it is done.
 */
import type { BlockRef } from '../node/calls.ts';
import type { ControlHost, ControlOptions } from './control-host.ts';
import type { ControlReport } from './control-report.ts';
import type { ControlState } from './control-state.ts';
import type { ControlWork } from './control-work.ts';
import { RecoverMode } from './recover-mode.ts';
import { chooseNextTurn, chooseNextRefuser, type TransferChoice } from './target.ts';

/** What it reads, and through what it acts. */
interface SealDependencies {
  readonly options: ControlOptions;
  readonly host: ControlHost;
  readonly state: ControlState;
  readonly work: ControlWork;
  readonly report: ControlReport;
}

export class Seals {
  readonly #options: ControlOptions;
  readonly #host: ControlHost;
  readonly #state: ControlState;
  readonly #work: ControlWork;
  readonly #report: ControlReport;
  readonly #recoverMode: RecoverMode;
  /** The own sequencer was believed to build when that was last looked at. */
  #wasActive = false;

  constructor({ options, host, state, work, report }: SealDependencies) {
    this.#options = options;
    this.#host = host;
    this.#state = state;
    this.#work = work;
    this.#report = report;
    this.#recoverMode = new RecoverMode(host);
  }

  /** Another leadership: whether recover mode is on is not known. */
  leads(): void {
    this.#recoverMode.forget();
  }

  /** The own client refused a block that the own sequencer offered (rule 29). */
  refused(seal: BlockRef, message: string): void {
    if (this.#isFreeLeader) this.#leaveJob(seal, message, this.#nextTurn(seal), true);
  }

  /**
   * The own sequencer offered the committed tip again: a job that was dropped, or another server's, gave it the same block.
   * False where nothing can be done about that, because an operator has taken over.
   */
  offeredAgain(seal: BlockRef): boolean {
    if (!this.#state.leadsFreely) return false;
    // op-node offers what was refused once more, also while its job is being dropped.
    if (this.#work.kind !== null && this.#work.kind !== 'catchUp') return true;
    this.#state.sealedHash = seal.hash;
    this.review();
    return true;
  }

  /**
   * What the own sequencer sealed was committed, and is proved invalid. That took more than a second, and the same job
   * gives the same block: another server goes on from its parent, one that is known to be healthy, or stands there as well.
   */
  review(): void {
    const state = this.#state;
    const seal = state.leadsFreely ? state.invalidSeal : null;
    if (seal === null) return;
    if (this.#work.kind === 'catchUp') this.#work.cancelUnlessOrdering();
    if (this.#work.kind !== null) return;
    state.sealedHash = '';
    const choice = this.#choiceAfter(seal);
    const isWordLost = choice.kind !== 'none' && this.#isOnOperatorsWord(seal);
    const message = isWordLost
      ? 'an operator gave it up and has to say so to the next leader: conductor repair'
      : 'it was committed, and execution clients refuse it';
    this.#leaveJob(seal, message, choice, false);
  }

  /** The own client cannot execute what follows its head, nor could an empty block: leadership goes to whom has not had a turn. */
  clientIsUnable(): void {
    if (!this.#isFreeLeader) return;
    const choice = this.#nextTurn(null);
    if (choice.kind !== 'none') this.#work.beginHandOver(choice);
  }

  /** A block of the own sequencer was committed; `isValidated`: its client has found it valid. */
  committed(isValidated: boolean): void {
    const tip = this.#host.chain.head();
    this.#state.sealed(tip?.hash ?? '');
    this.#state.badSeals.committed({ number: tip?.number ?? 0n, isValidated }, this.#host.nowMs());
    this.reconcileRecoverMode();
  }

  /** On only while this server leads and needs it, and never left on (rule 29). */
  reconcileRecoverMode(): void {
    const { leadsFreely, mayReconcile, badSeals, active } = this.#state;
    // One that stands may be that of an op-node that was restarted, which has forgotten what it was told.
    if (this.#wasActive && active !== true && mayReconcile) this.#recoverMode.forget();
    this.#wasActive = active === true;
    // What an operator has set under a pause or an override stays.
    const mustEnd = this.#recoverMode.isLent || (mayReconcile && this.#recoverMode.isUnknown);
    if (!this.#options.mayRecover || (!leadsFreely && !mustEnd)) return;
    this.#recoverMode.reconcile(leadsFreely && badSeals.isRecovering(this.#host.nowMs()));
  }

  /** When `reconcileRecoverMode` is wanted, monotonic milliseconds; Infinity for never. */
  nextDeadlineMs(): number {
    if (!this.#options.mayRecover) return Infinity;
    const recoverMs = this.#state.badSeals.nextChangeMs(this.#host.nowMs());
    return Math.min(recoverMs, this.#recoverMode.nextDeadlineMs());
  }

  /** Has the block not sealed again; `mayRetry`: a first one costs nothing but its job. */
  #leaveJob(seal: BlockRef, message: string, choice: TransferChoice, mayRetry: boolean): void {
    const state = this.#state;
    const nowMs = this.#host.nowMs();
    const { blockTimeMs, mayRecover } = this.#options;
    const wasRecovering = state.badSeals.isRecovering(nowMs);
    const ways = { canHandOver: choice.kind !== 'none', mayRecover, mayRetry };
    const action = state.badSeals.refused(seal, state.commandEpoch, ways, nowMs);
    this.#report.badSeal(action, seal, message);
    if (action === 'dropJob') this.#work.beginDropJob(0);
    else if (action === 'handOver') this.#work.beginHandOver(choice);
    else if (action === 'dropLater') this.#work.beginDropJob(blockTimeMs / 2);
    else if (action === 'recover') {
      this.reconcileRecoverMode();
      this.#work.beginDropJob(wasRecovering ? blockTimeMs / 2 : 0);
    }
  }

  /** This server leads, may act, and is busy with nothing. */
  get #isFreeLeader(): boolean {
    return this.#state.leadsFreely && this.#work.kind === null;
  }

  /**
   * To whom the lead goes. On an operator's word, which this leader alone has heard, to nobody as long as there is something to
   * try here; then to anybody, who has to be told it again.
   */
  #choiceAfter(seal: BlockRef): TransferChoice {
    if (this.#isOnOperatorsWord(seal))
      return this.#state.badSeals.hasTriedAll(this.#options.mayRecover) ? this.#nextTurn(seal) : { kind: 'none' };
    const choice = this.#nextTurn(seal);
    return choice.kind === 'healthy' ? choice : this.#nextRefuser(seal);
  }

  #isOnOperatorsWord(seal: BlockRef): boolean {
    return this.#host.refusal(seal)?.kind === 'operator';
  }

  /** Who has not had its turn lately, when this seal is refused; null for none. */
  #nextTurn(seal: BlockRef | null): TransferChoice {
    return this.#state.successors.choose((peers, options, nowMs) =>
      chooseNextTurn(peers, options, this.#turnMs(seal), nowMs),
    );
  }

  /** The same of those whose client refuses the block, too. */
  #nextRefuser(seal: BlockRef): TransferChoice {
    return this.#state.successors.choose((peers, options, nowMs) =>
      chooseNextRefuser(seal, peers, options, this.#turnMs(seal), nowMs),
    );
  }

  #turnMs(seal: BlockRef | null): number {
    return this.#state.badSeals.turnMs(seal, this.#state.commandEpoch);
  }
}
