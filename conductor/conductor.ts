/**
 * The conductor: the replicated log, the payload chain, the control loop, the health monitor and the
 * RPC service behind one event entry point, sans-IO. A host feeds events and carries out what `ready`
 * says (events.ts); the Bun host and the simulator are two of them.
 */
import type { RaftResult } from './raft/events.ts';
import { RaftNode } from './raft/node.ts';
import type { RaftStatus } from './raft/status.ts';
import { Suffrage } from './raft/types.ts';
import { UnsafeChain, type ChainBlock } from './payload/unsafe-chain.ts';
import { chainView, PeerMemory } from './cluster-view.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { CallResult, NodeRequest } from './control/calls.ts';
import { ControlLoop } from './control/loop.ts';
import type { ProcedureHost } from './control/procedure.ts';
import { chooseHeir, type Heir } from './control/target.ts';
import { Ending } from './ending.ts';
import type { ConductorEvent, ConductorReady } from './events.ts';
import { FailoverClock } from './failover-clock.ts';
import { whyWithheld, type WithheldReason } from './flashblocks.ts';
import { publishGauges } from './gauges.ts';
import { LeaderOverride } from './leader-override.ts';
import { NodeHealth } from './node-health.ts';
import { Outbox } from './outbox.ts';
import { RaftReport } from './raft-report.ts';
import { readiness } from './readiness.ts';
import { PayloadCommits } from './rpc/commit.ts';
import type { Outcome } from './rpc/message.ts';
import type { MethodName } from './rpc/methods.ts';
import { RpcService } from './rpc/service.ts';
import type { Command } from './rpc/service-host.ts';

export class Conductor {
  readonly #options: ConductorOptions;
  readonly #ports: ConductorPorts;
  readonly #chain: UnsafeChain;
  readonly #raft: RaftNode;
  readonly #control: ControlLoop;
  readonly #health: NodeHealth;
  readonly #commits: PayloadCommits;
  readonly #service: RpcService;
  readonly #ending: Ending;
  readonly #outbox = new Outbox();
  readonly #peers = new PeerMemory();
  readonly #report: RaftReport;
  readonly #failover: FailoverClock;
  #isLeader = false;
  readonly #override: LeaderOverride;
  #bootstrapId: number | null = null;
  #nowMs: number;

