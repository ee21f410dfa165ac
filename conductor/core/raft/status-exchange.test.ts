import { describe, expect, it } from 'vitest';
import { blankPeerStatus, decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  statusOf,
  preVoteFrom,
  storeWith,
  voteFrom,
  voters,
} from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');
const LOG = [configurationEntry(1, 1, THREE), commandEntry(2, 1)];

function follower(): LoneNode {
  const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG) });
  n2.node.setLocalStatus({ healthy: false, paused: true, unsafeNumber: 7, unsafeHash: null });
  return n2;
}

describe('a follower (rule 16)', () => {
  it('answers an append with peer status only if the request had some', () => {
    const n2 = follower();
    const append = appendFrom('n1', { term: 1, prevLogIndex: 2, prevLogTerm: 1 });
    expect(n2.request(append)).not.toHaveProperty('peerStatus');
    const answer = n2.request({ ...append, peerStatus: statusOf() });
    const peerStatus = answer?.kind === 'append' && answer.peerStatus ? decodePeerStatus(answer.peerStatus) : null;
    expect(peerStatus).toMatchObject({ healthy: false, paused: true, unsafeNumber: 7 });
    expect(n2.request(append)).not.toHaveProperty('peerStatus');
  });

  it('answers heartbeats without any', () => {
    expect(follower().request(heartbeatFrom('n1', 1))).not.toHaveProperty('peerStatus');
  });

  it('refuses no vote for what it knows of the candidate’s sequencer or its own (rule 17)', () => {
    const n2 = follower();
    n2.run(1900);
    expect(n2.request(preVoteFrom('n3', 2, 2, 1))).toMatchObject({ granted: true });
    expect(n2.request(voteFrom('n3', 2, 2, 1))).toMatchObject({ granted: true });
  });
});

describe('a leader (rule 16)', () => {
  const encoded = encodePeerStatus({ ...blankPeerStatus('test'), healthy: true, unsafeNumber: 5 });

  /** n1 leads, n2 has told peer status at this moment. */
  function leader(): LoneNode {
    const n1 = new LoneNode({ store: storeWith(LOG) });
    n1.elect();
    for (const message of n1.take('append')) n1.acknowledge(message, message.peerId === 'n2' ? encoded : undefined);
    return n1;
  }
  const known = (n1: LoneNode) => n1.status.peers.find(({ id }) => id === 'n2')?.peerStatus ?? null;

  it('offers them to a server that answered them again and again, to another never', () => {
    const n1 = leader();
    const offered = new Map<string, number>();
    n1.run(2000, () => {
      for (const message of [...n1.take('append'), ...n1.take('heartbeat')]) {
        const { request } = message;
        if (request.kind === 'append' && request.peerStatus)
          offered.set(message.peerId, (offered.get(message.peerId) ?? 0) + 1);
        n1.acknowledge(message, message.peerId === 'n2' && message.channel !== 'heartbeat' ? encoded : undefined);
      }
      return false;
    });
    expect(offered.get('n2')).toBeGreaterThan(3);
    expect(offered.has('n3')).toBe(false);
  });

  it('knows nothing of a peer whose peer status is older than three idle appends', () => {
    const n1 = leader();
    expect(known(n1)).toMatchObject({ healthy: true, unsafeNumber: 5 });
    n1.run(1100, () => {
      for (const message of n1.take('heartbeat')) n1.acknowledge(message);
      return false;
    });
    expect(n1.status.role).toBe('leader');
    expect(known(n1)).toBeNull();
  });

  it('hands over to the peer an operator names, whatever its peer status (rule 17)', () => {
    const n1 = new LoneNode({ store: storeWith(LOG) });
    n1.elect();
    const ineligible = encodePeerStatus({ ...blankPeerStatus('test'), healthy: false, paused: true, unsafeNumber: 1 });
    for (const message of n1.take('append')) n1.acknowledge(message, ineligible);
    n1.command({ kind: 'transfer', target: 'n3' });
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n3']);
  });
});
