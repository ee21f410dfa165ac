/**
 * What the control loop knows: leadership, the verdict on the node, whether it is paused or ended, and what the
 * sequencer is believed to do. Inputs are state, not messages, so none is lost while a procedure runs; what
 * they ask for is read from here whenever one of them has changed (decide.ts).
 */
import { BadSeals } from './bad-seals.ts';
import { ChainResync } from './resync.ts';
import type { ControlHost, ControlOptions, ControlVerdict, Standing } from './control-host.ts';
import { decide, type Decision } from './decide.ts';
import type { BlockRef } from '../node/calls.ts';
import { isProvedInvalid } from './rollback.ts';
import { StandingJob } from './standing-job.ts';
import { StartFailures } from './start-failures.ts';
import { Successors } from './successors.ts';
import type { TransferChoice } from './target.ts';
import { OldHead } from './old-head.ts';

/** What the loop can be busy with. */
export type WorkKind = 'readActive' | 'start' | 'stop' | 'dropJob' | 'transfer' | 'catchUp' | 'endOfLog';

/** A new leader has heard of its peers' status by then, milliseconds: with their first answers and one health check's word. */
const hearPeersMs = 300;
/** What an unsafe interval would decide and is no matter of a head's age is waited for so long at most, or for two blocks (record 0155). */
const recoveryMaxMs = 5000;

type StateHost = Pick<
  ControlHost,
  | ('nowMs' | 'peers' | 'needsSync' | 'isHeldUp' | 'isCommitting' | 'hasLeft' | 'lookNow' | 'lookedAtMs')
  | ('chain' | 'endOfLog' | 'refusal' | 'proofAgainst')
>;

export class ControlState {
  readonly #options: ControlOptions;
  readonly #host: StateHost;
  isLeader = false;
  #leadsSinceMs = -Infinity;
  term = 0;
  verdict: ControlVerdict = { isHealthy: true, nodeAnswers: true };
  /** null: the own sequencer goes on, as far as is known. */
  standing: Standing | null = null;
  /** null: not known, to be read from the node before anything else is decided. */
  active: boolean | null;
  isPaused: boolean;
  /** It has been paused since it was elected to a cluster that had a chain: no operator has asked for a paused leader. */
  wasElectedPaused = false;
  /** The sequencer is the operator's (conductor_overrideLeader). */
  isOverridden = false;
  /** For good. */
  isStopped = false;
  /** When this loop started the sequencer, monotonic milliseconds; null where it did not in this leadership, or stopped it. */
  startedAtMs: number | null = null;
  /** The term in which the last start that was ordered was not answered; null for none. */
  unansweredStartTerm: number | null = null;
  /** A failed action is not tried again before this, monotonic milliseconds. */
  retryAtMs = 0;
  /** Counts starts and stops asked for, so that an older answer about the sequencer is not believed. */
  commandEpoch = 0;
  /** The last block that the own sequencer committed in this leadership; '' for none. */
  sealedHash = '';
  /** When it did, and when it last did so sooner than a slot after the block before, monotonic milliseconds. */
  #sealedAtMs = -Infinity;
  #sealedSoonAtMs = -Infinity;
  readonly startFailures: StartFailures;
  readonly resync: ChainResync;
  readonly badSeals: BadSeals;
  readonly #standingJob: StandingJob;
  readonly successors: Successors;
  readonly #oldHead: OldHead;