  /** Loads the store; throws StoreError when it cannot be trusted. */
  constructor(options: ConductorOptions, ports: ConductorPorts, nowMs: number) {
    this.#options = options;
    this.#ports = ports;
    this.#nowMs = nowMs;
    this.#failover = new FailoverClock(ports.metrics, options.raft.id);
    this.#chain = new UnsafeChain((index) => this.#raft.dataAt(index));
    this.#raft = new RaftNode(
      options.raft,
      {
        store: ports.store,
        stateMachine: this.#chain,
        random: ports.random,
        wallClock: ports.wallClock,
        version: options.version,
      },
      nowMs,
    );
    const host = this.#procedureHost();
    const { metrics, logger } = ports;
    this.#report = new RaftReport(logger, options.raft.id, this.#raft.status().configuration);
    this.#override = new LeaderOverride({
      selfId: options.raft.id,
      metrics,
      logger,
      leaderId: () => this.#raft.status().leaderId,
    });
    this.#control = this.#createControl(host);
    this.#health = new NodeHealth(options, ports, {
      control: this.#control,
      raft: this.#raft,
      nowMs: () => this.#nowMs,
      call: (request) => this.#outbox.call(request),
      committedHead: () => this.#chain.tip()?.number ?? null,
    });
    this.#commits = new PayloadCommits({
      ...host,
      metrics,
      logger,
      answer: (answerId, outcome) => this.#outbox.answer(answerId, outcome),
      chain: this.#chain,
      isHashVerified: options.isHashVerified,
      vouchedHash: options.vouchedHash,
      rollback: {
        chain: chainView(this.#chain),
        policy: options.rollback,
        peers: () => this.#peers.peersOf(this.#raft.status()),
        wasBroughtTo: (tipHash) => this.#control.wasBroughtTo(tipHash),
      },
      status: () => this.#raft.status(),
      propose: (data) => this.#command({ kind: 'propose', data }),
      nodeIsOff: () => this.#control.nodeIsOff(),
      hasStartedSequencer: () => this.#control.startedAtMs !== null,
      handTo: (target) => this.#control.handTo(target),
      rollbackRefused: (why) => this.#control.rollbackRefused(why),
    });
    this.#ending = new Ending({
      options,
      logger,
      control: this.#control,
      commits: this.#commits,
      outbox: this.#outbox,
      heir: () => this.#heir(),
      procedures: host,
      status: () => this.#raft.status(),
      tellPeers: () => this.#health.tellPeers(),
    });
    this.#service = this.#createService();
  }

  /** Takes one event. `nowMs` is monotonic; smaller values than before count as no time passed. */
  handle(event: ConductorEvent, nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    switch (event.kind) {
      case 'callResult':
        this.#callDone(event.callId, event.result);
        break;
      case 'rpc':
        // After a stall the first act is stepping down, before any answer (rule 15).
        if (this.#nowMs >= this.#raft.nextDeadlineMs()) this.#raft.handle({ kind: 'tick' }, this.#nowMs);
        this.#service.handle(event);
        break;
      case 'bootstrap':
        this.#bootstrap();
        break;
      case 'drain':
        this.#ending.begin(event.reason);
        break;
      default:
        this.#raft.handle(event, this.#nowMs);
    }
    this.#runTimers();
    // One step per tick: between two the host reads what peers say.
    if (event.kind === 'tick') this.#commits.verifyNext();
  }

  /**
   * The answer of a method that only reads, without an event; null for other methods, and when something
   * is due that could change the answer: then the call must go in as an event.
   */
  answerNow(method: MethodName, nowMs: number): Outcome | null {
    return nowMs < this.nextDeadlineMs() ? this.#service.readNow(method) : null;
  }

  /** What the host must do now, or null (see ConductorReady). */
  ready(): ConductorReady | null {
    this.#deliver();
    const ready = this.#raft.ready();
    if (ready === null && this.#outbox.isEmpty) return null;
    return this.#outbox.take(ready);
  }

  /** The write of the last Ready is durable. */
  persisted(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#raft.persisted(this.#nowMs);
    this.#compactRollback();
  }

  /** The store cannot read this entry any more. */
  entryDamaged(index: number): void {
    this.#raft.entryDamaged(index);
  }

  /** The write failed: nothing is acknowledged any more; the host ends the process non-zero. */
  writeFailed(message: string): void {
    this.#raft.writeFailed(message);
    this.#control.shutDown();
    this.#commits.giveUp('store-failed');
  }

  /** Monotonic ms at which a tick is next wanted; Infinity for never. */
  nextDeadlineMs(): number {
    return Math.min(
      this.#raft.nextDeadlineMs(),
      this.#control.nextDeadlineMs(),
      this.#health.monitor.nextDeadlineMs(),
      this.#commits.nextDeadlineMs(),
      this.#service.nextDeadlineMs(),
      this.#ending.deadlineMs(),
    );
  }

  status(): RaftStatus {
    return this.#raft.status();
  }

  /** Why a flashblock may not be passed on at `nowMs` (rule 26); null when it may. */
  flashblocksWithheld(nowMs: number): WithheldReason | null {
    return whyWithheld({ status: this.#raft.status(), active: this.#control.active }, nowMs);
  }

  /** The committed payload to build on; null while none is held. */
  committedHead(): ChainBlock | null {
    return this.#chain.tip();
  }

  /** '' when this conductor could take over, else why not (rule 25). */
  readiness(): string {
    return readiness({
      status: this.#raft.status(),
      verdict: this.#health.verdict,
      nodeHead: this.#health.headNumber,
      committedHead: this.#chain.tip()?.number ?? null,
    });
  }

  /** Brings the gauges up to date; to be called before they are read. */
  publishGauges(): void {
    publishGauges(this.#ports.metrics, {
      status: this.#raft.status(),
      head: this.#chain.head(),
      control: {
        isPaused: this.#control.isPaused,
        isStopped: this.#control.isStopped,
        isOverridden: this.#override.isOn,
        isHealthy: this.#health.verdict?.isHealthy ?? true,
        isSequencing: this.#control.active,
      },
    });
  }

  #createControl(host: ProcedureHost): ControlLoop {
    const { raft, health, blockTimeMs, isPaused, isActive, isRoundRobin, rollback, vouchedHash } = this.#options;
    const { metrics, logger, random } = this.#ports;
    return new ControlLoop(
      {
        selfId: raft.id,
        unsafeIntervalMs: health.unsafeIntervalSeconds * 1000,
        blockTimeMs,
        isPaused,
        isActive,
        isRoundRobin,
        rollback,
        vouchedHash,
      },
      {
        ...host,
        metrics,
        logger,
        chain: chainView(this.#chain),
        random: () => random.next(),
        peers: () => this.#peers.peersOf(this.#raft.status()),
        isLeaderOf: (term) => {
          const status = this.#raft.status();
          return status.role === 'leader' && status.term === term && !status.isTransferring;
        },
      },
    );
  }

  #createService(): RpcService {
    return new RpcService({
      version: this.#options.version,
      logger: this.#ports.logger,
      metrics: this.#ports.metrics,
      answer: (answerId, outcome) => this.#outbox.answer(answerId, outcome),
      control: this.#control,
      commits: this.#commits,
      nowMs: () => this.#nowMs,
      status: () => this.#raft.status(),
      isHealthy: () => this.#health.verdict?.isHealthy ?? true,
      holdsRollback: () => this.#chain.rollbackIndex > 0,
      isOverridden: () => this.#override.isOn,
      setOverridden: (isOverridden) => this.#override.set(isOverridden),
      heir: () => this.#heir(),
      command: (command) => this.#command(command),
      call: (request) => this.#outbox.call(request),
      stop: (answerId) => this.#ending.stop(answerId),
      pauseChanged: () => this.#health.tellPeers(),
    });
  }

  #runTimers(): void {
    this.#compactRollback();
    for (const part of [this.#control, this.#health.monitor, this.#service]) {
      if (this.#nowMs >= part.nextDeadlineMs()) part.tick();
    }
    this.#ending.tick();
    this.#commits.review();
  }

  /** A server that joins after a rollback must not read what came before it (rule 6). */
  #compactRollback(): void {
    const { rollbackIndex } = this.#chain;
    if (rollbackIndex > 0) this.#raft.compactThrough(rollbackIndex);
  }

  /** Results and notices of the last Ready: its write is durable now. */
  #deliver(): void {
    const { results, notices } = this.#outbox.takeDue();
    for (const done of results) this.#resultDone(done);
    for (const notice of notices) {
      if (notice.kind === 'role') this.#roleChanged(notice.role === 'leader', notice.role, notice.term);
      else if (notice.kind === 'leader') this.#leaderKnown(notice.leaderId);
      this.#report.notice(notice);
    }
    if (results.length > 0 || notices.length > 0) this.#commits.review();
  }

  #resultDone(done: RaftResult): void {
    if (done.requestId === this.#bootstrapId) return this.#bootstrapped(done);
    if (this.#commits.resultDone(done)) {
      if (done.kind === 'done') this.#health.monitor.blockCommitted();
      return;
    }
    if (this.#service.resultDone(done)) return;
    const message = done.kind === 'refused' ? done.message : done.kind === 'unknown' ? done.reason : '';
    this.#control.readDone(done.requestId, done.kind === 'done', message);
    this.#control.transferDone(done.requestId, done.kind === 'done', message);
    this.#ending.transferDone(done.requestId, done.kind === 'done', message);
  }

  #callDone(id: number, callResult: CallResult): void {
    this.#service.callDone(id, callResult);
    this.#health.monitor.callDone(id, callResult);
    this.#commits.callDone(id, callResult);
    this.#control.callDone(id, callResult);
    this.#failover.sequencerStarted(this.#control.startedAtMs);
    this.#ending.callDone(id, callResult);
  }

  #leaderKnown(leaderId: string | null): void {
    this.#peers.leaderIs(leaderId, this.#nowMs);
    this.#failover.leaderIs(leaderId, this.#nowMs);
    this.#override.leaderMayHaveChanged();
  }

  #roleChanged(isLeader: boolean, role: string, term: number): void {
    if (role !== 'follower') this.#ports.metrics.count('raft_elections_total', { role });
    const level = isLeader === this.#isLeader ? 'debug' : 'info';
    this.#isLeader = isLeader;
    this.#ports.logger.log(level, 'Leadership status changed', {
      server: this.#options.raft.id,
      leader: isLeader,
      role,
      term,
    });
    this.#control.leadershipChanged(isLeader, term);
  }

  #bootstrap(): void {
    if (this.#bootstrapId !== null) return; // Asked for already.
    const { id, address } = this.#options.raft;
    this.#ports.logger.log('info', 'Bootstrapping raft consensus cluster with self', { addr: address });
    this.#bootstrapId = this.#command({ kind: 'bootstrap', servers: [{ id, address, suffrage: Suffrage.voter }] });
  }

  /** After a bootstrap the conductor pauses itself; again on a store with a cluster it is only a warning. */
  #bootstrapped(done: RaftResult): void {
    this.#bootstrapId = null;
    if (done.kind === 'done') {
      this.#ports.logger.log('warn', 'Raft cluster bootstrapped, pausing conductor.', {});
      this.#control.pause();
      this.#health.tellPeers();
    } else if (done.kind === 'refused') {
      this.#ports.logger.log('warn', 'the cluster was not bootstrapped; drop --raft.bootstrap', { err: done.message });
    }
  }

  #heir(): Heir {
    const { raft, health, isRoundRobin } = this.#options;
    const unsafeIntervalMs = health.unsafeIntervalSeconds * 1000;
    return chooseHeir(this.#peers.peersOf(this.#raft.status()), { selfId: raft.id, unsafeIntervalMs, isRoundRobin });
  }

  #procedureHost(): ProcedureHost {
    return {
      nowMs: () => this.#nowMs,
      call: (request: NodeRequest) => this.#outbox.call(request),
      read: () => this.#command({ kind: 'read' }),
      transfer: (target, exclude) => this.#command({ kind: 'transfer', target, exclude }),
    };
  }

  #command(command: Command): number {
    const requestId = this.#outbox.nextRequestId();
    this.#raft.handle({ ...command, requestId } as Parameters<RaftNode['handle']>[0], this.#nowMs);
    return requestId;
  }
}
