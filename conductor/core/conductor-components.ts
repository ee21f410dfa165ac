/**
 * The parts of a conductor and how they are joined: each is given what it may see of the others, as functions,
 * so that none of them knows the whole. conductor.ts feeds them events.
 */
import type { LogStore } from './ports.ts';
import type { RaftCommand, RaftResult } from './raft/events.ts';
import { RaftNode } from './raft/node.ts';
import { VALIDATED_MARK } from './payload/block-summary.ts';
import type { Envelope } from './payload/envelope.ts';
import { UnsafeChain } from './payload/unsafe-chain.ts';
import { chainView, logEndView, PeerMemory } from './cluster-view.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { ChainView } from './node/chain-view.ts';
import type { ControlHost } from './control/control-host.ts';
import { ControlLoop } from './control/loop.ts';
import type { Ending, ProcedureHost } from './node/procedure.ts';
import { Evidence, type EvidenceHost } from './evidence/evidence.ts';
import { VoterVerdicts } from './evidence/voter-verdicts.ts';
import { OperatorWord } from './evidence/operator-word.ts';
import { disputedBlocks, nodeViews, standingsText, type NodeView } from './evidence/node-views.ts';
import { votersOf } from './raft/quorum.ts';
import { CommitWatchdog } from './control/watchdog.ts';
import { chooseTransferTarget, type TransferTarget, type Peer } from './control/target.ts';
import { Shutdown } from './shutdown.ts';
import { LeaderOverride } from './leader-override.ts';
import { NodeHealth } from './node-health.ts';
import { withOrderEvents } from './order-events.ts';
import { Outbox } from './outbox.ts';
import { PayloadCommits } from './rpc/commit.ts';
import { RpcService } from './rpc/service.ts';
import type { Command } from './rpc/service-host.ts';

/** What every other part stands on. */
interface Dependencies {
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
  /** Gives a command to the log; `then` is called once, with its result. */
  command(command: Command, then: (result: RaftResult) => void): void;
  /** All members but ourselves. */
  members(): readonly Peer[];
  /** Whom leadership should go to when nobody is named (rule 18). */
  transferTarget(): TransferTarget;
}

export interface ConductorComponents extends Dependencies {
  /** How the own node, and those of the other voters, take what is committed (rule 6). */
  readonly evidence: Evidence;
  /** What an operator said of a committed block, where they do not prove it. */
  readonly operatorWord: OperatorWord;
  /** Every member's node, as this server knows it. */
  nodeViews(): NodeView[];
  readonly override: LeaderOverride;
  readonly control: ControlLoop;
  readonly health: NodeHealth;
  /** Whether the own sequencer commits (rule 31). */
  readonly watchdog: CommitWatchdog;
  readonly commits: PayloadCommits;
  /** What the own client says of blocks that a leader asks about (rule 28). */
  readonly voterVerdicts: VoterVerdicts;
  readonly shutdown: Shutdown;
  readonly service: RpcService;
}

/** What is known against committed blocks, by the nodes and by operators. */
type Judgement = Required<Pick<ControlHost, 'proofAgainst' | 'refusal' | 'isLeft' | 'needsSync' | 'whoStandsWhere'>>;

