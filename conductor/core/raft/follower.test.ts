import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  snapshotFrom,
  storeWith,
  voteFrom,
  voters,
} from './testing/messages.ts';

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

describe('appending', () => {
  it('answers with the last index from before', () => {
    const n1 = follower();
    const entries = [commandEntry(6, 2), commandEntry(7, 2)];
    const answer = n1.request(appendFrom('n2', { term: 2, prevLogIndex: 5, prevLogTerm: 1, entries }));
    expect(answer).toMatchObject({ success: true, lastLog: 5, term: 2 });
    expect(n1.status.lastIndex).toBe(7);
  });

  it.each([
    ['a missing entry', 9, 1],
    ['another term', 4, 2],
  ])('refuses after %s, without a pause', (_, prevLogIndex, prevLogTerm) => {
    const n1 = follower();
    expect(n1.request(appendFrom('n2', { term: 2, prevLogIndex, prevLogTerm, leaderCommit: 9 }))).toMatchObject({
      success: false,
      noRetryBackoff: true,
      lastLog: 5,
    });
    expect(n1.status).toMatchObject({ commitIndex: 3, lastIndex: 5, leaderId: 'n2' });
  });

  it('refuses an earlier term, and does not follow it', () => {
    const n1 = follower();
    n1.request(appendFrom('n2', { term: 3, prevLogIndex: 5, prevLogTerm: 1 }));
    expect(n1.request(appendFrom('n3', { term: 2, prevLogIndex: 5, prevLogTerm: 1 }))).toMatchObject({
      success: false,
      term: 3,
    });
    expect(n1.status.leaderId).toBe('n2');
  });

  it('names nobody as leader of a term of which it knows nothing but that somebody asks for votes', () => {
    const n1 = follower();
    expect(n1.status.leaderId).toBe('n2');
    n1.nowMs += 5000;
    n1.request(voteFrom('n3', 4, 5, 1));
    expect(n1.status).toMatchObject({ term: 4, leaderId: null });
  });

  it('a delayed shorter request cuts nothing off; a different term does', () => {
    const n1 = follower();
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 3, prevLogTerm: 1, entries: [commandEntry(4, 1)] }));
    expect(n1.status.lastIndex).toBe(5);
    n1.request(appendFrom('n2', { term: 2, prevLogIndex: 3, prevLogTerm: 1, entries: [commandEntry(4, 2)] }));
    expect(n1.status.lastIndex).toBe(4);
    expect(new LoneNode({ store: n1.store }).status.lastIndex).toBe(4);
  });

  it('commits what the request verifies and no more', () => {
    const n1 = follower();
    n1.request(appendFrom('n2', { term: 2, prevLogIndex: 4, prevLogTerm: 1, leaderCommit: 5 }));
    expect(n1.status.commitIndex).toBe(4);
  });

  it('a heartbeat commits nothing and verifies nothing', () => {
    const n1 = follower();
    expect(n1.request(heartbeatFrom('n2', 2))).toMatchObject({ success: true });
    expect(n1.status).toMatchObject({ commitIndex: 3, leaderId: 'n2', term: 2 });
  });

  it('what could not be written is not acknowledged, nor anything afterwards', () => {
    const n1 = follower();
    n1.store.failure = 'disk full';
    const entries = [commandEntry(6, 2)];
    const part = { prevLogIndex: 5, prevLogTerm: 1, entries };
    expect(n1.request(appendFrom('n2', { term: 2, ...part }))).toBeUndefined();
    expect(n1.request(heartbeatFrom('n2', 2))).toBeUndefined();
    expect(n1.status.hasFailed).toBe(true);
  });

  it('a request in a protocol version that is not spoken is refused with the words Go has for it', () => {
    for (const protocolVersion of [1, 4]) {
      const request = appendFrom('n2', { term: 2, prevLogIndex: 5, prevLogTerm: 1, protocolVersion });
      expect(follower().request(request)).toMatchObject({
        kind: 'error',
        message: expect.stringContaining('not supported'),
      });
    }
  });
});

describe('a follower that stood still while its election timer ran out', () => {
  /** n1 is called 300 ms too late. */
  function late(): LoneNode {
    const n1 = follower();
    n1.nowMs = n1.node.nextDeadlineMs() + 300;
    n1.handle({ kind: 'tick' });
    return n1;
  }

  it('first reads what came meanwhile: a leader that was heard is not replaced (rule 34)', () => {
    const n1 = late();
    n1.request(heartbeatFrom('n2', 1));
    n1.run(500);
    expect(n1.sent).toEqual([]);
  });

  it('asks for votes a moment later where nothing came, also on a machine where every timer is late', () => {
    const n1 = late();
    expect(n1.sent).toEqual([]);
    n1.nowMs = n1.node.nextDeadlineMs() + 100;
    n1.handle({ kind: 'tick' });
    expect(n1.take('prevote')).toHaveLength(2);
  });
});
