/**
 * Who may move this server's term, and how far (rule 32). Whoever is no member changes nothing. A member's word raises
 * the term by what elections explain; a larger step, and one from another address than that member's while a leader is heard, is taken
 * only from what the members themselves say when they are asked at their configured addresses. They also say who has joined while this server was away.
 */
import { decodeConfiguration, encodeConfiguration } from '../wire/configuration.ts';
import { raiseAlarm } from './alarms.ts';
import { isInContactWithLeader } from './election-timeout.ts';
import { addressOf, question } from './identity.ts';
import { becomeFollower } from './roles.ts';
import type { Inquiry, RequestContext } from './pending-requests.ts';
import type { RaftState } from './state.ts';
import { INQUIRY } from './timing.ts';
import { votersOf } from './quorum.ts';
import type { Ballot, RequestPreVoteRequest, RpcRequest, RpcResponse } from './types.ts';

/** Elections that may have gone by unseen, and how many more in each heartbeat timeout since the last contact. */
const TERMS_AT_ONCE = 64;
const TERMS_PER_TIMEOUT = 10;
/** What a server without members takes, which can ask nobody: thirteen years of ten elections a second. */
const TERM_OF_STRANGERS_MAX = 2 ** 32;
/** A term rises by no more at once, whoever confirms it: thousands of such steps leave terms to go on with. */
const TERM_STEP_MAX = 2 ** 40;
/** Bytes in the request mean nothing: that the key is there asks for the membership. */
const ASKS = new Uint8Array(0);

/** What a request would make of this server's term. */
export type Standing = 'welcome' | 'stranger' | 'unexplained' | 'elsewhere';

/** Whether a request of a leader, or for a vote, may change anything here; asks the members where it may not yet. */
export function standingOf(s: RaftState, request: Extract<RpcRequest, { term: number }>): Standing {
  if (isStranger(s, request)) return 'stranger';
  const fields = { server: request.id, addr: addressOf(request), term: request.term, known: s.term };
  if (isElsewhere(s, request)) {
    const message =
      'a server under the name of a member speaks as a leader, or for a vote, from another address: it is not followed unless that member confirms it';
    raiseAlarm(s, 'stranger', request.id ?? '', message, fields);
    askMembers(s, 'term');
    return 'elsewhere';
  }
  if (isExplained(s, request.term)) return 'welcome';
  const message = 'a request is in a term that elections do not explain: it is not followed unless members confirm it';
  raiseAlarm(s, 'term-jump', '', message, fields);
  askMembers(s, 'term');
  return 'unexplained';
}

/** Says that a stranger speaks as a leader, and asks the members whether it is one of them by now. */
export function onStranger(s: RaftState, request: RpcRequest): void {
  const fields = { request: request.kind, server: request.id, addr: addressOf(request) };
  const message = 'a server that is no member, as far as this one knows, speaks as a leader: nothing it says is done';
  raiseAlarm(s, 'stranger', '', message, fields);
  if (request.kind !== 'timeoutNow') askMembers(s, 'members');
}

/**
 * A server that is still new knows a part of the log at most, and a leader may not be a member there; nor may one in
 * the middle of catching up, which has followed it since before. Memberships that are not committed yet may be undone.
 */
function isStranger(s: RaftState, request: Extract<RpcRequest, { term: number }>): boolean {
  if (s.membership.latest.configuration.servers.length === 0 || s.hard.recovering) return false;
  // Leaders of long ago named an address alone; whoever wants a vote has to say who it is.
  const id = request.id || (request.kind === 'vote' ? null : s.membership.findByAddress(addressOf(request))?.id);
  if (!id) return true;
  if (s.membership.mayBeMember(id, s.commitIndex) || s.inquiry.introduced.has(id)) return false;
  return s.leader?.id !== id || s.term !== request.term;
}

/**
 * Whether a leadership or vote that is news comes under the name of a member from another address than its own, while another leader is
 * heard, or was or could be a moment ago, as after a start: servers of two clusters may have the same names. One that only calls
 * itself otherwise is asked at the address that is known.
 */
function isElsewhere(s: RaftState, request: Extract<RpcRequest, { term: number }>): boolean {
  if (request.term < s.term || (request.term === s.term && s.leader !== null)) return false;
  const address = addressOf(request);
  const known = s.membership.find(request.id ?? '');
  if (known === undefined || address === '' || known.address === address) return false;
  if (mayBeResolved(known.address, address)) return false;
  const { confirmed } = s.inquiry;
  if (confirmed?.id === known.id && confirmed.term === request.term) return false;
  const { votedTerm, votedFor } = s.hard;
  if (votedTerm === request.term && votedFor?.id === known.id && votedFor.address === address) return false;
  const mayLeadSoon = request.kind !== 'vote' && s.leader === null;
  const isNew = mayLeadSoon && s.nowMs - s.contactMs < s.options.heartbeatTimeoutMs;
  return isNew || isInContactWithLeader(s, { id: known.id, address });
}

