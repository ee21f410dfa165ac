import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import { RUN_VERSION, type Run } from '../run-value.ts';
import type { World } from '../world.ts';
import { acknowledgedIsCommitted } from './commit-laws.ts';
import { allAreBack, allAreReady, oneSequencerAtRest } from './ending-laws.ts';
import type { Law } from './oracle.ts';
import { readsSeeTheLog } from './read-laws.ts';

const ids = ['s0', 's1', 's2'];
const status = { term: 4, commitIndex: 100, isRecovering: false };

function judged(
  law: Law,
  change: Record<string, unknown> | null,
  kinds: readonly EventKind[] = [],
  opConductors = 0,
  nonvoters = 0,
): string[] {
  const complaints: string[] = [];
  const isMissing = change?.['isMember'] === false;
  const members = isMissing ? ids.slice(0, 2) : ids;
  const servers = members.map((id) => ({ id, suffrage: id === 's2' ? (change?.['suffrage'] ?? 0) : 0 }));
  const machines = ids.map((id, index) => ({
    id,
    index,
    node: {
      isActive: id === 's0' || change?.['isActive'] === true,
      isUp: true,
      client: { isWiped: id === 's2' && change?.['isWiped'] === true },
    },
    conductor:
      id === 's2' && change === null
        ? null
        : {
            status: () => ({
              ...status,
              configuration: { configuration: { servers } },
              ...(id === 's2' ? change : {}),
            }),
            answerNow: () => ({ kind: 'result', json: String(id === 's2' && change?.['isPaused'] === true) }),
            readiness: () => (id === 's2' ? (change?.['reason'] ?? '') : ''),
          },
  }));
  const events = kinds.map((kind) => ({ kind, afterMs: 0, at: 0, to: 0, forMs: 0, amount: 0 }));
  const run: Run = {
    version: RUN_VERSION,
    configuration: { ...defaultConfiguration, opConductors, nonvoters },
    events,
  };
  const world = { machines, leader: () => machines[0] } as unknown as World;
  const oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  oracle.finish?.({ run, world, calmFromMs: 0 });
  return complaints;
}

test('all members are ready', () => {
  expect(judged(allAreReady, {})).toEqual([]);
  expect(judged(allAreReady, { reason: 'no leader is known' })).toEqual(['s2 is not ready: no leader is known']);
  expect(judged(allAreReady, { reason: 'no leader is known' }, ['remove'])).toHaveLength(1);
  expect(judged(allAreReady, { reason: 'no leader is known', isMember: false })).toEqual([]);
  expect(judged(allAreReady, { reason: 'the node is 81 blocks behind', isWiped: true })).toEqual([]);
});

describe('all are back', () => {
  test.each([
    ['nothing', {}, /^$/],
    ['the term', { term: 3 }, /s2 is in term 3 beside a leader of term 4/],
    ['a vote', { isRecovering: true }, /s2 has not become a voter again/],
    ['much of the log', { commitIndex: 50 }, /s2 knows of 50 of 100/],
    ['little of the log', { commitIndex: 95 }, /^$/],
    ['the process', null, /s2 does not run/],
    ['the membership', { isMember: false }, /s2 is no member any more/],
    ['the vote that it began with', { suffrage: 1 }, /s2 has no vote/],
  ])('one lacks %s', (_, change, complaint) => {
    expect(judged(allAreBack, change).join()).toMatch(complaint);
  });

  test('one that was to have no vote may have got it', () => {
    expect(judged(allAreBack, { suffrage: 1 }, [], 0, 1)).toEqual([]);
    expect(judged(allAreBack, { suffrage: 0 }, [], 0, 1)).toEqual([]);
  });

  test('operators may still be adding one that they removed', () => {
    expect(judged(allAreBack, { isMember: false }, ['remove'])).toEqual([]);
  });

  test('beside an op-conductor a change of the members may keep somebody away for good', () => {
    expect(judged(allAreBack, { term: 3 }, ['remove'])).toHaveLength(1);
    expect(judged(allAreBack, { term: 3 }, ['remove'], 1)).toEqual([]);
    expect(judged(allAreBack, { term: 3 }, ['crash'], 1)).toHaveLength(1);
  });
});

test('no sequencer runs beside that of the leader, but of who is paused, or no member', () => {
  expect(judged(oneSequencerAtRest, {})).toEqual([]);
  expect(judged(oneSequencerAtRest, { isActive: true })).toHaveLength(2);
  expect(judged(oneSequencerAtRest, { isActive: true }, ['pause'])).toHaveLength(2);
  expect(judged(oneSequencerAtRest, { isActive: true, isPaused: true })).toEqual([
    'the sequencer of s1 runs, and s1 does not lead',
  ]);
  expect(judged(oneSequencerAtRest, { isActive: true, isMember: false })).toHaveLength(1);
});

const alone = { servers: [{ id: 's1', address: 's1:1', suffrage: 0 }] };

test.each([
  [7, 0],
  [6, 1],
])('a read that was asked for when 7 was committed and sees %d', (appliedIndex, expected) => {
  const complaints: string[] = [];
  const oracle = readsSeeTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const machine = {
    id: 's1',
    read: (done: (result: { kind: string }) => void) => done({ kind: 'done' }),
    conductor: { status: () => ({ appliedIndex, configuration: { configuration: alone } }) },
  } as never;
  oracle.observed?.(machine, { commitIndex: 7, hasFailed: false } as never);
  oracle.readBegins?.(machine);
  expect(complaints).toHaveLength(expected);
});

test('a read that is answered before a majority of voters has confirmed it', () => {
  const complaints: string[] = [];
  const oracle = readsSeeTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = ['s1', 's2', 's3'].map((id) => ({ id, address: `${id}:1`, suffrage: 0 }));
  const ends: (() => void)[] = [];
  const machine = {
    id: 's1',
    read: (done: (result: { kind: string }) => void) => ends.push(() => done({ kind: 'done' })),
    conductor: { status: () => ({ appliedIndex: 7, configuration: { configuration: { servers } } }) },
  } as never;
  const answer = (requestId: number): void => {
    oracle.sent?.(machine, { request: { kind: 'append' }, requestId, peerId: 's2' } as never);
    const response = { kind: 'append', success: true };
    oracle.handled?.(machine, { kind: 'response', requestId, response } as never);
  };
  // What was acknowledged before the read began confirms nothing.
  answer(1);
  oracle.readBegins?.(machine);
  ends.pop()?.();
  expect(complaints).toHaveLength(1);
  oracle.readBegins?.(machine);
  answer(2);
  ends.pop()?.();
  expect(complaints).toHaveLength(1);
});

test.each([
  [5n, 0],
  [4n, 1],
])('block 5 is acknowledged by a conductor that has committed %s', (number, expected) => {
  const complaints: string[] = [];
  const oracle = acknowledgedIsCommitted(
    (message) => complaints.push(message),
    () => undefined,
  );
  oracle.committed?.({ id: 's1', conductor: { committedHead: () => ({ number }) } } as never, { number: 5 } as never);
  expect(complaints).toHaveLength(expected);
});
