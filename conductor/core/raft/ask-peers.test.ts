import { describe, expect, it } from 'vitest';
import { blankPeerStatus, decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { bitsOfKinds } from '../evidence/observation.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
  configurationEntry,
  heartbeatFrom,
  statusOf,
  storeWith,
  voters,
} from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');
const LOG = [configurationEntry(1, 1, THREE)];

function peerStatus(paused: boolean, healthy: boolean | null = true): Uint8Array {
  return encodePeerStatus({ ...blankPeerStatus('test'), healthy, paused });
}

/** n1 leads; n2 and n3 are of this software and said that they are paused; n4, if any, is not. */
const leader = (): LoneNode => LoneNode.nativeLeader(THREE, peerStatus(true));

const pausedOf = (n1: LoneNode, id: string) => n1.status.peers.find((peer) => peer.id === id)?.peerStatus?.paused;

describe('asking all peers how they stand', () => {
  it('sends each of them peer status at once, and ends when all have answered', () => {
    const n1 = leader();
    const id = n1.command({ kind: 'ask' });
    const [toN2] = n1.take('append', 'n2');
    const [toN3] = n1.take('append', 'n3');
    expect(toN2?.request).toMatchObject({ entries: [], peerStatus: expect.anything() });
    n1.acknowledge(toN2!, peerStatus(false));
    expect(n1.results.has(id)).toBe(false);
    n1.acknowledge(toN3!, peerStatus(true));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    expect([pausedOf(n1, 'n2'), pausedOf(n1, 'n3')]).toEqual([false, true]);
  });

  it('an answer to what was sent before the question is none', () => {
    const n1 = leader();
    n1.run(400, () => n1.sent.filter(({ request }) => 'peerStatus' in request).length === 2);
    const before = n1.take('append');
    const id = n1.command({ kind: 'ask' });
    for (const message of before) n1.acknowledge(message, peerStatus(true));
    expect(n1.results.has(id)).toBe(false);
    for (const message of n1.take('append')) n1.acknowledge(message, peerStatus(false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('waits a quarter of the heartbeat timeout for one that is silent', () => {
    const n1 = leader();
    const id = n1.command({ kind: 'ask' });
    n1.acknowledge(n1.take('append', 'n2')[0]!, peerStatus(false));
    n1.run(249);
    expect(n1.results.has(id)).toBe(false);
    n1.run(1);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('asks no op-conductor, nor twice one that has ceased to be of this software', () => {
    const n1 = new LoneNode({ store: storeWith(LOG) });
    n1.elect();
    for (const message of n1.take('append')) n1.acknowledge(message);
    n1.acknowledgeAll();
    n1.sent = [];
    const id = n1.command({ kind: 'ask' });
    expect(n1.take('append')).toEqual([]);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    const other = leader();
    other.command({ kind: 'ask' });
    for (const message of other.take('append')) other.acknowledge(message);
    expect(other.take('append')).toEqual([]);
  });

  it('ends with the leadership, and is refused by a follower', () => {
    const n1 = leader();
    const id = n1.command({ kind: 'ask' });
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
    expect(n1.results.get(n1.command({ kind: 'ask' }))).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });
});

describe('a change of the own health or pause is told at once', () => {
  const status = { healthy: true, unsafeNumber: 7, unsafeHash: null };

  function follower(own: readonly string[]): LoneNode {
    const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG) });
    n2.node.setLocalStatus({ ...status, paused: true });
    const told = own.length > 0 ? { peerStatus: statusOf(...own) } : {};
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, ...told }));
    n2.sent = [];
    return n2;
  }

  function change(node: LoneNode, to: { paused?: boolean; unsafeNumber?: number }): void {
    node.node.setLocalStatus({ ...status, paused: true, ...to });
    node.handle({ kind: 'tick' });
  }

  it('by a follower, to a leader of this software, in an append that any other takes for a stale one', () => {
    const n2 = follower(['n1', 'n3']);
    change(n2, { paused: false });
    const [word, ...more] = n2.take('heartbeat');
    expect(more).toEqual([]);
    expect(word).toMatchObject({ peerId: 'n1', address: 'n1:1', request: { kind: 'append', term: 0, entries: null } });
    const { request } = word!;
    expect(request.kind === 'append' && decodePeerStatus(request.peerStatus!)).toMatchObject({
      healthy: true,
      paused: false,
    });
    n2.fail(word!, 'reset');
    expect(n2.sent).toEqual([]);
  });

  it('a head that moves on is not: it is told with what is sent anyway', () => {
    const n2 = follower(['n1', 'n3']);
    change(n2, { unsafeNumber: 8 });
    expect(n2.sent).toEqual([]);
  });

  it('nothing of it goes to a leader not known to be of this software', () => {
    const n2 = follower([]);
    change(n2, { paused: false });
    expect(n2.sent).toEqual([]);
  });

  it('the leader asks that member over its own connection, and believes nothing else', () => {
    const n1 = leader();
    const word = { ...appendFrom('n2', { term: 0, prevLogIndex: 0, prevLogTerm: 0 }), entries: null };
    const answer = { kind: 'append', success: false, term: 2 };
    // Anybody can send one under a member's id, of what would move the chain back.
    const observations = [{ number: 9, hash: new Uint8Array(32), kinds: bitsOfKinds(['left', 'invalid']) }];
    const forged = { ...blankPeerStatus('test'), healthy: true, observations };
    for (const said of [encodePeerStatus(forged), peerStatus(false), Uint8Array.of(0xc1)])
      expect(n1.request({ ...word, peerStatus: said, address: 'elsewhere:1' }, 99)).toMatchObject(answer);
    expect(pausedOf(n1, 'n2')).toBe(true);
    const [asked] = n1.take('append', 'n2');
    expect(asked).toMatchObject({ address: 'n2:1', request: { entries: [], peerStatus: expect.anything() } });
    n1.acknowledge(asked!, peerStatus(false));
    expect(pausedOf(n1, 'n2')).toBe(false);
    n1.take('append');
    expect(n1.request({ ...word, id: 'n9', peerStatus: peerStatus(true) })).toMatchObject(answer);
    expect(n1.take('append')).toEqual([]);
    expect(n1.status).toMatchObject({ role: 'leader', term: 2, leaderId: 'n1' });
  });

  it('by a leader, to all of this software', () => {
    const n1 = leader();
    change(n1, { paused: true });
    const told = n1.take('append');
    expect(told.map(({ peerId }) => peerId)).toEqual(['n2', 'n3']);
    for (const { request } of told)
      expect(request.kind === 'append' && decodePeerStatus(request.peerStatus!)).toMatchObject({ paused: true });
    for (const message of told)
      n1.answer(message, appendReply(message.peerId, { term: 2, success: true, peerStatus: peerStatus(true) }));
    expect(n1.take('append')).toEqual([]);
  });
});