const IP_ADDRESS = /^(\[.*\]|[\d.]+):/;

/** Whether an address may be the other one as an op-conductor names it, which resolves its name when it starts (net.ResolveTCPAddr). */
function mayBeResolved(configured: string, named: string): boolean {
  const isSamePort = configured.slice(configured.lastIndexOf(':')) === named.slice(named.lastIndexOf(':'));
  return isSamePort && IP_ADDRESS.test(named) && !IP_ADDRESS.test(configured);
}

/** Whether elections can have brought a term about since this server last heard of one. */
function isExplained(s: RaftState, term: number): boolean {
  if (term <= s.term + TERMS_AT_ONCE) return true;
  if (s.membership.latest.configuration.servers.length === 0) return term <= TERM_OF_STRANGERS_MAX;
  const silentMs = s.role === 'leader' ? 0 : s.nowMs - s.contactMs;
  return term <= s.term + TERMS_AT_ONCE + (TERMS_PER_TIMEOUT * silentMs) / s.options.heartbeatTimeoutMs;
}

/**
 * Whether an answer is in a term that is not to be taken from it. A larger step than elections explain is confirmed by the
 * answer to a question, of the member that was asked for it; a member whose term nothing confirms is gone on without.
 */
export function isUnfounded(s: RaftState, { kind, peerId }: RequestContext, answer: RpcResponse): boolean {
  if (!('term' in answer) || isExplained(s, answer.term)) return false;
  if (!answer.id) return true;
  if (answer.term > s.term + TERM_STEP_MAX) {
    const fields = { server: peerId, term: answer.term, known: s.term };
    const message =
      'a member answers in a term that elections do not explain and nobody can confirm: it is gone on without';
    raiseAlarm(s, 'term-jump', peerId, message, fields);
    return true;
  }
  if (kind === 'inquiry' || kind === 'askTerm') return false;
  askMembers(s, 'term');
  return true;
}

/** Asks every member, now and then, what it knows that this server does not. */
export function askMembers(s: RaftState, about: Inquiry): void {
  if (s.nowMs < s.inquiry.nextAtMs[about]) return;
  s.inquiry.nextAtMs[about] = s.nowMs + INQUIRY.againMs;
  for (const peer of s.others) {
    const request = { ...question(s), configuration: ASKS };
    s.send(peer, 'vote', request, { kind: 'inquiry', peerId: peer.id, about }, INQUIRY.timeoutMs);
  }
}

/** A member's answer, which came from its configured address under its own id; null when none came. */
export function onInquiryAnswer(
  s: RaftState,
  { peerId, about }: { readonly peerId: string; readonly about: Inquiry },
  response: RpcResponse | null,
): void {
  if (response?.kind !== 'prevote' || response.id !== peerId || !s.membership.find(peerId)) return;
  if (response.configuration) introduce(s, response.configuration);
  if (about !== 'term' || response.term <= s.term) return;
  s.inquiry.confirmed = { id: peerId, term: response.term };
  becomeFollower(s, response.term, `asked back, server ${peerId} is in a later term`);
}

/**
 * Whether a nonvoter, or one that is no member, that has more of the log than this server is a voter by what is missing here:
 * without this server's vote there may be no majority (record 0144). Nothing in its request says so, and Go's nodes do not ask:
 * a member has to.
 */
export function isPromoted(s: RaftState, { id, lastLogTerm, lastLogIndex }: Ballot): boolean {
  const { log, inquiry } = s;
  const isAhead = lastLogTerm > log.lastTerm || (lastLogTerm === log.lastTerm && lastLogIndex > log.lastIndex);
  if (!isAhead || !id) return false;
  if (inquiry.introduced.get(id) === true) return true;
  askMembers(s, 'members');
  return false;
}

/** Servers that a member counts as members may be heard, and as voters voted for, until this server's own membership changes. */
function introduce(s: RaftState, configuration: Uint8Array): void {
  try {
    const decoded = decodeConfiguration(configuration);
    const { introduced } = s.inquiry;
    // Another member may lack the promotion, too: one that has it is believed.
    for (const { id } of decoded.servers)
      introduced.set(id, introduced.get(id) === true || votersOf(decoded).includes(id));
  } catch {
    // No membership after all: nobody is introduced.
  }
}

/**
 * What an answer to a pre-vote says of the members to a member that asks for them; nothing to others. Who was taken out itself
 * tells whoever asks: it may be all that is left of those that the other one knows.
 */
export function membersFor(s: RaftState, request: RequestPreVoteRequest): { configuration?: Uint8Array } {
  if (request.configuration === undefined || !request.id) return {};
  const { configuration } = s.membership.latest;
  const isTakenOut = configuration.servers.length > 0 && !s.membership.find(s.options.id);
  return isTakenOut || s.membership.find(request.id) ? { configuration: encodeConfiguration(configuration) } : {};
}
