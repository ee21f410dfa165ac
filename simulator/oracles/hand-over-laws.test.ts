import { expect, test } from 'vitest';
import { EntryType, type HardState } from '#conductor/raft/types';
import { Disk } from '../disk.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { heirHoldsTheLog } from './hand-over-laws.ts';

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
function complaintsOf(role: 'leader' | 'follower', heir: Disk): string[] {
  const complaints: string[] = [];
  const oracle = heirHoldsTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const from = { id: 's0', disk: diskOf({}, 1, 1, 2), conductor: { position: () => ({ role, term: 2 }) } };
  const machines = [from, { id: 's1', disk: heir }] as unknown as Machine[];
  oracle.watch?.({ machines } as unknown as World);
  oracle.handsOver?.(machines[0]!, 's1');
  return complaints;
}

test('an heir that lacks the last entry, or has another one there, breaks it', () => {
  expect(complaintsOf('leader', diskOf({}, 1, 1, 2))).toEqual([]);
  expect(complaintsOf('leader', diskOf({}, 1, 1))).toEqual([
    's0 hands over to s1, which does not hold its last entry 3/2',
  ]);
  expect(complaintsOf('leader', diskOf({}, 1, 1, 1))).toHaveLength(1);
});

test('one that leads no more takes the best that there is; an heir that it cannot know of may have held it', () => {
  expect(complaintsOf('follower', diskOf({}, 1))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ term: 3 }, 1, 1, 3))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ recovering: true }))).toEqual([]);
});
