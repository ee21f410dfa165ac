/**
 * What comes from peers: requests, which are checked and answered, and answers to this server's own requests, which
 * go to whoever asked. All of it is untrusted: a version this protocol does not speak and a term nobody honest can
 * have reached are refused here.
 */
import { warnOfPeer } from './alarms.ts';
import { onValidate, onVerdict } from './ask-verdicts.ts';
import { onNewAddress } from './change-address.ts';
import { changeMembership } from './change-membership.ts';
import { campaign, onBallotAnswer, onVote } from './election.ts';
import { onProbeAnswer, receivePreVote } from './fast-election.ts';
import { isHeartbeat, onAppend } from './follower.ts';
import { onHeartbeatFailed, onHeartbeatResponse } from './heartbeats.ts';
import { comesFromItself, isAnotherServers } from './identity.ts';
import { onTermAnswer } from './recovery.ts';
import { onAppendFailed, onAppendResponse } from './replication.ts';
import { becomeFollower, isEligible } from './roles.ts';
import { isUnfounded, onInquiryAnswer, onStranger } from './strangers.ts';
import { onSnapshotFailed, onSnapshotResponse } from './send-snapshot.ts';
import { onInstallSnapshot } from './snapshots.ts';
import { isStatus, onStatus } from './tell-status.ts';
import { continueTransfer, onTimeoutNowFailed, refuseTransferTo } from './transfer.ts';
import type { FailureReason } from '../ports.ts';
import type { RaftEvent } from './events.ts';
import type { RaftState } from './state.ts';
import type { Candidate, RpcRequest, RpcResponse, TimeoutNowRequest } from './types.ts';

const PROTOCOL_VERSIONS = { min: 2, max: 3 };
/** Terms are counted one by one, so nobody honest gets here; adopting a later one would leave none to go on with. */
const TERM_MAX = 2 ** 52;
const UNSUPPORTED_VERSION = 'operation not supported with current protocol version';

/** Answers a request, now or when what it asks for is done. */
export function onRequest(s: RaftState, event: Extract<RaftEvent, { kind: 'request' }>): void {
  const { request, inboundId, connectionId } = event;
  if (s.hasFailed) return;
  if (!s.inbound.has(connectionId))
    s.inbound.set(connectionId, { leaderTerm: 0, hasAnswered: false, hasAgreed: false, isNative: false, coveredTo: 0 });
  const { protocolVersion } = request;
  const isChecked = !(request.kind === 'append' && isHeartbeat(request));
  if (isChecked && (protocolVersion < PROTOCOL_VERSIONS.min || protocolVersion > PROTOCOL_VERSIONS.max)) {
    return s.reply(inboundId, { kind: 'error', message: UNSUPPORTED_VERSION });
  }
  if (isImpossible(request)) {
    warnOfPeer(s, 'a request with an impossible term was refused', { server: request.id, address: request.address });
    return s.reply(inboundId, { kind: 'error', message: 'impossible term' });
  }
  if (comesFromItself(s, request)) {
    return s.reply(inboundId, {
      kind: 'error',
      message: `this is server ${s.options.id}, which the request names as its sender`,
    });
  }
  switch (request.kind) {
    case 'append':
      return isStatus(request) ? onStatus(s, inboundId, request) : onAppend(s, event, request);
    case 'snapshot':
      return onInstallSnapshot(s, event, request);
    case 'prevote':
      return receivePreVote(s, inboundId, request);
    case 'vote':
      return s.reply(inboundId, onVote(s, request));
    case 'timeoutNow':
      return onTimeoutNow(s, inboundId, request);
    case 'validate':
      return onValidate(s, inboundId, request);
  }
}

