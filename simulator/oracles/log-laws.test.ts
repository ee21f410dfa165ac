import { describe, expect, it } from 'vitest';
import type { StoredEntry, WriteBatch } from '#conductor/core/ports';
import { EntryType, type HardState } from '#conductor/core/raft/types';
import type { RaftPosition } from '#conductor/core/raft/status';
import { Disk } from '../disk.ts';
import type { Machine } from '../machine.ts';
import {
  electionSafety,
  leaderCompleteness,
  logMatching,
  monotonicTermAndCommit,
  oneVotePerTerm,
  stateMachineSafety,
} from './log-laws.ts';
import type { Law } from './oracle.ts';

const follower: RaftPosition = {
  role: 'follower',
  isSure: false,
  leaseEndsAtMs: -Infinity,
  term: 1,
  leaderId: null,
  commitIndex: 0,
  snapshotIndex: 0,
  configuration: { index: 0, configuration: { servers: [] } },
  isRecovering: false,
  hasFailed: false,
};

function stored(index: number, term: number, byte = 0): StoredEntry {
  const data = new Uint8Array(4).fill(byte);
  const entry = { index, term, type: EntryType.command, data, extensions: null, appendedAt: new Uint8Array(15) };
  return { entry, summary: null };
}

function vote(term: number, id: string): HardState {
  return { term, votedTerm: term, votedFor: { id, address: id }, recovering: false } as HardState;
}

/** Three servers with disks of their own, and a law that watches them. */
function watched(law: Law) {
  const complaints: string[] = [];
  const oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  const machines = ['s0', 's1', 's2'].map((id) => ({ id, life: 1, disk: new Disk() }) as unknown as Machine);
  const write = (at: number, batch: WriteBatch): void => {
    machines[at]!.disk.write(batch);
    oracle.written?.(machines[at]!, batch);
  };
  const observe = (at: number, position: Partial<RaftPosition>): void =>
    oracle.observed?.(machines[at]!, { ...follower, ...position });
  return { complaints, oracle, machines, write, observe };
}

describe('election safety', () => {
  it('two leaders of a term break it, one per term do not', () => {
    const { observe, complaints } = watched(electionSafety);
    for (const [at, term] of [
      [0, 1],
      [1, 2],
      [0, 3],
      [0, 3],
    ] as const)
      observe(at, { role: 'leader', term });
    expect(complaints).toEqual([]);
    observe(2, { role: 'leader', term: 2 });
    expect(complaints).toEqual(['term 2 has two leaders, s1 and s2, as s2 has it']);
  });

  it('is also that whoever is named as leader of a term leads it, before or after', () => {
    const { observe, complaints } = watched(electionSafety);
    observe(0, { role: 'leader', term: 1 });
    observe(1, { term: 1, leaderId: 's0' });
    observe(1, { term: 2, leaderId: 's2' });
    observe(2, { role: 'leader', term: 2 });
    observe(0, { term: 2, leaderId: null });
    expect(complaints).toEqual([]);
    observe(0, { term: 2, leaderId: 's0' });
    expect(complaints).toEqual(['term 2 has two leaders, s2 and s0, as s0 has it']);
  });

  it('says nothing of whom a candidate of Go’s names, which may be the leader of a term before', () => {
    const named = (isOpConductor: boolean): number => {
      const { observe, complaints, machines } = watched(electionSafety);
      Object.assign(machines[0]!, { isOpConductor });
      observe(0, { role: 'candidate', term: 3, leaderId: 's2' });
      observe(0, { role: 'leader', term: 3 });
      return complaints.length;
    };
    expect([named(true), named(false)]).toEqual([0, 1]);
  });
});

describe('one vote per term', () => {
  it('a second vote breaks it, also after the disk was lost', () => {
    const { write, oracle, machines, complaints } = watched(oneVotePerTerm);
    write(0, { hardState: vote(4, 's1') });
    write(0, { hardState: vote(4, 's1') });
    write(0, { hardState: vote(5, 's2') });
    expect(complaints).toEqual([]);
    machines[0]!.disk.wipe();
    oracle.wiped?.(machines[0]!);
    write(0, { hardState: vote(4, 's2') });
    expect(complaints).toEqual(['s0 votes for s1 and for s2 in term 4']);
  });
});

describe('one vote per term of a server that lost its disk', () => {
  it('what it gave itself before died with the candidate, what it gave another did not', () => {
    const { write, oracle, machines, complaints } = watched(oneVotePerTerm);
    write(0, { hardState: vote(4, 's0') });
    write(0, { hardState: vote(5, 's1') });
    write(1, { hardState: vote(4, 's1') });
    oracle.wiped?.(machines[0]!);
    write(0, { hardState: vote(4, 's2') });
    expect(complaints).toEqual([]);
    write(1, { hardState: vote(4, 's2') });
    write(0, { hardState: vote(5, 's0') });
    expect(complaints).toEqual(['s1 votes for s1 and for s2 in term 4', 's0 votes for s1 and for s0 in term 5']);
  });
});

