import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { appendFrom, commandEntry, configurationEntry, snapshotFrom, storeWith, voters } from './testing/messages.ts';

const MEMBERS = voters('n1', 'n2', 'n3');

/** n1 with entries 1..5 of term 1, of which 1..3 are committed. */
function follower(): LoneNode {
  const entries = [configurationEntry(1, 1, MEMBERS), ...[2, 3, 4, 5].map((index) => commandEntry(index, 1))];
  const n1 = new LoneNode({ store: storeWith(entries) });
  n1.request(appendFrom('n2', { term: 1, prevLogIndex: 3, prevLogTerm: 1, leaderCommit: 3 }));
  return n1;
}

describe('what no correct leader sends is refused, and changes nothing', () => {
  it.each([
    ['an entry that contradicts a committed one', { prevLogIndex: 1, prevLogTerm: 1, entries: [commandEntry(2, 2)] }],
    ['a gap', { prevLogIndex: 3, prevLogTerm: 1, entries: [commandEntry(5, 2)] }],
    ['a term that falls', { prevLogIndex: 4, prevLogTerm: 1, entries: [commandEntry(5, 2), commandEntry(6, 1)] }],
    ['a term beyond its own', { prevLogIndex: 5, prevLogTerm: 1, entries: [commandEntry(6, 9)] }],
    [
      'a configuration that is none',
      { prevLogIndex: 5, prevLogTerm: 1, entries: [{ ...commandEntry(6, 2), type: 5 }] },
    ],
  ])('%s', (_, part) => {
    const n1 = follower();
    expect(n1.request(appendFrom('n2', { term: 2, ...part }))).toMatchObject({ kind: 'error' });
    expect(n1.status).toMatchObject({ lastIndex: 5, commitIndex: 3 });
  });

  it('an entry that contradicts the snapshot its log begins after', () => {
    const n1 = new LoneNode({ store: storeWith([]) });
    n1.request(snapshotFrom('n2', { term: 6, index: 10, lastTerm: 5, configuration: MEMBERS }));
    const entries = [commandEntry(10, 1), commandEntry(11, 1)];
    expect(n1.request(appendFrom('n2', { term: 6, prevLogIndex: 9, prevLogTerm: 1, entries }))).toMatchObject({
      kind: 'error',
    });
    expect(n1.status.lastIndex).toBe(10);
  });

  it('a snapshot whose last term or configuration lies beyond itself', () => {
    for (const part of [{ lastTerm: 9 }, { configurationIndex: 11 }]) {
      const n1 = new LoneNode({ store: storeWith([]) });
      const request = snapshotFrom('n2', { term: 6, index: 10, lastTerm: 5, configuration: MEMBERS, ...part });
      expect(n1.request(request)).toMatchObject({ kind: 'snapshot', success: false });
      expect(n1.status).toMatchObject({ lastIndex: 0, snapshotIndex: 0 });
    }
  });
});
