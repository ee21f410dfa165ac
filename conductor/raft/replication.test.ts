import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { voters } from './testing/messages.ts';

describe('pipelining', () => {
  it('tells of what a peer holds of a commit even while the bytes in flight are at their bound, and does not spin', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { inflightBytesMax: 10, appendEntriesMax: 1 } });
    for (let i = 0; i < 3; i++) n1.propose('twelve bytes');
    expect(n1.take('append', 'n3')).toHaveLength(1);
    for (let i = 0; i < 3; i++) n1.acknowledgeAll(['n3']);
    expect(n1.status.commitIndex).toBe(5);
    n1.run(60, () =>
      n1.sent.some(({ request, peerId }) => peerId === 'n3' && request.kind === 'append' && request.leaderCommit > 2),
    );
    expect(n1.take('append', 'n3').map(({ request }) => request)).toMatchObject([{ entries: [], leaderCommit: 3 }]);
  });
});

describe('the commit index in an append', () => {
  // A Go follower commits up to the smaller of it and its own last index, verified or not: a tail that a deposed
  // leader left there must not be declared committed by a request that stops before it.
  it('never lies above the last entry the request verifies', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { appendEntriesMax: 1 } });
    for (let i = 0; i < 4; i++) n1.propose(`c${i}`);
    n1.acknowledgeAll(['n3']);
    expect(n1.status.commitIndex).toBe(6);
    for (const message of n1.take('append', 'n3')) n1.fail(message, 'reset');
    let told = 0;
    n1.run(1000, () => {
      for (const message of n1.take('append', 'n3')) {
        const { request } = message;
        if (request.kind !== 'append' || request.entries === null) continue;
        expect(request.leaderCommit).toBeLessThanOrEqual(request.prevLogIndex + request.entries.length);
        told = request.leaderCommit;
        n1.acknowledge(message);
      }
      return n1.status.peers.every(({ match }) => match === 6);
    });
    expect(told, 'and the last one tells of all').toBe(6);
  });
});
