/**
 * What the other voters' execution clients say of a block that is to be committed (rule 28), asked for on a channel of
 * its own: hashicorp/raft has no such request, and blocks on their way to be judged hold up nothing that keeps the lead.
 * The log does not depend on the answers; whoever proposes does.
 */
import type { FailureReason } from '../ports.ts';
import type { RaftState } from './state.ts';
import { verdictNames, type RpcResponse, type ValidateRequest, type VerdictName } from './types.ts';

/**
 * Asks every other voter that is known to answer; their ids. Each answers once, with a notice 'verdict' that carries
 * `questionId`, at the latest after `timeoutMs`.
 */
export function askVerdicts(s: RaftState, questionId: number, payload: Uint8Array, timeoutMs: number): string[] {
  const asked = [...(s.leadership?.peers.values() ?? [])].filter(
    (peer) => s.membership.isVoter(peer.id) && peer.isNative && peer.peerStatus?.peerStatus.validates === true,
  );
  const request: ValidateRequest = { ...s.header, kind: 'validate', term: s.term, payload };
  for (const { id, address } of asked) {
    s.send({ id, address }, 'validate', request, { kind: 'validate', peerId: id, questionId }, timeoutMs);
  }
  return asked.map(({ id }) => id);
}

/** An answer came, or none will. */
export function onVerdict(
  s: RaftState,
  { peerId, questionId }: { readonly peerId: string; readonly questionId: number },
  answer: RpcResponse | null,
  failure: FailureReason | null,
): void {
  const isVerdict = answer?.kind === 'validate';
  const verdict = (isVerdict ? verdictNames[answer.verdict] : undefined) ?? 'none';
  const message = (isVerdict || answer?.kind === 'error' ? answer.message : failure) ?? '';
  s.outbox.notices.push({ kind: 'verdict', questionId, voter: { peerId, verdict, message } });
}

/** Only the leader that this server follows has its blocks judged: each costs its client an execution. */
export function onValidate(s: RaftState, inboundId: number, request: ValidateRequest): void {
  const { id, term, payload } = request;
  const isLeader = s.role === 'follower' && id !== null && id === s.leader?.id && term === s.term;
  if (!isLeader || payload === null) return answerVerdict(s, inboundId, 'none', 'not the leader that is followed here');
  s.outbox.notices.push({ kind: 'verdictAsked', inboundId, payload });
}

/** Answers a notice 'verdictAsked'. */
export function answerVerdict(s: RaftState, inboundId: number, verdict: VerdictName, message: string): void {
  s.reply(inboundId, { ...s.header, kind: 'validate', term: s.term, verdict: verdictNames.indexOf(verdict), message });
}
