import { expect, test } from 'vitest';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from './machine.ts';
import { ShownPositions } from './shown-positions.ts';

const machine = { life: 1 } as Machine;
const first: RaftPosition = {
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

test('the same position is shown again, whatever time does to it', () => {
  const shown = new ShownPositions();
  expect(shown.isAgain(machine, first)).toBe(false);
  expect(shown.isAgain(machine, { ...first, isSure: true })).toBe(true);
});

test.each<Partial<RaftPosition>>([
  { role: 'leader' },
  { term: 2 },
  { leaderId: 's1' },
  { commitIndex: 1 },
  { snapshotIndex: 1 },
  { configuration: { index: 0, configuration: { servers: [] } } },
  { isRecovering: true },
  { hasFailed: true },
])('%j is another position, and the one before is another again', (change) => {
  const shown = new ShownPositions();
  shown.isAgain(machine, first);
  expect(shown.isAgain(machine, { ...first, ...change })).toBe(false);
  expect(shown.isAgain(machine, { ...first, ...change })).toBe(true);
  expect(shown.isAgain(machine, first)).toBe(false);
});

test('another machine, and another process of the same, show it for the first time', () => {
  const shown = new ShownPositions();
  shown.isAgain(machine, first);
  expect(shown.isAgain({ ...machine } as Machine, first)).toBe(false);
  (machine as { life: number }).life++;
  expect(shown.isAgain(machine, first)).toBe(false);
});
