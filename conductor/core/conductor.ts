/**
 * The conductor: the replicated log, the payload chain, the control loop, the health monitor and the
 * RPC service behind one event entry point, sans-IO (conductor-components.ts joins them). A host feeds events and
 * carries out what `ready` says (events.ts); the Bun host and the simulator are two of them.
 */
import type { RaftNotice } from './raft/events.ts';
import type { RaftPosition, RaftStatus } from './raft/status.ts';
import type { ChainBlock } from './payload/unsafe-chain.ts';
import { Bootstrap } from './bootstrap.ts';
import { CommitEvents } from './commit-events.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { ConductorComponents } from './components.ts';
import { buildComponents } from './conductor-components.ts';
import type { CallResult } from './node/calls.ts';
import type { ConductorEvent, ConductorReady } from './events.ts';
import { FailoverClock } from './failover-clock.ts';
import { whyWithheld, type WithheldReason } from './flashblocks.ts';
import { publishGauges } from './gauges.ts';
import { RaftReport } from './raft-report.ts';
import { readiness } from './readiness.ts';
import type { Outcome } from './rpc/message.ts';
import type { MethodName } from './rpc/methods.ts';

export class Conductor {
  readonly #options: ConductorOptions;
  readonly #ports: ConductorPorts;
  readonly #components: ConductorComponents;
  readonly #bootstrap: Bootstrap;
  readonly #report: RaftReport;
  readonly #failover: FailoverClock;
  readonly #commits: CommitEvents;
  #isLeader = false;
  /** As `nextDeadlineMs` found it; null once anything has happened that may have changed it. */
  #deadlineMs: number | null = null;

  /** Loads the store; throws StoreError when it cannot be trusted. */
  constructor(options: ConductorOptions, ports: ConductorPorts, nowMs: number) {
    this.#options = options;
    this.#ports = ports;
    this.#components = buildComponents(options, ports, nowMs);
    this.#bootstrap = new Bootstrap(this.#components);
    this.#failover = new FailoverClock(ports.metrics, options.raft.id);
    this.#commits = new CommitEvents(ports.events, this.#components.chain.tip());
    this.#report = new RaftReport(ports, options.raft.id, this.status().configuration, options.addressFault);
  }

  /** Takes one event. `nowMs` is monotonic; smaller values than before count as no time passed. */
  handle(event: ConductorEvent, nowMs: number): void {
    this.#deadlineMs = null;
    const { raft, service, shutdown, commits } = this.#components;
    const now = this.#moveTimeTo(nowMs);
    switch (event.kind) {
      case 'callResult':
        if (raft.position().role === 'leader') this.#tickIfDue(now);
        this.#callEnded(event.callId, event.result);
        break;
      case 'rpc':
        this.#tickIfDue(now);
        service.handle(event);
        break;
      case 'bootstrap':
        this.#bootstrap.begin();
        break;
      case 'drain':
        this.#tickIfDue(now);
        this.#ports.events.publish({ kind: 'shutdown', reason: event.reason });
        shutdown.begin(event.reason);
        break;
      default:
        raft.handle(event, now);
    }
    this.#runTimers(now);
    // One step per tick: between two the host reads what peers say.
    if (event.kind === 'tick') commits.verifyNext();
  }

  /**
   * The answer of a method that only reads, without an event; null for other methods, and when something
   * is due that could change the answer: then the call must go in as an event.
   */
  answerNow(method: MethodName, nowMs: number): Outcome | null {
    const isCurrent = nowMs < this.nextDeadlineMs() && !this.#components.raft.hasJumped();
    return isCurrent ? this.#components.service.readNow(method) : null;
  }

  /** What the host must do now, or null (see ConductorReady). */
  ready(): ConductorReady | null {
    this.#deadlineMs = null;
    this.#deliver();
    const { raft, outbox } = this.#components;
    const ready = raft.ready();
    if (ready === null && outbox.isEmpty) return null;
    return outbox.take(ready);
  }

  /** The write of the last Ready is durable. */
  persisted(nowMs: number): void {
    this.#deadlineMs = null;
    this.#components.raft.persisted(this.#moveTimeTo(nowMs));
    this.#settleRollback();
  }

  /** The store cannot read this entry any more. */
  entryDamaged(index: number): void {
    this.#deadlineMs = null;
    this.#components.raft.entryDamaged(index);
  }

  /** The write failed: nothing is acknowledged any more; the host ends the process non-zero. */
  writeFailed(message: string): void {
    this.#deadlineMs = null;
    const { raft, control, commits } = this.#components;
    raft.writeFailed(message);
    control.shutDown();
    commits.giveUp('store-failed');
  }

  /** Monotonic ms at which a tick is next wanted; Infinity for never. Every read asks, between events that may change it. */
  nextDeadlineMs(): number {
    this.#deadlineMs ??= this.#earliestDeadlineMs();
    return this.#deadlineMs;
  }

