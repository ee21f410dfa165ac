import { describe, expect, it, test } from 'vitest';
import type { StoredEntry, WriteBatch } from '#conductor/core/ports';
import { EntryType, Suffrage, type IndexedConfiguration } from '#conductor/core/raft/types';
import type { RaftPosition } from '#conductor/core/raft/status';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { Disk, UnreadableEntry } from '../disk.ts';
import type { Machine } from '../machine.ts';
import { committedIsKept, copiesAreThere, membersAreTheLogs, toldDamageEndsNothing } from './durable-laws.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';

function stored(index: number, term: number, configuration: IndexedConfiguration | null = null): StoredEntry {
  const data = configuration === null ? new Uint8Array(4) : encodeConfiguration(configuration.configuration);
  const type = configuration === null ? EntryType.command : EntryType.configuration;
  return { entry: { index, term, type, data, extensions: null, appendedAt: new Uint8Array(15) }, summary: null };
}

function members(index: number, ...ids: string[]): IndexedConfiguration {
  const servers = ids.map((id) => ({ id, address: `${id}:1`, suffrage: Suffrage.voter }));
  return { index, configuration: { servers } };
}

function snapshotOf(configuration: IndexedConfiguration, index: number, term: number): WriteBatch {
  const data = new Uint8Array(1);
  return { snapshot: { meta: { index, term, configuration, size: 1 }, data } };
}

/** Two servers with disks of their own, and a law that watches them. */
function watched(law: Law) {
  const complaints: string[] = [];
  const oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  const acting = [members(0), members(0)];
  const machines = ['s0', 's1'].map((id, at) => {
    const conductor = { status: () => ({ configuration: acting[at] }) };
    return { id, life: 1, disk: new Disk(), conductor } as unknown as Machine;
  });
  const write = (at: number, batch: WriteBatch): void => {
    machines[at]!.disk.write(batch);
    oracle.written?.(machines[at]!, batch);
  };
  const observe = (at: number, position: Partial<RaftPosition> = {}): void =>
    oracle.observed?.(machines[at]!, { commitIndex: 0, term: 1, hasFailed: false, ...position } as RaftPosition);
  const act = (at: number, configuration: IndexedConfiguration): void => {
    acting[at] = configuration;
    observe(at);
  };
  return { complaints, oracle, machines, write, observe, act };
}

describe('what is committed is kept', () => {
  const held = [stored(1, 1), stored(2, 1), stored(3, 1)];

  it('cutting it off breaks it, cutting off what is not committed does not', () => {
    const { write, observe, complaints } = watched(committedIsKept);
    write(0, { entries: held });
    write(1, { entries: held });
    observe(0, { commitIndex: 2 });
    write(1, { truncateFrom: 3, entries: [stored(3, 2)] });
    expect(complaints).toEqual([]);
    write(1, { truncateFrom: 2, entries: [stored(2, 2)] });
    expect(complaints).toEqual(['s1 cuts entry 2 of term 1 off its log, which is committed']);
  });

  it('an entry that was another one, is there again, is behind a snapshot, or was lost with the disk is no matter', () => {
    const { write, observe, oracle, machines, complaints } = watched(committedIsKept);
    write(0, { entries: held });
    observe(0, { commitIndex: 3 });
    write(1, { entries: [stored(1, 1), stored(2, 2)] });
    write(1, { truncateFrom: 2, entries: held.slice(1) });
    write(1, { truncateFrom: 2, entries: held.slice(1) });
    write(1, { truncateFrom: 1, ...snapshotOf(members(1, 's0'), 3, 1) });
    machines[0]!.disk.wipe();
    oracle.wiped?.(machines[0]!);
    write(0, { truncateFrom: 1 });
    expect(complaints).toEqual([]);
  });
});

