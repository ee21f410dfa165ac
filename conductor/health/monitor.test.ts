import { expect, test } from 'vitest';
import type { NodeRequest } from '../control/calls.ts';
import type { Verdict } from './checks.ts';
import { HealthMonitor } from './monitor.ts';

function setUp() {
  const world = {
    now: 0,
    asked: [] as { id: number; request: NodeRequest }[],
    verdicts: [] as Verdict[],
    observed: [] as [boolean, number][],
  };
  const options = {
    unsafeIntervalSeconds: 5,
    isSafeEnabled: false,
    safeIntervalSeconds: 1,
    minPeerCount: 1,
    executionPeers: null,
    timeoutMs: 1,
  };
  const monitor = new HealthMonitor(options, 1000, {
    nowMs: () => world.now,
    nowSeconds: () => 100,
    call: (request) => {
      world.asked.push({ id: world.asked.length + 1, request });
      return world.asked.length;
    },
    startedAtSeconds: () => null,
    orders: () => 7,
    verdict: (verdict) => void world.verdicts.push(verdict),
    observed: (active, orders) => void world.observed.push([active, orders]),
  });
  return { world, monitor };
}

test('the first round comes one interval after start, the next an interval later', () => {
  const { world, monitor } = setUp();
  world.now = 999;
  monitor.tick();
  expect(world.asked).toHaveLength(0);
  world.now = 1000;
  monitor.tick();
  expect(world.asked.map((one) => one.request.method)).toEqual([
    'optimism_syncStatus',
    'opp2p_peerStats',
    'admin_sequencerActive',
  ]);
  expect(monitor.nextDeadlineMs()).toBe(Infinity);
  monitor.callDone(1, { kind: 'result', value: { unsafe_l2: { timestamp: 99 }, safe_l2: { timestamp: 1 } } });
  expect(world.verdicts).toEqual([]);
  monitor.callDone(2, { kind: 'result', value: { connected: 1 } });
  expect(world.verdicts).toEqual([{ isHealthy: true }]);
  expect(monitor.nextDeadlineMs()).toBe(2000);
});

test('at most one round is in flight, and rounds missed in a stall are not made up for', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  world.now = 9000;
  monitor.tick();
  expect(world.asked).toHaveLength(3);
  monitor.callDone(1, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  monitor.callDone(2, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'connectionDown' }]);
  monitor.tick();
  expect(world.asked).toHaveLength(6);
  expect(world.verdicts).toHaveLength(1);
});

test('what the node says of its sequencer is passed on with the order count of the question', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  monitor.callDone(3, { kind: 'result', value: true });
  expect(world.observed).toEqual([[true, 7]]);
});
