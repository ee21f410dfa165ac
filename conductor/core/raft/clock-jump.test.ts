import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { configurationEntry, heartbeatFrom, storeWith, voters } from './testing/messages.ts';
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

  it('a clock that is set a little, or back, is no such time', () => {
    for (const ms of [90, -30_000]) {
      const { n1 } = suspended(ms);
      n1.handle({ kind: 'tick' });
      expect(n1.status.isSure).toBe(true);
    }
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