describe('the members are those of the log', () => {
  const one = members(1, 's0');
  const two = members(3, 's0', 's1');
  const entries = [stored(1, 1, one), stored(2, 1), stored(3, 2, two)];

  it('a configuration that stays in force without its entry breaks it', () => {
    const { write, act, complaints } = watched(membersAreTheLogs);
    write(0, { entries });
    act(0, two);
    expect(complaints).toEqual([]);
    write(0, { truncateFrom: 3 });
    act(0, two);
    expect(complaints).toEqual(['s0 acts for s0/0+s1/0 of index 3, where its log names s0/0 of index 1']);
  });

  it('one that is not in force with its entry breaks it', () => {
    const { write, act, complaints } = watched(membersAreTheLogs);
    write(0, { entries });
    act(0, one);
    expect(complaints).toHaveLength(1);
  });

  it('that of a snapshot counts where the log begins behind it', () => {
    const { write, act, complaints } = watched(membersAreTheLogs);
    write(0, { entries, ...snapshotOf(two, 3, 2) });
    write(0, { compactThrough: 3 });
    act(0, two);
    expect(complaints).toEqual([]);
    write(1, { truncateFrom: 1, ...snapshotOf(two, 3, 2) });
    act(1, one);
    expect(complaints).toHaveLength(1);
  });
});

describe('copies that are counted are there', () => {
  /** s0 leads term 2 with three entries and counts what it is told to on s1, which has two of them. */
  function leading() {
    const watching = watched(copiesAreThere);
    const { machines, oracle, write } = watching;
    oracle.watch?.({ machines } as unknown as World);
    const hardState = { term: 2, votedTerm: 2, votedFor: null, recovering: false };
    write(0, { entries: [stored(1, 1), stored(2, 1), stored(3, 2)], hardState });
    write(1, { entries: [stored(1, 1), stored(2, 1)], hardState });
    let worldMs = 0;
    const count = (match: number): void => {
      worldMs += 100;
      const conductor = { status: () => ({ peers: [{ id: 's1', match }] }) };
      Object.assign(machines[0]!, { worldMs, conductor });
      watching.observe(0, { role: 'leader', term: 2 });
    };
    return { ...watching, hardState, count };
  }

  it('one that is not there breaks it, one that is there does not', () => {
    const { count, complaints } = leading();
    count(0);
    count(2);
    expect(complaints).toEqual([]);
    count(3);
    expect(complaints).toEqual(['s0, leader of term 2, counts entry 3 on s1, where it is not']);
  });

  it('another entry in its place breaks it', () => {
    const { count, write, complaints } = leading();
    write(1, { entries: [stored(3, 1)] });
    count(3);
    expect(complaints).toHaveLength(1);
  });

  it('what a snapshot covers is there; what a later leader cut off, or was lost with the disk, had been', () => {
    const snapshot = leading();
    snapshot.write(1, snapshotOf(members(1, 's0'), 3, 2));
    snapshot.count(3);
    const later = leading();
    later.write(1, { hardState: { ...later.hardState, term: 3 } });
    later.count(3);
    const lost = leading();
    lost.count(2);
    lost.machines[1]!.disk.wipe();
    lost.write(1, { hardState: lost.hardState });
    lost.count(2);
    expect([snapshot, later, lost].flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});

/** What is said of a process that meets a damaged entry so long after a scrub told it of this one. */
function damageComplaints(afterMs: number, toldOf: number, isRestarted = false): string[] {
  const complaints: string[] = [];
  const oracle = toldDamageEndsNothing(
    (message) => complaints.push(message),
    () => undefined,
  );
  const server = { id: 's0', worldMs: 1000 };
  const machine = server as unknown as Machine;
  oracle.scrubbed?.(machine, toldOf);
  if (isRestarted) oracle.started?.(machine);
  server.worldMs += 10;
  oracle.scrubbed?.(machine, toldOf);
  server.worldMs += afterMs - 10;
  oracle.threw?.(machine, new UnreadableEntry(7));
  oracle.threw?.(machine, new Error('something else'));
  return complaints;
}

test('a process that ends of damage of which it was told long before breaks it, and of no other', () => {
  expect(damageComplaints(3001, 7)).toEqual(['s0 ends of entry 7, of whose damage it was told 3001 ms before']);
  expect(damageComplaints(3000, 7)).toEqual([]);
  expect(damageComplaints(3001, 8)).toEqual([]);
  expect(damageComplaints(3001, 7, true)).toEqual([]);
});