  #earliestDeadlineMs(): number {
    const { raft, control, evidence, health, watchdog, commits, service, override, shutdown } = this.#components;
    return Math.min(
      raft.nextDeadlineMs(),
      control.nextDeadlineMs(),
      evidence.nextDeadlineMs(),
      health.monitor.nextDeadlineMs(),
      watchdog.nextDeadlineMs(),
      commits.nextDeadlineMs(),
      service.nextDeadlineMs(),
      override.nextDeadlineMs(),
      shutdown.deadlineMs(),
    );
  }

  status(): RaftStatus {
    return this.#components.raft.status();
  }

  /** The part of the status that is cheap. */
  position(): RaftPosition {
    return this.#components.raft.position();
  }

  /** Why a flashblock may not be passed on at `nowMs` (rule 26); null when it may. */
  flashblocksWithheld(nowMs: number): WithheldReason | null {
    const { raft, control } = this.#components;
    const status = this.position();
    if (status.role === 'leader' && raft.hasJumped()) return 'lease-over';
    return whyWithheld({ status, active: control.active }, nowMs);
  }

  /** The committed payload to build on; null while none is held. */
  committedHead(): ChainBlock | null {
    return this.#components.chain.tip();
  }

  /** '' when this conductor could take over, else why not (rule 25). */
  readiness(): string {
    const { health, chain } = this.#components;
    return readiness({
      status: this.status(),
      verdict: health.verdict,
      nodeHead: health.headNumber,
      isOnRefused: health.refusedHead !== null,
      committedHead: chain.tip()?.number ?? null,
    });
  }

  /** Brings the gauges up to date; to be called before they are read. */
  publishGauges(): void {
    const { chain, control, health, override } = this.#components;
    publishGauges(this.#ports.metrics, {
      status: this.status(),
      head: chain.head(),
      nodes: this.#components.nodeViews(),
      control: {
        isPaused: control.isPaused,
        isStopped: control.isStopped,
        isOverridden: override.isOn,
        isHealthy: health.verdict?.isHealthy ?? true,
        isSequencing: control.active,
      },
    });
  }

  /** After a stall a leader first looks whether it may still say that it leads, before any answer or order (rules 15, 34). */
  #tickIfDue(nowMs: number): void {
    const { raft } = this.#components;
    if (nowMs >= raft.nextDeadlineMs() || raft.hasJumped()) raft.handle({ kind: 'tick' }, nowMs);
  }

  #moveTimeTo(nowMs: number): number {
    const { time } = this.#components;
    time.nowMs = Math.max(time.nowMs, nowMs);
    return time.nowMs;
  }

  #runTimers(nowMs: number): void {
    const { control, evidence, health, watchdog, service, override, shutdown, commits } = this.#components;
    this.#settleRollback();
    evidence.review();
    this.#components.operatorWord.review();
    watchdog.review();
    for (const part of [control, health.monitor, watchdog, service, override, evidence]) {
      if (nowMs >= part.nextDeadlineMs()) part.tick();
    }
    shutdown.tick();
    commits.review();
  }

  #settleRollback(): void {
    const { raft, chain } = this.#components;
    const { rollbackIndex } = chain;
    if (rollbackIndex > 0) raft.settleRollback(rollbackIndex);
  }

  /** Results and notices of the last Ready: its write is durable now. */
  #deliver(): void {
    const { results, notices } = this.#components.outbox.takeDue();
    for (const result of results) this.#components.outbox.commandEnded(result);
    for (const notice of notices) {
      if (notice.kind === 'role') this.#roleChanged(notice);
      else if (notice.kind === 'leader') this.#leaderKnown(notice.leaderId, notice.term);
      else if (notice.kind === 'clockJump') this.#ports.metrics.count('clock_jumps_total');
      else if (notice.kind === 'verdict') this.#components.commits.voterAnswered(notice.questionId, notice.voter);
      else if (notice.kind === 'verdictAsked') this.#components.voterVerdicts.asked(notice.inboundId, notice.payload);
      else if (notice.kind === 'alarm') this.#ports.metrics.count('alarms_total', { kind: notice.alarm });
      this.#report.notice(notice);
    }
    if (results.length > 0 || notices.length > 0) this.#components.commits.review();
    this.#commits.tipIs(this.#components.chain.tip());
  }

  /** Whatever an answer was asked for, control goes by what is known now. */
  #callEnded(callId: number, result: CallResult): void {
    const { outbox, control } = this.#components;
    outbox.callEnded(callId, result);
    control.reconcile();
    this.#failover.sequencerStarted(control.startedAtMs);
  }

  #leaderKnown(leaderId: string | null, term: number): void {
    this.#ports.events.publish({ kind: 'leader', leader: leaderId, term });
    const { peers, override, time } = this.#components;
    peers.leaderIs(leaderId, time.nowMs);
    this.#failover.leaderIs(leaderId, time.nowMs);
    override.leaderMayHaveChanged();
  }

  #roleChanged({ role, term, reason }: Extract<RaftNotice, { kind: 'role' }>): void {
    const isLeader = role === 'leader';
    this.#ports.events.publish({ kind: 'role', role, term, reason });
    if (role !== 'follower') this.#ports.metrics.count('raft_elections_total', { role });
    const level = isLeader === this.#isLeader ? 'debug' : 'info';
    this.#isLeader = isLeader;
    this.#ports.logger.log(level, 'Leadership status changed', {
      server: this.#options.raft.id,
      leader: isLeader,
      role,
      term,
      reason,
    });
    const { peers, time, control } = this.#components;
    // Who led until now is known before anything is decided: leadership is not handed back (rule 18).
    if (isLeader) peers.leaderIs(this.#options.raft.id, time.nowMs);
    control.leadershipChanged(isLeader, term);
  }
}
