/**
 * Telling at once that the own health or pause has changed. A leader's next append to each peer of this software carries
 * it. A follower has no request of its own in the protocol, so it sends its leader, if that is of this software, an append of
 * term 0 with peer status: every raft server answers that as a stale one and does nothing. Anybody may send one, so a leader of
 * ours takes it as a reason to ask that peer over its own connection, and believes what is answered there.
 */
import { encodePeerStatus, type PeerStatus } from '../wire/peer-status.ts';
import type { RaftState } from './state.ts';
import type { AppendEntriesRequest } from './types.ts';

/** Sets what this server says of itself; a change of what decides whether it may be given the lead is told at once. */
export function setLocalStatus(
  s: RaftState,
  peerStatus: Partial<Omit<PeerStatus, 'version' | 'own'>>,
  isNews: boolean,
): void {
  const before = s.localStatus;
  s.localStatus = { ...before, ...peerStatus };
  const { healthy, paused, builds, ends } = s.localStatus;
  const isOther = before.healthy !== healthy || before.paused !== paused || before.builds !== builds;
  if (isOther || before.ends !== ends || isNews) s.mustTell = true;
}

/** Sends what has changed; once per Ready. Where no leader is known the next one asks by itself. */
export function tellStatus(s: RaftState): void {
  if (!s.mustTell || s.hasFailed) return;
  s.mustTell = false;
  const { leader } = s;
  if (s.leadership) {
    for (const peer of s.leadership.peers.values()) {
      if (peer.isNative) peer.statusWanted = true;
      // One that cannot be told of the end is asked whether it is there.
      else if (s.localStatus.ends) peer.heartbeatWanted = true;
    }
  } else if (leader !== null && leader.id !== null && s.ownIds.has(leader.id)) {
    const request: AppendEntriesRequest = {
      ...s.header,
      kind: 'append',
      term: 0,
      leader: null,
      prevLogIndex: 0,
      prevLogTerm: 0,
      entries: null,
      leaderCommit: 0,
      peerStatus: encodePeerStatus(s.localStatus),
    };
    const address = s.membership.find(leader.id)?.address ?? leader.address;
    const context = { kind: 'told', peerId: leader.id } as const;
    s.send({ id: leader.id, address }, 'heartbeat', request, context, s.options.heartbeatTimeoutMs);
  }
}

/** It ends, and the leader it follows, which is of this software, has yet to ask how it stands. */
export function isTellingEnd({ localStatus, leaderKnowsEnd, leadership, leader, ownIds }: RaftState): boolean {
  if (!localStatus.ends || leaderKnowsEnd || leadership !== null) return false;
  return leader !== null && leader.id !== null && ownIds.has(leader.id);
}

/** Whether an append is such a word: no leader has term 0. */
export function isStatus(request: AppendEntriesRequest): boolean {
  return request.term === 0 && request.peerStatus !== undefined;
}

/** Asks a peer that has news of itself; anybody else's word, and one that comes to a follower, changes nothing. */
export function onStatus(s: RaftState, inboundId: number, request: AppendEntriesRequest): void {
  const peer = s.leadership?.peers.get(request.id ?? '');
  if (peer?.isNative) peer.statusWanted = true;
  const lastLog = s.log.lastIndex;
  s.reply(inboundId, { ...s.header, kind: 'append', term: s.term, lastLog, success: false, noRetryBackoff: false });
}