  constructor(options: ControlOptions, host: StateHost) {
    this.#options = options;
    this.#host = host;
    this.isPaused = options.isPaused;
    this.active = options.isActive;
    this.resync = new ChainResync(options.healthIntervalMs);
    this.badSeals = new BadSeals(options.blockTimeMs);
    this.startFailures = new StartFailures(this.#recoveryMs);
    this.#standingJob = new StandingJob(this.#graceMs);
    this.successors = new Successors(options, host, this.startFailures);
    this.#oldHead = new OldHead(host, this.#graceMs);
  }

  /** Neither paused nor overridden nor ended: things may be done. */
  get mayReconcile(): boolean {
    return !this.isPaused && !this.isOverridden && !this.isStopped;
  }

  /** This server leads, and things may be done. */
  get leadsFreely(): boolean {
    return this.isLeader && this.mayReconcile;
  }

  /** Leadership is of use here: the node is healthy, and its head does not stand for reasons of its own. */
  get isEligible(): boolean {
    return this.verdict.isHealthy && this.standing?.kind !== 'own';
  }

  /**
   * Leads, and will not sequence: paused since it was elected, and its sequencer was not started by hand, or its node is gone. A
   * leader that is paused later stays, as in op-conductor: that is an operator's wish.
   */
  get leadsForNothing(): boolean {
    const builds = this.active === true && this.verdict.nodeAnswers;
    const isIdle = this.isPaused && !this.isOverridden && !this.isStopped && !builds;
    return this.isLeader && this.wasElectedPaused && isIdle;
  }

  /** To whom leadership goes that is of no use here; 'none' also before peers were heard. */
  get choiceWhilePaused(): TransferChoice {
    return this.#host.nowMs() < this.#handsOverFromMs ? { kind: 'none' } : this.successors.choiceWhilePaused();
  }

  /** Whether this node leads in this very term. */
  leadsIn(term: number): boolean {
    return this.isLeader && this.term === term;
  }

  /** False when it is known already. */
  leadershipChanged(isLeader: boolean, term: number): boolean {
    const hasChanged = isLeader !== this.isLeader || (isLeader && term !== this.term);
    this.isLeader = isLeader;
    this.term = term;
    if (!hasChanged) return false;
    this.sealedHash = '';
    this.#sealedAtMs = this.#sealedSoonAtMs = -Infinity;
    this.startFailures.leadershipChanged();
    this.badSeals.leadershipChanged();
    this.resync.leadershipChanged(isLeader);
    this.wasElectedPaused = isLeader && this.isPaused && this.#isFounded;
    if (isLeader) this.#leadsSinceMs = this.#host.nowMs();
    else this.startedAtMs = null;
    this.standing = null;
    return true;
  }

  /** A head that is suddenly old may be one that the node went back to: what made it go is looked for first. */
  verdictChanged(verdict: ControlVerdict): void {
    this.verdict = verdict;
    const tip = this.#host.chain.head();
    const isBelow = tip !== null && typeof verdict.headNumber === 'bigint' && verdict.headNumber < tip.number;
    this.#oldHead.seen(this.isLeader && this.active === true && verdict.isOnlyStale === true && isBelow);
  }

  /** The node of this leader went back to an old head because L1 took what was above. */
  get hasLeft(): boolean {
    return this.#oldHead.hasLeft;
  }

  /** The tip, where the own sequencer sealed it, clients are proved to refuse it (rule 6), and nothing has taken its place. */
  get invalidSeal(): BlockRef | null {
    const { chain, endOfLog } = this.#host;
    const tip = chain.head();
    if (tip === null || tip.hash !== this.sealedHash || this.active !== true) return null;
    if (!isProvedInvalid(tip, this.#host)) return null;
    return endOfLog.head()?.hash === tip.hash ? tip : null;
  }

  /** The start that was ordered in this term was not answered, and yet the node says that its sequencer runs. */
  get isStartUnanswered(): boolean {
    return this.leadsFreely && this.active === true && this.unansweredStartTerm === this.term;
  }

  /** By a start that was asked for in `term`. */
  sequencerStarted(term: number): void {
    this.unansweredStartTerm = null;
    this.active = true;
    this.startedAtMs = this.#host.nowMs();
    this.startFailures.started();
    if (term === this.term) this.resync.settled();
  }

  sequencerStopped(): void {
    this.unansweredStartTerm = null;
    this.active = false;
    this.startedAtMs = null;
  }

  /** The own sequencer has committed this block. */
  sealed(hash: string): void {
    const nowMs = this.#host.nowMs();
    if (nowMs - this.#sealedAtMs < this.#options.blockTimeMs / 2) this.#sealedSoonAtMs = nowMs;
    this.#sealedAtMs = nowMs;
    this.sealedHash = hash;
  }

  /** What all of it asks for now. */
  decide(): Decision {
    const host = this.#host;
    const nowMs = host.nowMs();
    const { standing, verdict, successors } = this;
    const hasStartFailed = this.startFailures.hasFailed(nowMs) || host.needsSync();
    const isOnlyStale = verdict.isOnlyStale === true;
    const staleAt = isOnlyStale && this.active === false && !hasStartFailed ? verdict.headNumber : null;
    const mayRecover = verdict.mayRecover !== false && standing?.kind !== 'own';
    // Something is wrong, and blocks come all the same: they would not where it is not known whether they could.
    // So they do from one that makes up for a long stand: its head is old for as long as that takes.
    const comesNearer = nowMs - this.#sealedSoonAtMs < this.#options.blockTimeMs;
    const mayBuild = this.active === true && verdict.nodeAnswers && standing === null;
    const stillBuilds = mayBuild && (verdict.isStale !== true || comesNearer);
    const startedMs = mayRecover && this.startedAtMs !== null ? nowMs - this.startedAtMs : Infinity;
    return decide(
      { leader: this.isLeader, healthy: this.isEligible, active: this.active ?? true },
      {
        nodeAnswers: verdict.nodeAnswers,
        clientIsGone: verdict.clientIsGone === true,
        isInGrace: startedMs < (isOnlyStale ? this.#graceMs : this.#recoveryMs) || this.#oldHead.isLeaving,
        isInLongGrace: startedMs < this.#graceMs,
        isCauseCommon: standing?.kind === 'common' && isOnlyStale,
        hasStartFailed,
        isJustElected: nowMs < this.#leadsSinceMs + hearPeersMs,
        // Looked for only where a decision hangs on it: this runs with every event.
        get choice() {
          return successors.choice({ standing, staleAt, stillBuilds });
        },
      },
    );
  }

  /** Whether what is decided leaves a sequencer running whose job is to be dropped. */
  isStandingJobDue({ action }: Decision): boolean {
    const host = this.#host;
    const isKept = action === 'keep' && this.active === true && this.verdict.nodeAnswers;
    const isIdle = isKept && !host.isHeldUp() && !host.isCommitting();
    const look = { tipHash: host.chain.head()?.hash ?? '', isKept: isIdle, isOwn: this.standing?.kind === 'own' };
    return this.#standingJob.isDue(look, host.nowMs());
  }

  /** Whether work that was begun in `term` is still what the state asks for. */
  isWanted(work: WorkKind, term: number): boolean {
    if (work === 'readActive') return this.isLeader;
    if (work === 'endOfLog') return this.isOverridden && !this.isStopped;
    if (work === 'transfer' || work === 'dropJob') return this.leadsIn(term);
    const decision = this.decide();
    const { action } = decision;
    // A node that takes long to come back is not waited for where another holds the head.
    if (work === 'catchUp')
      return this.leadsIn(term) && !(action === 'stopAndTransfer' && decision.choice.kind === 'healthy');
    if (work === 'stop') return action === 'stop' || action === 'stopAndTransfer';
    return this.leadsIn(term) && action === 'start';
  }

  /** When time alone may ask for something else, monotonic milliseconds; Infinity for never. */
  nextChangeMs(): number {
    const nowMs = this.#host.nowMs();
    if (this.leadsForNothing) return this.#handsOverFromMs > nowMs ? this.#handsOverFromMs : Infinity;
    if (!this.mayReconcile) return Infinity;
    const startedAtMs = this.isLeader && !this.verdict.isHealthy ? (this.startedAtMs ?? Infinity) : Infinity;
    const graceEndsAtMs = [startedAtMs + this.#recoveryMs, startedAtMs + this.#graceMs];
    const peersHeardAtMs = this.isLeader ? this.#leadsSinceMs + hearPeersMs : Infinity;
    const jobAtMs = this.isLeader ? this.#standingJob.dueAtMs : Infinity;
    let nextMs = Infinity;
    for (const atMs of [this.retryAtMs, ...graceEndsAtMs, this.#oldHead.untilMs, peersHeardAtMs, jobAtMs])
      if (atMs > nowMs && atMs < nextMs) nextMs = atMs;
    return nextMs;
  }

  /**
   * The log holds a payload, committed or not yet: somebody else could go on with the chain. Without one nobody starts by
   * itself (rule 19): the cluster is being founded, and its leader waits, paused, for the operators who make it complete.
   * Unlike who has votes, this stays true through restarts and changes of members.
   */
  get #isFounded(): boolean {
    return this.#host.endOfLog.head() !== null;
  }

  /** From when on a leader that is paused may hand over. */
  get #handsOverFromMs(): number {
    return Math.max(this.retryAtMs, this.#leadsSinceMs + hearPeersMs);
  }

  /** How long a node is waited for that cannot be started, or is unhealthy for another reason than an old head, milliseconds. */
  get #recoveryMs(): number {
    return Math.min(this.#graceMs, Math.max(recoveryMaxMs, 2 * this.#options.blockTimeMs));
  }

  /** How long recovery is waited for, milliseconds (rule 19). */
  get #graceMs(): number {
    const { unsafeIntervalMs, blockTimeMs } = this.#options;
    return Math.max(unsafeIntervalMs, 2 * blockTimeMs);
  }
}