/** Loads the store; throws StoreError when it cannot be trusted. `nowMs` is monotonic. */
export function buildComponents(options: ConductorOptions, ports: ConductorPorts, nowMs: number): ConductorComponents {
  const dependencies = buildDependencies(options, ports, nowMs);
  const { raft, outbox, chain, time, view } = dependencies;
  const { metrics, logger } = ports;
  const leaderId = (): string | null => raft.position().leaderId;
  const override = new LeaderOverride({ selfId: options.raft.id, metrics, logger, leaderId });
  const evidence: Evidence = buildEvidence(dependencies, {
    mayPost: () => !control.isStopped,
    changed: () => health.tellPeers(),
  });
  const views = (): NodeView[] => {
    const own = { isHealthy: health.verdict?.isHealthy ?? null, head: health.head, word: evidence.word };
    return nodeViews(raft.status(), own, chain.tip(), time.nowMs);
  };
  const operatorWord = new OperatorWord({ chain: view, views, nowMs: () => time.nowMs });
  const judged: Judgement = {
    proofAgainst: (block) => operatorWord.proof(block) ?? evidence.proofAgainst(block),
    refusal: (block) => operatorWord.refusal(block) ?? evidence.refusal(block),
    isLeft: (block) => evidence.isLeft(block),
    needsSync: () => evidence.needsSync,
    whoStandsWhere: () => standingsText(views()),
  };
  const control: ControlLoop = buildControl(dependencies, judged);
  const health: NodeHealth = buildHealth(dependencies, control, evidence);
  // One that starts paused is known as such from its first word on.
  health.tellPeers();
  const commits: PayloadCommits = buildCommits(dependencies, control, judged, {
    offered: () => watchdog.offered(),
    unable: (envelope) => evidence.clientIsUnable(envelope),
    committed: () => {
      health.monitor.blockCommitted();
      watchdog.committed();
      control.blockCommitted();
    },
  });
  const watchdog = buildWatchdog(dependencies, control, health, commits);
  const shutdown = new Shutdown({
    options,
    logger,
    control,
    commits,
    outbox,
    transferTarget: () => dependencies.transferTarget(),
    procedures: withOrderEvents(dependencies.procedures, ports.events),
    status: () => raft.status(),
    tellPeers: () => health.tellPeers(),
  });
  const voterVerdicts = new VoterVerdicts({
    hasEngine: options.hasEngine,
    call: (request, then) => outbox.call(request, then),
    answer: (inboundId, verdict, message) => raft.answerVerdict(inboundId, verdict, message),
  });
  const parts = { evidence, operatorWord, override, control, health, watchdog, commits, voterVerdicts, shutdown };
  const components = { ...dependencies, ...parts, nodeViews: views };
  return { ...components, service: buildService(components) };
}

function buildDependencies(options: ConductorOptions, ports: ConductorPorts, nowMs: number): Dependencies {
  const { store, random, wallClock } = ports;
  const time = { nowMs };
  const outbox = new Outbox();
  const peers = new PeerMemory();
  // The chain reads entries while the node that will read them for it is still loading the log.
  let loaded: RaftNode | null = null;
  const chain = new UnsafeChain((index) => (loaded === null ? storedData(store, index) : loaded.dataAt(index)));
  const raft = new RaftNode(
    options.raft,
    { store, stateMachine: chain, random, wallClock, version: options.version },
    nowMs,
  );
  loaded = raft;
  raft.setLocalHints({ validates: options.hasEngine });
  const command = (given: Command, then: (result: RaftResult) => void): void => {
    raft.handle({ ...given, requestId: outbox.command(then) } as RaftCommand, time.nowMs);
  };
  const procedures: ProcedureHost = {
    nowMs: () => time.nowMs,
    call: (request, then) => outbox.call(request, then),
    read: (then) => command({ kind: 'read' }, (result) => then(endingOf(result))),
    ask: (then) => command({ kind: 'ask' }, () => then()),
    transfer: (target, exclude, then) =>
      command({ kind: 'transfer', target, exclude }, (result) => then(endingOf(result))),
  };
  const members = (): Peer[] => peers.peersOf(raft.status(), chain.tip()?.hash ?? null, chain.head()?.hash ?? null);
  const transferTarget = (): TransferTarget => {
    const unsafeIntervalMs = options.health.unsafeIntervalSeconds * 1000;
    const { isRoundRobin } = options;
    return chooseTransferTarget(members(), { selfId: options.raft.id, unsafeIntervalMs, isRoundRobin });
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
    transferTarget,
  };
}

