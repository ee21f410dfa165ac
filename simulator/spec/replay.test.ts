import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EntryType, type AppendEntriesRequest, type Entry, type RequestVoteRequest } from '#conductor/core/raft/types';
import { specEntry, type Fact, type Recording, type SpecEntry } from './facts.ts';
import { mapRecording } from './mapping.ts';
import { PUBLISHED_FILE, PUBLISHED_SHA256, replay } from './replay.ts';

const header = { protocolVersion: 3, id: null, address: null };
const entry = (index: number, term: number): Entry => ({
  index,
  term,
  type: EntryType.barrier,
  data: null,
  extensions: null,
  appendedAt: new Uint8Array(),
});
const append = (term: number, entries: readonly Entry[], leaderCommit = 0): AppendEntriesRequest => {
  const prevLogIndex = (entries[0]?.index ?? 2) - 1;
  return { ...header, kind: 'append', term, leader: null, prevLogIndex, prevLogTerm: 1, entries, leaderCommit };
};
const vote = (term: number, lastLogIndex = 1): RequestVoteRequest => {
  const last = { lastLogIndex, lastLogTerm: 1 };
  return { ...header, kind: 'vote', term, candidate: null, ...last, leadershipTransfer: false };
};
const written = (
  at: number,
  log: readonly Entry[],
  from: number,
  ballot?: { term: number; votedFor: number | null },
): Fact => {
  const last: SpecEntry | null = log.length === 0 ? null : specEntry(log.at(-1)!);
  const entries = log.slice(from - 1).map((one) => ({ index: one.index, ...specEntry(one) }));
  return { kind: 'written', at, entries, lastIndex: log.length, last, ...(ballot === undefined ? {} : { ballot }) };
};
const observed = (at: number, role: 'leader' | 'follower' | 'candidate', term: number, commitIndex: number): Fact => ({
  kind: 'observed',
  at,
  role,
  term,
  commitIndex,
});

/** Three servers: the first leads term 1, all hold its first entry, which is committed. */
const first = entry(1, 1);
function recordingOf(facts: readonly Fact[]): Recording {
  const server = { term: 1, votedFor: 0, commitIndex: 1, log: [specEntry(first)] };
  const servers = [0, 1, 2].map((at) => ({ ...server, isLeader: at === 0 }));
  return { servers, facts, begin: 0 };
}

/** How many of the steps are allowed, of how many, and the one that is not. */
function judge(facts: readonly Fact[]) {
  const recording = recordingOf(facts);
  const { steps } = mapRecording(recording);
  const { allowed, refused } = replay(recording, steps);
  return {
    isAllowed: allowed === steps.length,
    action: refused?.step.action ?? null,
    fact: refused?.step.fact ?? null,
  };
}

/** The leader appends an entry, one follower takes it, and it is committed. */
const second = entry(2, 1);
const request = append(1, [second], 1);
const commits: readonly Fact[] = [
  { kind: 'sent', at: 0, to: 1, request },
  written(0, [first, second], 2),
  { kind: 'asked', at: 1, request },
  written(1, [first, second], 2),
  { kind: 'granted', at: 0, request },
  observed(0, 'leader', 1, 2),
];

/** The last server is elected by the second one in term 2. */
const ballot = vote(2);
const elects: readonly Fact[] = [
  written(2, [first], 2, { term: 2, votedFor: 2 }),
  { kind: 'sent', at: 2, to: 1, request: ballot },
  written(1, [first], 2, { term: 2, votedFor: 2 }),
  { kind: 'granted', at: 2, request: ballot },
  observed(2, 'leader', 2, 1),
];

describe('raft.tla', () => {
  it('is what was published', () => {
    const sum = createHash('sha256').update(readFileSync(PUBLISHED_FILE)).digest('hex');
    expect(sum).toBe(PUBLISHED_SHA256);
  });

  it('allows an entry that a majority holds to be committed, and an election', () => {
    expect(judge(commits)).toEqual({ isAllowed: true, action: null, fact: null });
    expect(judge(elects)).toEqual({ isAllowed: true, action: null, fact: null });
    expect(judge([...commits, ...elects.slice(0, 2)]).isAllowed).toBe(true);
  });

  it('refuses a commit that nobody acknowledged, where it shows', () => {
    const without = commits.filter(({ kind }) => kind !== 'granted');
    expect(judge(without)).toEqual({ isAllowed: false, action: 'AdvanceTo(n0, 2)', fact: 4 });
  });

  it('refuses a vote for a candidate whose log is behind', () => {
    const facts = [...commits, ...elects];
    expect(judge(facts)).toEqual({ isAllowed: false, action: 'Wrote(n1, 2, n2)', fact: 8 });
  });

  it('refuses a leader that too few have voted for', () => {
    const without = elects.filter(({ kind }) => kind !== 'granted');
    expect(judge(without)).toEqual({ isAllowed: false, action: 'BecomeLeader(n2)', fact: 3 });
  });

  it('refuses a second vote in one term', () => {
    const other = written(1, [first], 2, { term: 2, votedFor: 1 });
    expect(judge([...elects, other])).toEqual({
      isAllowed: false,
      action: 'ReceiveOne(VoteRequests(n1, n1, 2))',
      fact: 5,
    });
  });

  it('refuses a term that nobody campaigned for, and one that is skipped', () => {
    expect(judge([written(1, [first], 2, { term: 2, votedFor: null })]).action).toBe('Wrote(n1, 2, Nil)');
    expect(judge([written(1, [first], 2, { term: 3, votedFor: 1 })]).action).toBe('Wrote(n1, 3, n1)');
  });

  it('refuses a follower that writes something else than it was sent, or loses what it had', () => {
    const other = { ...written(1, [first, second], 2), last: { term: 1, value: 'something else' } } as Fact;
    expect(judge([...commits.slice(0, 3), other]).action).toBe('Holds(n1, 2, 1, "something else")');
    expect(judge([...commits, written(1, [first], 2)]).action).toBe(`Holds(n1, 1, 1, "${specEntry(first).value}")`);
  });

  it('refuses a commit index that a follower was not told', () => {
    expect(judge([...commits.slice(0, 4), observed(1, 'follower', 1, 2)])).toEqual({
      isAllowed: false,
      action: 'Knows(n1, 2)',
      fact: 4,
    });
  });

  it('is asked nothing more where a run goes beyond it', () => {
    const { steps, endedBy } = mapRecording(recordingOf([{ kind: 'beyond', why: 'a snapshot' }, ...commits]));
    expect({ steps, endedBy }).toEqual({ steps: [], endedBy: 'a snapshot' });
    const lost = mapRecording(recordingOf([commits[0]!, { kind: 'started', at: 0, lastIndex: 1 }]));
    expect(lost.endedBy).toBe('a leader that ended between sending and writing');
  });

  it('is asked nothing where nobody leads when the steps are to begin, whatever is on its way by then', () => {
    const facts: readonly Fact[] = [
      { kind: 'sent', at: 0, to: 1, request },
      { kind: 'beyond', why: 'an election' },
      { kind: 'asked', at: 1, request },
      written(1, [first, second], 2),
    ];
    const formed = { ...recordingOf(facts), begin: 1 };
    expect(mapRecording(formed).steps.map(({ action }) => action)).toEqual(['AppendEntries(n0, n1)']);
    const servers = formed.servers.map((server) => ({ ...server, isLeader: false }));
    expect(mapRecording({ ...formed, servers })).toEqual({ steps: [], endedBy: 'an election' });
  });
});
