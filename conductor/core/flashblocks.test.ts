import { describe, expect, test } from 'vitest';
import { whyWithheld } from './flashblocks.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

const leader = { role: 'leader', hasFailed: false, leaseEndsAtMs: 1000 } as const;

describe('flashblocks are passed on only as leader, inside the lease, with an active sequencer (rule 26)', () => {
  test('all three hold', () => expect(whyWithheld({ status: leader, active: true }, 1000)).toBeNull());

  test.each(['follower', 'candidate'] as const)('as %s: no', (role) => {
    expect(whyWithheld({ status: { ...leader, role }, active: true }, 0)).toBe('not-leader');
  });

  test('a leader whose store failed: no', () => {
    expect(whyWithheld({ status: { ...leader, hasFailed: true }, active: true }, 0)).toBe('not-leader');
  });

  test('a moment after the lease, though nothing has been noticed yet: no', () => {
    expect(whyWithheld({ status: leader, active: true }, 1001)).toBe('lease-over');
  });

  test.each([false, null])('a sequencer whose activity is %s: no', (active) => {
    expect(whyWithheld({ status: leader, active }, 0)).toBe('not-sequencing');
  });
});

test('a conductor alone has a lease without end; what it believes of its sequencer decides', () => {
  const world = ConductorWorld.bootstrapped();
  expect(world.conductor.status().leaseEndsAtMs).toBe(Infinity);
  expect(world.conductor.flashblocksWithheld(world.now)).toBe('not-sequencing');
  world.node.isSequencing = true;
  world.run(2000);
  expect(world.conductor.flashblocksWithheld(world.now)).toBeNull();
});

test('one that never led passes nothing on', () => {
  const world = new ConductorWorld();
  world.node.isSequencing = true;
  world.run(2000);
  expect(world.conductor.flashblocksWithheld(world.now)).toBe('not-leader');
});
