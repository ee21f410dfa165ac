import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { voters } from './testing/messages.ts';

describe('pipelining', () => {
  it('tells of a commit even while the bytes in flight are at their bound, and does not spin', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { inflightBytesMax: 10, appendEntriesMax: 1 } });
    for (let i = 0; i < 3; i++) n1.propose('twelve bytes');
    expect(n1.take('append', 'n3')).toHaveLength(1);
    for (let i = 0; i < 3; i++) n1.acknowledgeAll(['n3']);
    expect(n1.status.commitIndex).toBe(5);
    n1.run(60, () =>
      n1.sent.some(({ request, peerId }) => peerId === 'n3' && request.kind === 'append' && request.leaderCommit === 5),
    );
    expect(n1.take('append', 'n3').map(({ request }) => request)).toMatchObject([{ entries: [], leaderCommit: 5 }]);
  });
});