describe('terms and commits', () => {
  it('a term that goes back on a disk breaks it, unless that was lost', () => {
    const { write, oracle, machines, complaints } = watched(monotonicTermAndCommit);
    write(0, { hardState: vote(4, 's1') });
    oracle.wiped?.(machines[0]!);
    write(0, { hardState: vote(1, 's1') });
    expect(complaints).toEqual([]);
    write(0, { hardState: vote(0, 's1') });
    expect(complaints).toEqual(['the term of s0 goes back from 1 to 0']);
  });

  it('a commit index that goes back within a life breaks it', () => {
    const { observe, machines, complaints } = watched(monotonicTermAndCommit);
    observe(0, { commitIndex: 5 });
    Object.assign(machines[0]!, { life: 2 });
    observe(0, { commitIndex: 3 });
    expect(complaints).toEqual([]);
    observe(0, { commitIndex: 2 });
    expect(complaints).toEqual(['the commit index of s0 goes back from 3 to 2']);
  });
});

describe('log matching', () => {
  it('one index and term with two contents break it', () => {
    const { write, complaints } = watched(logMatching);
    write(0, { entries: [stored(1, 1), stored(2, 1)] });
    write(1, { entries: [stored(1, 1), stored(2, 2, 9)] });
    expect(complaints).toEqual([]);
    write(2, { entries: [stored(1, 1), stored(2, 1, 7)] });
    expect(complaints).toEqual(['entry 2/1 is two different ones, on s2 and elsewhere']);
  });

  it('an entry whose bytes were given back is another one', () => {
    const { write, complaints } = watched(logMatching);
    const one = stored(1, 1, 5);
    write(0, { entries: [one] });
    write(1, { entries: [one] });
    expect(complaints).toEqual([]);
    (one.entry.data!.buffer as ArrayBuffer).transfer(0);
    write(2, { entries: [one] });
    expect(complaints).toEqual(['entry 1/1 is two different ones, on s2 and elsewhere']);
  });

  it('one entry behind two different ones breaks it', () => {
    const { write, complaints } = watched(logMatching);
    write(0, { entries: [stored(1, 1), stored(2, 3)] });
    write(1, { entries: [stored(1, 2), stored(2, 3)] });
    expect(complaints).toEqual(['entry 2/3 follows terms 1 and 2']);
  });

  it('a snapshot that ends with an entry there never was breaks it', () => {
    const { write, complaints } = watched(logMatching);
    const upTo = (index: number, term: number): WriteBatch => {
      const configuration = { index: 1, configuration: { servers: [] } };
      return { snapshot: { meta: { index, term, configuration, size: 0 }, data: new Uint8Array(0) } };
    };
    write(0, { entries: [stored(1, 1), stored(2, 1)], ...upTo(2, 1) });
    write(1, upTo(2, 1));
    expect(complaints).toEqual([]);
    write(0, upTo(2, 3));
    expect(complaints).toEqual(['a snapshot of s0 ends with entry 2/3, which nobody has written']);
  });
});

describe('state-machine safety', () => {
  it('two entries committed at one index break it', () => {
    const { write, observe, complaints } = watched(stateMachineSafety);
    write(0, { entries: [stored(1, 1), stored(2, 1)] });
    write(1, { entries: [stored(1, 1), stored(2, 2, 1)] });
    observe(0, { commitIndex: 1 });
    observe(1, { commitIndex: 1 });
    observe(0, { commitIndex: 2 });
    expect(complaints).toEqual([]);
    observe(1, { commitIndex: 2, term: 2 });
    expect(complaints).toEqual(['index 2 is committed with terms 1 and 2, the latter on s1']);
  });

  it('sees what was compacted before it looked', () => {
    const { write, observe, complaints } = watched(stateMachineSafety);
    write(0, { entries: [stored(1, 1)] });
    write(0, { compactThrough: 1 });
    observe(0, { commitIndex: 1 });
    write(1, { entries: [stored(1, 2)] });
    observe(1, { commitIndex: 1, term: 2 });
    expect(complaints).toHaveLength(1);
  });

  it('a server whose disk has failed acknowledges nothing of what it knows', () => {
    const { write, observe, complaints } = watched(stateMachineSafety);
    write(0, { entries: [stored(1, 1)] });
    write(1, { entries: [stored(1, 2)] });
    observe(0, { commitIndex: 1 });
    observe(1, { commitIndex: 1, hasFailed: true });
    expect(complaints).toEqual([]);
  });
});

describe('leader completeness', () => {
  it('a leader without what was committed in an earlier term breaks it', () => {
    const { write, observe, complaints } = watched(leaderCompleteness);
    write(0, { entries: [stored(1, 1), stored(2, 1)] });
    write(1, { entries: [stored(1, 1), stored(2, 1)] });
    write(2, { entries: [stored(1, 1)] });
    observe(0, { commitIndex: 2, role: 'leader' });
    observe(1, { term: 2, role: 'leader' });
    expect(complaints).toEqual([]);
    observe(2, { term: 3, role: 'leader' });
    expect(complaints).toEqual(['s2 leads term 3 with term null at index 2, where 1 is committed']);
  });

  it('what a snapshot covers need not be in the log', () => {
    const { write, observe, complaints } = watched(leaderCompleteness);
    write(0, { entries: [stored(1, 1), stored(2, 1)] });
    observe(0, { commitIndex: 2, role: 'leader' });
    observe(2, { term: 3, role: 'leader', snapshotIndex: 2 });
    expect(complaints).toEqual([]);
  });
});
