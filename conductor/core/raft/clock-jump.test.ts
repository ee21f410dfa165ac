import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { blankPeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { appendReply, configurationEntry, heartbeatFrom, storeWith, voters } from './testing/messages.ts';
import type { OutboundRequest } from '../ports.ts';

const THREE = voters('n1', 'n2', 'n3');

/** A leader in contact, and a heartbeat to each peer that was sent just before its machine was suspended. */
function suspended(ms: number): { n1: LoneNode; before: OutboundRequest[] } {
  const n1 = LoneNode.leader(THREE);
  n1.run(200, () => n1.sent.filter(({ channel }) => channel === 'heartbeat').length === 2);
  const before = n1.take('heartbeat');
  n1.unseenMs += ms;
  n1.nowMs += 1;
  return { n1, before };
}

describe('time that passed unseen: the machine of a leader was suspended (rule 34)', () => {
  it('is noticed before anything is handled, and told', () => {
    const { n1 } = suspended(30_000);
    expect(n1.node.hasJumped()).toBe(true);
    n1.handle({ kind: 'tick' });
    expect(n1.node.hasJumped()).toBe(false);
    expect(n1.notices).toContainEqual({ kind: 'clockJump', ms: 30_000 });
  });

  it('ends the lease until a quorum has answered what was asked since; nobody is deposed by it', () => {
    const { n1, before } = suspended(30_000);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
    n1.handle({ kind: 'tick' });
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false, leaseEndsAtMs: -Infinity });
    expect(n1.node.position().isSure).toBe(false);
    n1.acknowledge(before[0]!);
    expect(n1.status.isSure).toBe(false);
    const since = n1.take('heartbeat');
    expect(since.map(({ peerId }) => peerId).toSorted()).toEqual(['n2', 'n3']);
    n1.acknowledge(since[0]!);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
    expect(n1.status.leaseEndsAtMs).toBeGreaterThan(n1.nowMs);
  });

  it('makes what peers had said of themselves as old, and their late answers as well, until they are asked anew', () => {
    const n1 = LoneNode.leader(THREE);
    const statusOf2 = () => n1.status.peers.find(({ id }) => id === 'n2')?.peerStatus;
    const peerStatus = encodePeerStatus({ ...blankPeerStatus('test'), paused: true });
    const answer = (message: OutboundRequest): void =>
      n1.answer(message, appendReply('n2', { term: 2, success: true, lastLog: n1.status.lastIndex, peerStatus }));
    const answerAll = (): void => n1.take('append', 'n2').forEach((message) => answer(message));
    // On a new connection it is offered what this server says of itself, and answers in kind.
    n1.run(1000, () => n1.sent.some(({ channel, peerId }) => channel === 'replicate' && peerId === 'n2'));
    n1.fail(n1.take('append', 'n2')[0]!, 'reset');
    n1.run(1000, () => (answerAll(), statusOf2()?.paused === true));
    n1.run(1000, () => n1.sent.some(({ channel, peerId }) => channel === 'replicate' && peerId === 'n2'));
    n1.unseenMs += 30_000;
    n1.nowMs += 1;
    const late = n1.take('append', 'n2');
    n1.handle({ kind: 'tick' });
    expect(statusOf2()).toBeNull();
    late.forEach((message) => answer(message));
    expect(late.length).toBeGreaterThan(0);
    expect(statusOf2()).toBeNull();
    n1.run(20, () => (answerAll(), false));
    expect(statusOf2()).toMatchObject({ paused: true });
  });

  it('what peers say is heard by a leader whose writes are slow, as long as it sees the time pass', () => {
    const n1 = LoneNode.leader(THREE);
    const peerStatus = encodePeerStatus({ ...blankPeerStatus('test'), paused: true });
    const answer = (message: OutboundRequest): void =>
      n1.answer(
        message,
        appendReply(message.peerId, { term: 2, success: true, lastLog: n1.status.lastIndex, peerStatus }),
      );
    n1.run(1000, () => n1.sent.some(({ channel, peerId }) => channel === 'replicate' && peerId === 'n2'));
    n1.fail(n1.take('append', 'n2')[0]!, 'reset');
    for (let write = 0; write < 6; write++) {
      n1.propose(`block ${write}`);
      const sent = n1.sent.splice(0);
      n1.nowMs += 600;
      for (const message of sent) {
        if (message.channel === 'heartbeat') n1.acknowledge(message);
        else answer(message);
      }
    }
    expect(n1.status.role).toBe('leader');
    expect(n1.status.peers.find(({ id }) => id === 'n2')?.peerStatus).toMatchObject({ paused: true });
  });

  it('a clock that is set a little, or back, is no such time', () => {
    for (const ms of [90, -30_000]) {
      const { n1 } = suspended(ms);
      n1.handle({ kind: 'tick' });
      expect(n1.status.isSure).toBe(true);
    }
  });

  it('a clock that was set back hides no suspension that follows', () => {
    const { n1 } = suspended(-30_000);
    n1.handle({ kind: 'tick' });
    n1.run(
      1000,
      () => (n1.acknowledgeAll(), n1.take('heartbeat').forEach((message) => n1.acknowledge(message)), false),
    );
    expect(n1.status.isSure).toBe(true);
    n1.unseenMs += 5000;
    expect(n1.node.hasJumped()).toBe(true);
    n1.handle({ kind: 'tick' });
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
    expect(n1.notices).toContainEqual({ kind: 'clockJump', ms: 5000 });
  });

  it('a clock that runs faster than the other is none either', () => {
    const n1 = LoneNode.leader(THREE);
    for (let each = 0; each < 1000; each++) {
      n1.unseenMs += 1;
      n1.run(
        10,
        () => (n1.acknowledgeAll(), n1.take('heartbeat').forEach((message) => n1.acknowledge(message)), false),
      );
    }
    expect(n1.notices.some(({ kind }) => kind === 'clockJump')).toBe(false);
  });

  it('a leader alone has nobody to ask, and a follower nothing to doubt', () => {
    const alone = new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1'))]) });
    alone.run(3000);
    alone.unseenMs += 30_000;
    alone.handle({ kind: 'tick' });
    expect(alone.status).toMatchObject({ role: 'leader', isSure: true, leaseEndsAtMs: Infinity });
    const follower = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    follower.request(heartbeatFrom('n2', 1));
    follower.unseenMs += 30_000;
    follower.handle({ kind: 'tick' });
    expect(follower.status).toMatchObject({ role: 'follower', leaderId: 'n2' });
    expect(follower.notices).toContainEqual({ kind: 'clockJump', ms: 30_000 });
  });
});
