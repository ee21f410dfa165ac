/**
 * The parts that callers reach: commits, and the JSON-RPC service, each given what it may see of the others.
 */
import { VALIDATED_MARK } from './payload/block-summary.ts';
import type { Envelope } from './payload/envelope.ts';
import type { ControlLoop } from './control/loop.ts';
import { disputedBlocks } from './evidence/node-views.ts';
import { votersOf } from './raft/quorum.ts';
import { PayloadCommits } from './rpc/commit.ts';
import { RpcService } from './rpc/service.ts';
import type { ConductorComponents, Dependencies, Judgement } from './components.ts';

/** conductor_commitUnsafePayload; `seen` is told what its sequencer offered and committed, and what its client could not execute. */
export function buildCommits(
  dependencies: Dependencies,
  control: ControlLoop,
  judged: Judgement,
  seen: {
    readonly offered: () => void;
    readonly committed: (isValidated: boolean) => void;
    readonly unable: (envelope: Envelope) => void;
  },
): PayloadCommits {
  const { options, ports, outbox, chain, view, refusedBlocks, raft, members, procedures, command } = dependencies;
  const { metrics, logger } = ports;
  return new PayloadCommits({
    ...procedures,
    metrics,
    logger,
    answer: (answerId, outcome) => outbox.answer(answerId, outcome),
    chain,
    refusedBlocks,
    isHashVerified: options.isHashVerified,
    validation: options.validation,
    blockTimeMs: options.blockTimeMs,
    voters: () => ({ ids: votersOf(raft.status().configuration.configuration), selfId: options.raft.id }),
    askVoters: (questionId, ssz, timeoutMs) => raft.askVerdicts(questionId, ssz, timeoutMs),
    sealRefused: (seal, message) => {
      seen.offered();
      control.seals.refused(seal, message);
    },
    sealedAgain: (seal) => {
      seen.offered();
      return control.seals.offeredAgain(seal);
    },
    clientIsUnable: (envelope) => {
      seen.offered();
      seen.unable(envelope);
      control.seals.clientIsUnable();
    },
    trustedHash: options.trustedHash,
    rollback: {
      chain: view,
      policy: options.rollback,
      peers: members,
      proofAgainst: judged.proofAgainst,
      isLeft: judged.isLeft,
      refusal: judged.refusal,
      wasBroughtTo: (tipHash) => control.wasBroughtTo(tipHash),
      lookNow: judged.lookNow,
      lookedAtMs: judged.lookedAtMs,
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

/** All methods. */
export function buildService(components: Omit<ConductorComponents, 'service'>): RpcService {
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
    compactRollback: () => chain.rollbackIndex === 0 || raft.compactThrough(chain.rollbackIndex),
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
