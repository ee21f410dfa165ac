import { expect, it } from 'vitest';
import { blankPeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { RAFT_DEFAULTS } from './options.ts';
import { LoneNode } from './testing/lone-node.ts';
import { appendFrom, configurationEntry, preVoteFrom, storeWith, voters } from './testing/messages.ts';

/** A follower of n1 that has just lost the only connection of n1, and is asking n1 whether it lives. */
function probing(): { lone: LoneNode; inboundId: number } {
  const lone = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
  lone.request(appendFrom('n1', { term: 2 }), 1);
  lone.handle({ kind: 'inboundClosed', connectionId: 1 });
  const inboundId = 900;
  const request = preVoteFrom('n3', 3, 1, 1);
  lone.handle({ kind: 'request', connectionId: 2, inboundId, request });
  expect(lone.replies.has(inboundId), 'held while probing').toBe(false);
  return { lone, inboundId };
}

it('a pre-vote that comes while the leader is probed is granted once the leader is found gone', () => {
  const { lone, inboundId } = probing();
  lone.fail(lone.take('prevote', 'n1')[0]!, 'refused');
  expect(lone.replies.get(inboundId)).toMatchObject({ kind: 'prevote', granted: true });
});

it('and refused when the leader answers, or speaks up by itself', () => {
  const answered = probing();
  const [probe] = answered.lone.take('prevote', 'n1');
  const header = { protocolVersion: 3, id: 'n1', address: 'n1:1' };
  answered.lone.answer(probe!, { ...header, kind: 'prevote', term: 2, granted: false });
  expect(answered.lone.replies.get(answered.inboundId)).toMatchObject({ granted: false });
  const spoke = probing();
  spoke.lone.request(appendFrom('n1', { term: 2 }), 3);
  expect(spoke.lone.replies.get(spoke.inboundId)).toMatchObject({ granted: false });
});

it('where the redial hangs it is answered once this server believes in the leader no more', () => {
  const { lone, inboundId } = probing();
  lone.run(2000, () => lone.replies.has(inboundId));
  expect(lone.replies.get(inboundId)).toMatchObject({ granted: true });
  expect(lone.nowMs).toBeLessThan(RAFT_DEFAULTS.heartbeatTimeoutMs + 10);
});

it('and also where the voter has learned to wait for less than the redial takes', () => {
  const lone = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
  const peerStatus = encodePeerStatus({ ...blankPeerStatus('test'), own: ['n1', 'n3'] });
  lone.request({ ...appendFrom('n1', { term: 2, prevLogIndex: 1, prevLogTerm: 1, leaderCommit: 1 }), peerStatus }, 1);
  const heartbeat = {
    ...appendFrom('n1', { term: 2 }),
    electionTimeoutMs: 320,
    heartbeatIntervalMs: 100,
    durableIndex: 1,
  };
  for (let at = 0; at < 30; at++) {
    lone.nowMs += 100;
    lone.request(heartbeat, 1);
  }
  const goneAtMs = lone.nowMs;
  lone.handle({ kind: 'inboundClosed', connectionId: 1 });
  lone.handle({ kind: 'request', connectionId: 2, inboundId: 900, request: preVoteFrom('n3', 3, 1, 1) });
  lone.run(1000, () => lone.replies.has(900));
  expect(lone.replies.get(900)).toMatchObject({ granted: true });
  expect(lone.nowMs - goneAtMs).toBeLessThan(400);
});