/** Takes the answer to a request of ours, or the reason why none came with the host's `message`; unknown ids are ignored. */
export function onAnswer(s: RaftState, requestId: number, answer: RpcResponse | FailureReason, message: string): void {
  const pending = s.takePending(requestId);
  if (!pending || s.hasFailed) return;
  const { context, sentMs } = pending;
  // Whoever answers where no member is yet is not expected to be anybody.
  if (context.kind === 'newAddress') {
    const change = onNewAddress(s, context, answer, message);
    if (change) changeMembership(s, s.leadership!, change, { isMoveConfirmed: true });
    return;
  }
  if (typeof answer !== 'string' && isAnotherServers(s, answer, context.peerId)) {
    answer = 'unreachable';
    refuseTransferTo(s, context.peerId);
  }
  const response =
    typeof answer === 'string' || isUnfounded(s, context, answer) || isImpossible(answer) ? null : answer;
  switch (context.kind) {
    case 'ballot':
      return onBallotAnswer(s, context, response);
    case 'probeLeader':
      return onProbeAnswer(s, context.peerId, answer);
    case 'askTerm':
      return onTermAnswer(s, context.peerId, response);
    case 'inquiry':
      return onInquiryAnswer(s, context, response);
    case 'told':
      return;
    case 'validate':
      return onVerdict(s, context, response, typeof answer === 'string' ? answer : null);
    case 'timeoutNow':
      if (!response || response.kind === 'error')
        onTimeoutNowFailed(s, context, { wasReset: answer === 'reset', message: response?.message ?? message });
      return;
  }
  const peer = s.leadership?.peers.get(context.peerId);
  if (!peer || pending.term !== s.term) return noticeTerm(s, response);
  switch (context.kind) {
    case 'heartbeat':
      return response ? onHeartbeatResponse(s, peer, context, sentMs, response) : onHeartbeatFailed(s, peer, context);
    case 'snapshot':
      return response ? onSnapshotResponse(s, peer, context, response) : onSnapshotFailed(s, peer, context);
    case 'append':
      if (response) onAppendResponse(s, peer, context, sentMs, response);
      else onAppendFailed(s, peer, context, typeof answer === 'string' ? answer : '');
      continueTransfer(s);
  }
}

/** Honoured from configured voters and from the leader of this term, even one that has just removed itself (rule 10). */
function onTimeoutNow(s: RaftState, inboundId: number, request: TimeoutNowRequest): void {
  s.reply(inboundId, { kind: 'timeoutNow', protocolVersion: 0, id: null, address: null });
  if (!request.id) return;
  const isMember = s.membership.find(request.id) !== undefined;
  if (!isMember && s.leader?.id !== request.id) return onStranger(s, request);
  // It was long on its way: whoever sent it may lead again.
  if (request.term !== undefined && request.term < s.term) return;
  // With peer status it is the advice of a leader that could not ask first: not for one that would not sequence.
  if (request.peerStatus && !isEligible(s.localStatus)) return;
  // The word of a leader that was deposed meanwhile, which was long on its way.
  const { leader } = s;
  const isAnothers = leader !== null && leader.id !== null && !isOf(leader, request);
  if (isAnothers && (request.peerStatus || s.nowMs - s.contactMs < s.options.heartbeatTimeoutMs)) return;
  const isEntitled = s.membership.isVoter(request.id) || s.leader?.id === request.id;
  if (isEntitled) obey(s);
  else warnOfPeer(s, 'told to campaign by a server that has no say here; ignored', { server: request.id });
}

/** Whether a request is that leader's, by its name and, where it tells one, its address. */
function isOf(leader: Candidate, request: TimeoutNowRequest): boolean {
  return leader.id === request.id && (request.address === null || leader.address === request.address);
}

/** Told twice, as over a new connection when the first seemed dead: the campaign that is under way goes on. */
function obey(s: RaftState): void {
  if (s.role === 'candidate' && s.round?.isTransfer) return;
  campaign(s, { isTransfer: true, isFast: false });
}

function isImpossible(message: RpcRequest | RpcResponse): boolean {
  return 'term' in message && message.term > TERM_MAX;
}

/** A late answer to a request of an earlier term can still carry news of a later one. */
function noticeTerm(s: RaftState, response: RpcResponse | null): void {
  if (response && 'term' in response && response.kind !== 'snapshot' && response.term > s.term)
    becomeFollower(s, response.term, 'a peer is in a later term');
}