function endingOf(result: RaftResult): Ending {
  if (result.kind === 'done') return { isDone: true, message: '' };
  return { isDone: false, message: result.kind === 'refused' ? result.message : result.reason };
}

function buildEvidence(
  { options, ports, view, raft, members, procedures }: Dependencies,
  rest: Pick<EvidenceHost, 'mayPost' | 'changed'>,
): Evidence {
  const { metrics, logger } = ports;
  return new Evidence(options.blockTimeMs, {
    ...procedures,
    ...rest,
    hasEngine: options.hasEngine,
    chain: view,
    selfId: options.raft.id,
    isVoter: () => votersOf(raft.status().configuration.configuration).includes(options.raft.id),
    peers: members,
    stuck: (head, tip) => {
      metrics.count('alarms_total', { kind: 'node-off' });
      const message = 'the execution client takes none of the committed blocks that its node was given: restart it';
      logger.log('error', message, { head, committed: tip.hash, committedNumber: tip.number });
    },
  });
}

/** Data of an entry as the store has it; null where it cannot be read, as RaftNode.dataAt says it. */
function storedData(store: LogStore, index: number): Uint8Array | null {
  try {
    return store.read(index, index, 1)[0]?.data ?? null;
  } catch {
    // Whoever needs the entry itself still meets the error.
    return null;
  }
}

function buildControl(dependencies: Dependencies, judged: Judgement): ControlLoop {
  const { options, ports, chain, view, raft, members } = dependencies;
  const procedures = withOrderEvents(dependencies.procedures, ports.events);
  const { blockTimeMs, healthIntervalMs, isPaused, isActive, isRoundRobin, rollback, trustedHash } = options;
  const { metrics, logger, random } = ports;
  /** What a command came to may ask for another. */
  const again =
    (then: (ending: Ending) => void) =>
    (ending: Ending): void => {
      then(ending);
      control.reconcile();
    };
  const control: ControlLoop = new ControlLoop(
    {
      selfId: options.raft.id,
      unsafeIntervalMs: options.health.unsafeIntervalSeconds * 1000,
      blockTimeMs,
      healthIntervalMs,
      isPaused,
      isActive,
      isRoundRobin,
      rollback,
      mayRecover: options.validation !== 'off' && options.recoverMode === 'auto',
      trustedHash,
    },
    {
      ...procedures,
      read: (then) => procedures.read(again(then)),
      transfer: (target, exclude, then) => procedures.transfer(target, exclude, again(then)),
      metrics,
      logger,
      chain: view,
      endOfLog: logEndView(chain),
      random: () => random.next(),
      peers: members,
      ...judged,
      hasEngine: options.hasEngine,
      isLeaderOf: (term) => {
        const status = raft.status();
        return status.role === 'leader' && status.isSure && status.term === term && !status.isTransferring;
      },
    },
  );
  return control;
}

function buildHealth(dependencies: Dependencies, control: ControlLoop, evidence: Evidence): NodeHealth {
  const { options, ports, time, outbox, chain, raft } = dependencies;
  return new NodeHealth(options, ports, {
    control,
    raft,
    observer: evidence,
    nowMs: () => time.nowMs,
    call: (request, then) => outbox.call(request, then),
    committedHead: () => chain.tip()?.number ?? null,
  });
}

function buildWatchdog(dependencies: Dependencies, control: ControlLoop, health: NodeHealth, commits: PayloadCommits) {
  const { options, ports, time, outbox, chain, raft, members } = dependencies;
  return new CommitWatchdog(options.blockTimeMs, {
    nowMs: () => time.nowMs,
    unixMs: () => ports.wallClock.unixMs(),
    call: (request, then) => outbox.call(request, then),
    state: () => ({
      term: raft.position().term,
      isSequencing: control.isSequencing,
      isBusy: control.isBusy || commits.inFlight > 0,
    }),
    tip: () => chain.tip(),
    peersL1Number: () => {
      const known = members().flatMap(({ hint }) => hint?.l1Number ?? []);
      return known.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null);
    },
    silent: (verdict) => health.silent(verdict),
    stands: (standing) => control.headStands(standing),
    goesOn: () => control.headGoesOn(),
  });
}

