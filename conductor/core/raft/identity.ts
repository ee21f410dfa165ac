/**
 * Who answers is who was asked, and nobody else speaks for this server (rule 32): names and addresses of machines
 * lead astray when a name is moved, an address is used again or a tunnel ends somewhere else.
 */
import { raiseAlarm } from './alarms.ts';
import type { RaftState } from './state.ts';
import type { RequestPreVoteRequest, RpcRequest, RpcResponse } from './types.ts';

/** Nobody campaigns in this term: whoever has members has left it behind, so a pre-vote of it asks for no vote. */
const QUESTION_TERM = 1;

/** A request that changes nothing anywhere, with Go too: its answer tells a server's id and its term. */
export function question(s: RaftState): RequestPreVoteRequest {
  return { ...s.header, kind: 'prevote', term: QUESTION_TERM, lastLogIndex: 0, lastLogTerm: 0 };
}

function isQuestion(request: RpcRequest): boolean {
  return request.kind === 'prevote' && request.term === QUESTION_TERM;
}

/** The address a request names as its sender's; older servers have a field of its own for it. */
export function addressOf(request: RpcRequest): string {
  if (request.address !== null) return request.address;
  if (request.kind === 'vote') return request.candidate ?? '';
  return request.kind === 'append' || request.kind === 'snapshot' ? (request.leader ?? '') : '';
}

/** Whether a request came back to the server that sent it; says so. A leader's question to its own new address may. */
export function comesFromItself(s: RaftState, request: RpcRequest): boolean {
  const { id, address } = s.options;
  const isNative = request.id ? request.id === id : addressOf(request) === address;
  if (!isNative || isQuestion(request)) return false;
  const message =
    'a request names this server itself as its sender: a member’s address leads here, or two servers have one id';
  raiseAlarm(s, 'own-name', '', message, { request: request.kind, addr: addressOf(request) });
  return true;
}

/**
 * Whether an answer names another server than the one that was asked: it counts for nothing then, and the next
 * request dials anew. Go's answers to snapshots and TimeoutNow name nobody.
 */
export function isAnotherServers(s: RaftState, response: RpcResponse, peerId: string): boolean {
  if (response.kind === 'error' || !response.id || response.id === peerId) return false;
  const addr = s.membership.find(peerId)?.address ?? '';
  const message = 'another server answers at the address of a member: its answers count for nothing';
  raiseAlarm(s, 'wrong-server', peerId, message, { server: peerId, addr, answers: response.id });
  if (!s.outbox.forget.includes(peerId)) s.outbox.forget.push(peerId);
  const staging = s.leadership?.staging;
  if (staging?.command.id === peerId) staging.answeredBy = response.id;
  return true;
}
