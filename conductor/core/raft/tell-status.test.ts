import { describe, expect, it } from 'vitest';
import { blankPeerStatus, decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { RAFT_DEFAULTS } from './options.ts';
import { LoneNode } from './testing/lone-node.ts';
import { appendFrom, configurationEntry, statusOf, storeWith, voters } from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');
const LOG = [configurationEntry(1, 1, THREE)];
const saying = (ends: boolean): Uint8Array => encodePeerStatus({ ...blankPeerStatus('test'), healthy: true, ends });

/** n1 leads; n2 and n3 are of this software. */
const leader = (): LoneNode => LoneNode.nativeLeader(THREE, saying(false));

/** A peer is asked how it stands, and says whether it ends. */
function hear(n1: LoneNode, id: string, ends: boolean): void {
  n1.command({ kind: 'ask' });
  for (const message of n1.take('append', id)) n1.acknowledge(message, saying(ends));
}

describe('a leader whose voters end (rule 21)', () => {
  it('leads on while a quorum is left, and not a moment longer', () => {
    const n1 = leader();
    hear(n1, 'n2', true);
    n1.run(1);
    expect(n1.status.role).toBe('leader');
    hear(n1, 'n3', true);
    n1.run(1);
    expect(n1.status.role).toBe('follower');
    expect(n1.notices.at(-1)).toMatchObject({ kind: 'role', reason: 'no quorum is left: others end' });
  });

  it('nor where the one that is left has been silent for the lease', () => {
    const n1 = leader();
    const untilMs = n1.nowMs + RAFT_DEFAULTS.leaderLeaseMs + 100;
    n1.run(RAFT_DEFAULTS.leaderLeaseMs + 100, () => {
      for (const message of n1.sent.splice(0)) if (message.peerId === 'n2') n1.acknowledge(message, saying(false));
      return n1.nowMs >= untilMs;
    });
    expect(n1.status.role).toBe('leader');
    hear(n1, 'n2', true);
    // Its answer could lie unread.
    n1.run(10);
    expect(n1.status.role).toBe('follower');
  });

  it('says that others end only where it would lead on with them', () => {
    const n1 = leader();
    hear(n1, 'n2', true);
    // It is gone for a long time by now, and what ends office is the silence of the other.
    const answering = (id: string, ms: number): void => {
      const untilMs = n1.nowMs + ms;
      n1.run(ms, () => {
        for (const message of n1.sent.splice(0)) if (message.peerId === id) n1.acknowledge(message);
        return n1.nowMs >= untilMs;
      });
    };
    answering('n3', 5000);
    expect(n1.status.role).toBe('leader');
    answering('nobody', RAFT_DEFAULTS.leaderLeaseMs + 100);
    const reason = 'no quorum answered within the lease';
    expect(n1.notices.at(-1)).toMatchObject({ kind: 'role', role: 'follower', reason });
  });

  it('one whose connections failed, and that answers again, was started again, before it is asked', () => {
    const n1 = leader();
    hear(n1, 'n2', true);
    n1.run(200);
    for (const message of n1.take('heartbeat', 'n2')) n1.fail(message, 'refused');
    expect(n1.status.peers.find(({ id }) => id === 'n2')?.peerStatus?.ends).toBe(true);
    n1.run(200);
    for (const message of n1.take('heartbeat', 'n2')) n1.acknowledge(message);
    expect(n1.status.peers.find(({ id }) => id === 'n2')?.peerStatus).toBe(null);
  });

  it('one that is back counts again', () => {
    const n1 = leader();
    hear(n1, 'n2', true);
    hear(n1, 'n2', false);
    hear(n1, 'n3', true);
    n1.run(1);
    expect(n1.status.role).toBe('leader');
  });
});

describe('a leader that ends', () => {
  it('sends op-conductors, which it cannot tell, a heartbeat at once', () => {
    const n1 = new LoneNode({ store: storeWith(LOG) });
    n1.elect();
    n1.acknowledgeAll();
    n1.sent = [];
    n1.node.setLocalStatus({ paused: true });
    n1.handle({ kind: 'tick' });
    expect(n1.take('heartbeat')).toEqual([]);
    n1.node.setLocalStatus({ ends: true });
    n1.handle({ kind: 'tick' });
    expect(n1.take('heartbeat').map(({ peerId }) => peerId)).toEqual(['n2', 'n3']);
  });
});

describe('a follower that ends', () => {
  function follower(own: readonly string[]): LoneNode {
    const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG) });
    const told = own.length > 0 ? { peerStatus: statusOf(...own) } : {};
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, ...told }));
    n2.sent = [];
    n2.node.setLocalStatus({ ends: true });
    n2.handle({ kind: 'tick' });
    return n2;
  }

  it('tells its leader, and knows when that has asked', () => {
    const n2 = follower(['n1', 'n3']);
    expect(n2.take('heartbeat')).toMatchObject([{ peerId: 'n1', request: { term: 0 } }]);
    expect(n2.status.isTellingEnd).toBe(true);
    const asked = appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1') });
    const answer = n2.request(asked);
    expect(answer?.kind === 'append' && decodePeerStatus(answer.peerStatus!)?.ends).toBe(true);
    expect(n2.status.isTellingEnd).toBe(false);
  });

  it('tells the next leader anew', () => {
    const n2 = follower(['n1', 'n3']);
    const told = { peerStatus: statusOf('n1', 'n3') };
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, ...told }));
    n2.request(appendFrom('n3', { term: 2, prevLogIndex: 1, prevLogTerm: 1 }));
    expect(n2.status.isTellingEnd).toBe(true);
  });

  it('waits for no leader of another software, and for none where it knows none', () => {
    expect(follower([]).status.isTellingEnd).toBe(false);
    const alone = new LoneNode({ id: 'n2', store: storeWith(LOG) });
    alone.node.setLocalStatus({ ends: true });
    expect(alone.status.isTellingEnd).toBe(false);
  });
});
