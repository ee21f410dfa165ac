/**
 * Elections of hashicorp/raft v1.7.3 (wire reference, section 7): a pre-vote, then votes; whoever loses waits for its election
 * timer and begins again. Simpler than Go's: one answer of each voter, in the order in which they come.
 */
import type { RequestPreVoteRequest, RequestVoteRequest, RpcResponse } from '#conductor/core/raft/types';
import type { Campaign } from './go-leading.ts';
import { beginLeading } from './go-leader.ts';
import { become, follow } from './go-role.ts';
import type { GoState } from './go-state.ts';

/** A follower's or a candidate's timer has run out. */
export function tickElection(s: GoState): void {
  if (s.role === 'leader' || s.nowMs < s.timerAtMs) return;
  if (s.role === 'candidate') {
    s.isTransferTarget = false;
    return campaign(s);
  }
  const { heartbeatTimeoutMs, id } = s.options;
  s.timerAtMs = s.nowMs + s.randomTimeout(heartbeatTimeoutMs);
  if (s.nowMs - s.lastContactMs < heartbeatTimeoutMs) return;
  s.leader = null;
  if (s.latest.index === 0 || !s.isVoter(id)) return;
  become(s, 'candidate');
  campaign(s);
}

/** A candidate begins, or begins again. */
export function campaign(s: GoState): void {
  s.timerAtMs = s.nowMs + s.randomTimeout(s.options.electionTimeoutMs);
  if (s.isTransferTarget) askForVotes(s);
  else askForPreVotes(s);
}

function askForPreVotes(s: GoState): void {
  const { lastIndex: lastLogIndex, lastTerm: lastLogTerm } = s.log;
  const request = { ...s.header, kind: 'prevote', term: s.term + 1, lastLogIndex, lastLogTerm } as const;
  const begun: Campaign = { isPreVote: true, term: s.term + 1, granted: 0 };
  s.campaign = begun;
  const won = (): void => {
    s.timerAtMs = s.nowMs + s.randomTimeout(s.options.electionTimeoutMs);
    askForVotes(s);
  };
  askAll(s, begun, request, won);
}

function askForVotes(s: GoState): void {
  const { id, address } = s.options;
  const term = s.term + 1;
  s.log.setHard({ term, ...(s.isVoter(id) ? { votedTerm: term, votedFor: { id, address } } : {}) });
  const { lastIndex: lastLogIndex, lastTerm: lastLogTerm } = s.log;
  const request = {
    ...s.header,
    kind: 'vote',
    term,
    candidate: address,
    lastLogIndex,
    lastLogTerm,
    leadershipTransfer: s.isTransferTarget,
  } as const;
  const begun: Campaign = { isPreVote: false, term, granted: 0 };
  s.campaign = begun;
  askAll(s, begun, request, () => {
    become(s, 'leader');
    s.leader = { id, address };
    beginLeading(s);
  });
}

function askAll(
  s: GoState,
  begun: Campaign,
  request: RequestVoteRequest | RequestPreVoteRequest,
  won: () => void,
): void {
  const count = (response: RpcResponse | null): void => {
    if (s.campaign !== begun || response?.kind !== request.kind) return;
    if (response.term > begun.term) return follow(s, response.term);
    if (response.granted && ++begun.granted === s.quorum) won();
  };
  for (const server of s.latest.configuration.servers) {
    if (!s.isVoter(server.id) || server.id === s.options.id) continue;
    s.ask(server, 'vote', request, s.options.requestTimeoutMs, count);
  }
  if (s.isVoter(s.options.id) && ++begun.granted === s.quorum) won();
}