function buildCommits(
  dependencies: Dependencies,
  control: ControlLoop,
  judged: Judgement,
  seen: { readonly offered: () => void; readonly committed: () => void; readonly unable: (envelope: Envelope) => void },
): PayloadCommits {
  const { options, ports, outbox, chain, view, raft, members, procedures, command } = dependencies;
  const { metrics, logger } = ports;
  return new PayloadCommits({
    ...procedures,
    metrics,
    logger,
    answer: (answerId, outcome) => outbox.answer(answerId, outcome),
    chain,
    isHashVerified: options.isHashVerified,
    validation: options.validation,
    blockTimeMs: options.blockTimeMs,
    voters: () => ({ ids: votersOf(raft.status().configuration.configuration), selfId: options.raft.id }),
    askVoters: (questionId, ssz, timeoutMs) => raft.askVerdicts(questionId, ssz, timeoutMs),
    sealRefused: (seal, message) => {
      seen.offered();
      control.sealRefused(seal, message);
    },
    clientIsUnable: (envelope) => {
      seen.offered();
      seen.unable(envelope);
      control.clientIsUnable();
    },
    trustedHash: options.trustedHash,
    rollback: {
      chain: view,
      policy: options.rollback,
      peers: members,
      proofAgainst: judged.proofAgainst,
      isLeft: judged.isLeft,
      doubts: (block) => judged.refusal(block) !== null,
      wasBroughtTo: (tipHash) => control.wasBroughtTo(tipHash),
    },
    status: () => raft.status(),
    propose: (data, isValidated, then) =>
      command({ kind: 'propose', data, extensions: isValidated ? VALIDATED_MARK : null }, then),
    blockCommitted: seen.committed,
    nodeIsOff: () => {
      seen.offered();
      control.nodeIsOff();
    },
    hasStartedSequencer: () => control.startedAtMs !== null,
    handTo: (target) => control.handTo(target),
    rollbackRefused: (why) => control.rollbackRefused(why),
    whoStandsWhere: judged.whoStandsWhere,
  });
}

function buildService(components: Omit<ConductorComponents, 'service'>): RpcService {
  const { options, ports, time, outbox, chain, view, raft, override, control, health, commits, shutdown } = components;
  const { evidence, operatorWord } = components;
  return new RpcService({
    version: options.version,
    logger: ports.logger,
    metrics: ports.metrics,
    events: ports.events,
    answer: (answerId, outcome) => outbox.answer(answerId, outcome),
    control,
    commits,
    nowMs: () => time.nowMs,
    position: () => raft.position(),
    status: () => raft.status(),
    isHealthy: () => health.verdict?.isHealthy ?? true,
    holdsRollback: () => chain.rollbackIndex > 0,
    isOverridden: () => override.isOn,
    clusterNodes: () => {
      const nodes = components.nodeViews();
      const tip = chain.tip();
      const isLeader = raft.position().role === 'leader';
      const disputed = isLeader ? disputedBlocks(nodes, view, (block) => evidence.proofAgainst(block)) : [];
      return { tip, nodes, disputed, givenUp: operatorWord.givenUp };
    },
    giveUp: (block) => {
      const why = operatorWord.give(block);
      if (why === null) control.tryAgain();
      return why;
    },
    setOverridden: (isOverridden, done) => {
      override.set(isOverridden);
      if (isOverridden) control.override(done);
      else control.endOverride();
      health.tellPeers();
      if (!isOverridden) done();
    },
    transferTarget: () => components.transferTarget(),
    command: (command, then) => components.command(command, then),
    call: (request, then) => outbox.call(request, then),
    stop: (answerId) => shutdown.stop(answerId),
    pauseChanged: () => health.tellPeers(),
  });
}
