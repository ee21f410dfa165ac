import { describe, expect, test } from 'vitest';
import { block, ControlWorld } from './testing/world.ts';
import type { Peer } from './target.ts';

const paused: Peer = {
  ...{ id: 'b', isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, ceasedLeadingAtMs: null },
  known: {
    ...{ isHealthy: true, isPaused: true, headNumber: 5n, headHash: null },
    ...{ safeNumber: null, l1Number: null, observations: [] },
  },
};

describe('an alarm that lasts is counted and said once, and then once a minute', () => {
  function alarmed(): ControlWorld {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [paused];
    world.lead(2);
    world.run();
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: true });
    world.run(4000);
    return world;
  }
  const count = (world: ControlWorld) => world.totals.get('alarms_total no-healthy-peer');

  test('however often it is looked at', () => {
    const world = alarmed();
    expect(count(world)).toBe(1);
    world.run(50_000);
    expect(count(world)).toBe(1);
    world.run(130_000);
    expect(count(world)).toBe(4);
    expect(world.logs.filter((line) => line.startsWith('error the sequencer is not healthy'))).toHaveLength(4);
  });

  test('at once where it begins anew', () => {
    const world = alarmed();
    world.loop.verdictChanged({ isHealthy: true, nodeAnswers: true });
    world.run(1000);
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: true });
    world.run(1000);
    expect(count(world)).toBe(2);
  });

  test('and another one at once, in its own right', () => {
    const world = alarmed();
    world.loop.rollbackRefused('block 5 stays');
    world.loop.rollbackRefused('block 5 stays');
    world.loop.rollbackRefused('block 4 stays');
    expect(world.totals.get('alarms_total rollback-refused')).toBe(2);
  });

  test('however many others there are: those that were counted longest ago are forgotten first', () => {
    const world = alarmed();
    for (let each = 0; each < 200; each += 1) world.loop.rollbackRefused(`block ${each} stays`);
    for (let each = 0; each < 3; each += 1) world.loop.rollbackRefused('block 199 stays');
    expect(world.totals.get('alarms_total rollback-refused')).toBe(200);
  });
});

test('an error that lasts is logged once a minute, so that whoever comes later finds it, and counted each time', () => {
  const world = new ControlWorld();
  world.lead(2);
  world.run(600_000);
  const lines = world.logs.filter((line) => line === 'error failed to start sequencer').length;
  expect(lines).toBeGreaterThanOrEqual(9);
  expect(lines).toBeLessThanOrEqual(11);
  expect(world.totals.get('sequencer_starts_count false')).toBeGreaterThan(lines);
});

test('that no server is fit is said as long as it is so', () => {
  const world = new ControlWorld();
  const standing = { kind: 'common', waitsFor: 'another server', l1Number: 9n, safeNumber: 1n } as const;
  world.loop.headStands({ kind: 'common', l1Number: 9n, safeNumber: 1n, head: { number: 5n, sinceMs: 0 } });
  for (let second = 0; second < 150; second += 1) {
    world.loop.headStands({ ...standing, head: { number: 5n, sinceMs: 0 } });
    world.run(1000);
  }
  expect(world.totals.get('alarms_total no-healthy-peer')).toBe(3);
});

test.each([
  [{}, 'L1'],
  [{ waitsFor: 'the safe head' as const }, 'the safe head'],
])('a head that stands for all is told once, with what leadership waits for', (more, what) => {
  const world = new ControlWorld();
  const head = { number: 5n, sinceMs: 0 };
  for (let time = 0; time < 2; time += 1)
    world.loop.headStands({ kind: 'common', l1Number: 9n, safeNumber: 1n, head, ...more });
  const told = world.logs.filter((line) => line.includes('the head stands'));
  expect(told).toEqual([
    `warn the head stands for a reason that other leaders share: leadership stays until ${what} goes on`,
  ]);
});
