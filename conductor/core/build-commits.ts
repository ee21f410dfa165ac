/** What commits payloads, given what it may see of the other parts. */
import { VALIDATED_MARK } from './payload/block-summary.ts';
import type { Envelope } from './payload/envelope.ts';
import type { ControlLoop } from './control/loop.ts';
import { votersOf } from './raft/quorum.ts';
import { PayloadCommits } from './rpc/commit.ts';
import type { Dependencies, Judgement } from './components.ts';

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
