/**
 * The parts of a conductor and how they are joined: each is given what it may see of the others, as functions,
 * so that none of them knows the whole. conductor.ts feeds them events.
 */
import type { RaftCommand } from './raft/events.ts';
import { RaftNode } from './raft/node.ts';
import { UnsafeChain } from './payload/unsafe-chain.ts';
import { chainView, logEndView, PeerMemory } from './cluster-view.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { ChainView } from './control/chain-view.ts';
import { ControlLoop } from './control/loop.ts';
import type { ProcedureHost } from './control/procedure.ts';
import { chooseHeir, type Heir, type Peer } from './control/target.ts';
import { Ending } from './ending.ts';
import { LeaderOverride } from './leader-override.ts';
import { NodeHealth } from './node-health.ts';
import { Outbox } from './outbox.ts';
import { PayloadCommits } from './rpc/commit.ts';
import { RpcService } from './rpc/service.ts';
import type { Command } from './rpc/service-host.ts';

/** What every other part stands on. */
interface Ground {
  readonly options: ConductorOptions;
  readonly ports: ConductorPorts;
  /** Of the event that is being handled, monotonic milliseconds; the conductor moves it on. */
  readonly time: { nowMs: number };
  readonly outbox: Outbox;
  readonly chain: UnsafeChain;
  /** The committed part of it, as control and commits see it. */
  readonly view: ChainView;
  readonly raft: RaftNode;
  readonly peers: PeerMemory;
  /** What procedures ask for goes to the outbox and to the log. */
  readonly procedures: ProcedureHost;
  /** Gives a command to the log and returns the id its result comes under. */
  command(command: Command): number;
  /** All members but ourselves. */
  members(): readonly Peer[];
  /** Whom leadership should go to when nobody is named (rule 18). */
  heir(): Heir;
}

export interface ConductorParts extends Ground {
  readonly override: LeaderOverride;
  readonly control: ControlLoop;
  readonly health: NodeHealth;
  readonly commits: PayloadCommits;
  readonly ending: Ending;
  readonly service: RpcService;
}

/** Loads the store; throws StoreError when it cannot be trusted. `nowMs` is monotonic. */
export function buildParts(options: ConductorOptions, ports: ConductorPorts, nowMs: number): ConductorParts {
  const ground = buildGround(options, ports, nowMs);
  const { raft, outbox } = ground;
  const { metrics, logger } = ports;
  const leaderId = (): string | null => raft.position().leaderId;
  const override = new LeaderOverride({ selfId: options.raft.id, metrics, logger, leaderId });
  const control = buildControl(ground);
  const health = buildHealth(ground, control);
  const commits = buildCommits(ground, control);
  const ending = new Ending({
    options,
    logger,
    control,
    commits,
    outbox,
    heir: () => ground.heir(),
    procedures: ground.procedures,
    status: () => raft.status(),
    tellPeers: () => health.tellPeers(),
  });
  const parts = { ...ground, override, control, health, commits, ending };
  return { ...parts, service: buildService(parts) };
}

function buildGround(options: ConductorOptions, ports: ConductorPorts, nowMs: number): Ground {
  const { store, random, wallClock } = ports;
  const time = { nowMs };
  const outbox = new Outbox();
  const peers = new PeerMemory();
  const chain = new UnsafeChain((index) => raft.dataAt(index));
  const raft: RaftNode = new RaftNode(
    options.raft,
    { store, stateMachine: chain, random, wallClock, version: options.version },
    nowMs,
  );
  const command = (given: Command): number => {
    const requestId = outbox.nextRequestId();
    raft.handle({ ...given, requestId } as RaftCommand, time.nowMs);
    return requestId;
  };
  const procedures: ProcedureHost = {
    nowMs: () => time.nowMs,
    call: (request) => outbox.call(request),
    read: () => command({ kind: 'read' }),
    transfer: (target, exclude) => command({ kind: 'transfer', target, exclude }),
  };
  const members = (): Peer[] => peers.peersOf(raft.status());
  const heir = (): Heir => {
    const unsafeIntervalMs = options.health.unsafeIntervalSeconds * 1000;
    const { isRoundRobin } = options;
    return chooseHeir(members(), { selfId: options.raft.id, unsafeIntervalMs, isRoundRobin });
  };
  return {
    options,
    ports,
    time,
    outbox,
    chain,
    view: chainView(chain),
    raft,
    peers,
    members,
    procedures,
    command,
    heir,
  };
}

function buildControl({ options, ports, chain, view, raft, members, procedures }: Ground): ControlLoop {
  const { blockTimeMs, healthIntervalMs, isPaused, isActive, isRoundRobin, rollback, vouchedHash } = options;
  const { metrics, logger, random } = ports;
  return new ControlLoop(
    {
      selfId: options.raft.id,
      unsafeIntervalMs: options.health.unsafeIntervalSeconds * 1000,
      blockTimeMs,
      healthIntervalMs,
      isPaused,
      isActive,
      isRoundRobin,
      rollback,
      vouchedHash,
    },
    {
      ...procedures,
      metrics,
      logger,
      chain: view,
      endOfLog: logEndView(chain),
      random: () => random.next(),
      peers: members,
      isLeaderOf: (term) => {
        const status = raft.status();
        return status.role === 'leader' && status.term === term && !status.isTransferring;
      },
    },
  );
}

function buildHealth({ options, ports, time, outbox, chain, raft }: Ground, control: ControlLoop): NodeHealth {
  return new NodeHealth(options, ports, {
    control,
    raft,
    nowMs: () => time.nowMs,
    call: (request) => outbox.call(request),
    committedHead: () => chain.tip()?.number ?? null,
  });
}

function buildCommits(ground: Ground, control: ControlLoop): PayloadCommits {
  const { options, ports, outbox, chain, view, raft, members, procedures, command } = ground;
  const { metrics, logger } = ports;
  return new PayloadCommits({
    ...procedures,
    metrics,
    logger,
    answer: (answerId, outcome) => outbox.answer(answerId, outcome),
    chain,
    isHashVerified: options.isHashVerified,
    vouchedHash: options.vouchedHash,
    rollback: {
      chain: view,
      policy: options.rollback,
      peers: members,
      wasBroughtTo: (tipHash) => control.wasBroughtTo(tipHash),
    },
    status: () => raft.status(),
    propose: (data) => command({ kind: 'propose', data }),
    nodeIsOff: () => control.nodeIsOff(),
    hasStartedSequencer: () => control.startedAtMs !== null,
    handTo: (target) => control.handTo(target),
    rollbackRefused: (why) => control.rollbackRefused(why),
  });
}

function buildService(parts: Omit<ConductorParts, 'service'>): RpcService {
  const { options, ports, time, outbox, chain, raft, override, control, health, commits, ending } = parts;
  return new RpcService({
    version: options.version,
    logger: ports.logger,
    metrics: ports.metrics,
    answer: (answerId, outcome) => outbox.answer(answerId, outcome),
    control,
    commits,
    nowMs: () => time.nowMs,
    position: () => raft.position(),
    status: () => raft.status(),
    isHealthy: () => health.verdict?.isHealthy ?? true,
    holdsRollback: () => chain.rollbackIndex > 0,
    isOverridden: () => override.isOn,
    setOverridden: (isOverridden, done) => {
      override.set(isOverridden);
      if (isOverridden) control.override(done);
      else control.endOverride();
      health.tellPeers();
      if (!isOverridden) done();
    },
    heir: () => parts.heir(),
    command: (command) => parts.command(command),
    call: (request) => outbox.call(request),
    stop: (answerId) => ending.stop(answerId),
    pauseChanged: () => health.tellPeers(),
  });
}
