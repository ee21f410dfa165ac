import { bitsOfKinds } from '#conductor/core/evidence/observation';
import { expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { RaftPosition } from '#conductor/core/raft/status';
import { EntryType, type HardState } from '#conductor/core/raft/types';
import { Disk } from '../disk.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { heirHasAMajority, heirHoldsTheLog, heirIsNotKnownUnfit } from './hand-over-laws.ts';

function diskOf(hard: Partial<HardState>, ...terms: number[]): Disk {
  const disk = new Disk();
  const entries = terms.map((term, at) => {
    const entry = { index: at + 1, term, type: EntryType.noop, data: null, extensions: null };
    return { entry: { ...entry, appendedAt: new Uint8Array(15) }, summary: null };
  });
  const hardState = { term: 2, votedTerm: 2, votedFor: null, recovering: false, ...hard };
  disk.write({ entries, hardState });
  return disk;
}

/** What is said of a hand-over from a server with the terms 1, 1, 2 to this one. */
function complaintsOf(role: 'leader' | 'follower', transferTarget: Disk): string[] {
  const complaints: string[] = [];
  const oracle = heirHoldsTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const from = { id: 's0', disk: diskOf({}, 1, 1, 2), conductor: { position: () => ({ role, term: 2 }) } };
  const machines = [from, { id: 's1', disk: transferTarget }] as unknown as Machine[];
  oracle.watch?.({ machines } as unknown as World);
  oracle.handsOver?.(machines[0]!, 's1');
  return complaints;
}

test('a transfer target that lacks the last entry, or has another one there, breaks it', () => {
  expect(complaintsOf('leader', diskOf({}, 1, 1, 2))).toEqual([]);
  expect(complaintsOf('leader', diskOf({}, 1, 1))).toEqual([
    's0 hands over to s1, which does not hold its last entry 3/2',
  ]);
  expect(complaintsOf('leader', diskOf({}, 1, 1, 1))).toHaveLength(1);
});

test('one that leads no more takes the best that there is; a transfer target that it cannot know of may have held it', () => {
  expect(complaintsOf('follower', diskOf({}, 1))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ term: 3 }, 1, 1, 3))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ recovering: true }))).toEqual([]);
});

interface Peer {
  readonly healthy: boolean | null;
  readonly paused: boolean;
  readonly builds?: boolean;
  readonly observations?: readonly unknown[];
}

/** What is said of a hand-over to s1 after these seconds, when the leader has heard that of it from the beginning on. */
function ineligibleComplaints(
  seconds: number,
  heard: (second: number) => Peer | null,
  { isNamed = false, isStartedPaused = false } = {},
): string[] {
  const complaints: string[] = [];
  const oracle = heirIsNotKnownUnfit(
    (message) => complaints.push(message),
    () => undefined,
  );
  let worldMs = 0;
  const position = { role: 'leader' } as RaftPosition;
  const statusOf = (peer: Peer | null): unknown => (peer === null ? null : { observations: [], ...peer });
  const status = (): unknown => ({ peers: [{ id: 's1', peerStatus: statusOf(heard(worldMs / 1000)) }] });
  const leader = {
    id: 's0',
    isStartedPaused,
    get worldMs() {
      return worldMs;
    },
    conductor: { position: () => position, status },
  } as unknown as Machine;
  oracle.started?.(leader);
  for (; worldMs < seconds * 1000; worldMs += 500) oracle.observed?.(leader, position);
  const named = { kind: 'rpc', answerId: 1, method: 'conductor_transferLeaderToServer', values: ['s1', ''], from: '' };
  if (isNamed) oracle.handled?.(leader, named as ConductorEvent);
  oracle.handsOver?.(leader, 's1');
  return complaints;
}

test('a transfer target that has said for long that it is paused or unhealthy breaks it', () => {
  const paused: Peer = { healthy: true, paused: true };
  expect(ineligibleComplaints(4, () => paused)).toEqual([
    's0 hands over to s1, known to be unhealthy or paused since 0',
  ]);
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false }))).toHaveLength(1);
});

test('one that says so since the choice, that was fit in between, that is silent, or that was named, does not', () => {
  const paused: Peer = { healthy: true, paused: true };
  const eligible: Peer = { healthy: true, paused: false };
  expect(ineligibleComplaints(2, () => paused)).toEqual([]);
  expect(ineligibleComplaints(4, (second) => (second === 2.5 ? eligible : paused))).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: null, paused: false }))).toEqual([]);
  expect(ineligibleComplaints(4, () => null)).toEqual([]);
  expect(ineligibleComplaints(4, () => paused, { isNamed: true })).toEqual([]);
});

test('one whose client refuses a block stands where the chain goes on: its head is as old as everybody’s', () => {
  const observations = [{ number: 5, hash: new Uint8Array(32), kinds: bitsOfKinds(['invalid']) }];
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false, observations }))).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: true, observations }))).toHaveLength(1);
});

test('under a leader that is paused itself whoever is not, or builds, is fit', () => {
  const leader = { isStartedPaused: true };
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false }), leader)).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: true, paused: true, builds: true }), leader)).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: true, paused: true }), leader)).toHaveLength(1);
});

/** What is said when s0 of three hands over after ten seconds, the others having ended at these. */
function lonelyComplaints({ isEnding, endedAtMs }: { isEnding: boolean; endedAtMs: readonly number[] }): string[] {
  const complaints: string[] = [];
  const oracle = heirHasAMajority(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: `${id}:1`, suffrage: 0 }));
  const position = { role: 'leader' } as RaftPosition;
  const conductor = { position: () => position, status: () => ({ configuration: { configuration: { servers } } }) };
  const at = (index: number, worldMs: number): Machine =>
    ({ id: `s${index}`, worldMs, conductor }) as unknown as Machine;
  oracle.watch?.({ machines: [0, 1, 2].map((index) => at(index, 0)) } as unknown as World);
  for (const [index, atMs] of endedAtMs.entries()) oracle.ended?.(at(index + 1, atMs));
  if (isEnding) oracle.handled?.(at(0, 10_000), { kind: 'drain', reason: 'SIGTERM' });
  oracle.handsOver?.(at(0, 10_000), 's1');
  return complaints;
}

test('one that ends while too few others are there to be a majority breaks it', () => {
  for (const endedAtMs of [1000, 9999])
    expect(lonelyComplaints({ isEnding: true, endedAtMs: [endedAtMs] })).toEqual([
      's0 ends and hands over, though only 1 of 3 voters stay',
    ]);
});

test('one that stays, that leaves a majority, or beside one that ends later, does not', () => {
  expect(lonelyComplaints({ isEnding: false, endedAtMs: [1000] })).toEqual([]);
  expect(lonelyComplaints({ isEnding: true, endedAtMs: [] })).toEqual([]);
  expect(lonelyComplaints({ isEnding: true, endedAtMs: [10_000] })).toEqual([]);
});
