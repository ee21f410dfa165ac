import { describe, expect, it } from 'vitest';
import { RAFT_DEFAULTS } from './options.ts';
import { LoneNode } from './testing/lone-node.ts';
import { voters } from './testing/messages.ts';

const { leaderLeaseMs } = RAFT_DEFAULTS;

describe('the end of the lease, as observers see it', () => {
  it('lies one lease after the sending of what a quorum answered, though no event has told the node of later times', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
    n1.run(250, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    const sentMs = n1.nowMs;
    n1.nowMs += 20;
    n1.acknowledgeAll(['n3']);
    expect(n1.status).toMatchObject({ role: 'leader', leaseEndsAtMs: sentMs + leaderLeaseMs });
  });

  it('the node steps down once it has passed', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
    const { leaseEndsAtMs } = n1.status;
    n1.run(leaseEndsAtMs - n1.nowMs);
    expect(n1.status.role).toBe('leader');
    n1.run(leaderLeaseMs);
    expect(n1.status).toMatchObject({ role: 'follower', leaseEndsAtMs: -Infinity });
  });

  it('never comes for the only voter', () => {
    expect(LoneNode.leader(voters('n1')).status.leaseEndsAtMs).toBe(Infinity);
  });
});
