import { expect, test } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { HEALTH_DEFAULTS, type HealthOptions } from './check.ts';
import { wellAnswers } from './checks.ts';
import type { Verdict } from './verdict.ts';
import { HealthMonitor } from './monitor.ts';

/** Requests that are answered by their number. */
const NAMED = new Set(['optimism_syncStatus', 'opp2p_peerStats', 'eth_blockNumber', 'admin_sequencerActive', 'GET']);
/** The last of a target that is answered in most tests. */
const TARGETS: Readonly<Record<string, string>> = { opp2p_peerStats: 'node', eth_blockNumber: 'execution' };

function setUp(changed: Partial<HealthOptions> = {}) {
  const world = {
    now: 0,
    /** Wall time since the 100th second, in ms. */
    wallMs: 0,
    asked: [] as { id: number; request: NodeRequest }[],
    waiting: new Map<number, (result: CallResult) => void>(),
    /** What a round asks beyond what these tests are about. */
    others: [] as { request: NodeRequest; take: (result: CallResult) => void }[],
    /** Answers the request of this number; each once, as the host does. Of the same target others are answered with it. */
    answer: (id: number, result: CallResult): void => {
      const then = world.waiting.get(id);
      world.waiting.delete(id);
      then?.(result);
      const target = TARGETS[world.asked[id - 1]?.request.method ?? ''];
      const together = world.others.filter(({ request }) => request.target === target);
      world.others = world.others.filter(({ request }) => request.target !== target);
      for (const { request, take } of together)
        take(
          result.kind === 'result' ? { kind: 'result', value: wellAnswers(request.target)[request.method] } : result,
        );
    },
    verdicts: [] as Verdict[],
    observed: [] as [boolean, number][],
  };
  const options = { ...HEALTH_DEFAULTS, timeoutMs: 1, ...changed };
  const monitor = new HealthMonitor(
    options,
    { intervalMs: 1000, blockTimeMs: 500 },
    {
      nowMs: () => world.now,
      unixMs: () => 100_000 + world.wallMs,
      call: (request, then) => {
        if (!NAMED.has(request.method)) return void world.others.push({ request, take: then });
        const id = world.asked.length + 1;
        world.asked.push({ id, request });
        world.waiting.set(id, then);
      },
      startedAtSeconds: () => null,
      commandEpoch: () => 7,
      verdict: (verdict) => void world.verdicts.push(verdict),
      observed: (active, commandEpoch) => void world.observed.push([active, commandEpoch]),
    },
  );
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
    'eth_blockNumber',
    'admin_sequencerActive',
  ]);
  expect(monitor.nextDeadlineMs()).toBe(Infinity);
  world.answer(1, { kind: 'result', value: { unsafe_l2: { timestamp: 99 }, safe_l2: { timestamp: 1 } } });
  expect(world.verdicts).toEqual([]);
  world.answer(2, { kind: 'result', value: { connected: 1 } });
  expect(world.verdicts).toEqual([]);
  world.answer(3, { kind: 'result', value: '0x1' });
  expect(world.verdicts).toEqual([{ isHealthy: true }]);
  expect(monitor.nextDeadlineMs()).toBe(2000);
});

test('at most one round is in flight, and rounds missed in a stall are not made up for', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  world.now = 9000;
  monitor.tick();
  expect(world.asked).toHaveLength(4);
  world.answer(1, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  world.answer(2, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'connectionDown' }]);
  monitor.tick();
  expect(world.asked).toHaveLength(8);
  expect(world.verdicts).toHaveLength(1);
  for (const id of [5, 6]) world.answer(id, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  expect(world.verdicts).toHaveLength(2);
  monitor.tick();
  expect(world.asked).toHaveLength(8);
  expect(monitor.nextDeadlineMs()).toBe(9001);
});

test('what the node says of its sequencer is passed on with the order count of the question', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  world.answer(4, { kind: 'result', value: true });
  expect(world.observed).toEqual([[true, 7]]);
});

const fresh: CallResult = { kind: 'result', value: { unsafe_l2: { timestamp: 99 } } };
const stale: CallResult = { kind: 'result', value: { unsafe_l2: { timestamp: 1 } } };
const alive: CallResult = { kind: 'result', value: '0x1' };
const onePeer: CallResult = { kind: 'result', value: { connected: 1 } };
const partial: CallResult = { kind: 'result', value: { status: 206, body: '' } };
const rollupBoost = { kind: 'status', timeoutMs: 5000, toleratedPartials: 1, toleranceWindowSeconds: 60 } as const;

test('rollup-boost is asked only for a node that is healthy otherwise, so a node in trouble is not judged late', () => {
  const { world, monitor } = setUp({ rollupBoost });
  world.now = 1000;
  monitor.tick();
  world.answer(1, stale);
  world.answer(2, onePeer);
  world.answer(3, alive);
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'unhealthy' }]);
  expect(world.asked).toHaveLength(4);
});

/** Answers the node's part of the round that was just asked. */
function nodeAnswers({ world }: ReturnType<typeof setUp>, status: CallResult = fresh): void {
  const ids = world.asked.filter(({ request }) => request.target === 'node').slice(-3);
  world.answer(ids[0]!.id, status);
  world.answer(ids[1]!.id, onePeer);
  const client = world.asked.findLast(({ request }) => request.target === 'execution');
  world.answer(client!.id, alive);
}

const boostCalls = ({ world }: ReturnType<typeof setUp>): number[] =>
  world.asked.filter(({ request }) => request.target === 'rollupBoost').map(({ id }) => id);

test('partial answers of rollup-boost are forgiven as often as allowed', () => {
  const set = setUp({ rollupBoost });
  for (let round = 1; round <= 2; round += 1) {
    set.world.now = round * 1000;
    set.monitor.tick();
    nodeAnswers(set);
    expect(set.world.verdicts).toHaveLength(round - 1);
    set.world.answer(boostCalls(set).at(-1)!, partial);
  }
  expect(set.world.verdicts).toMatchObject([{ isHealthy: true }, { isHealthy: false, cause: 'rollupBoostPartial' }]);
});

test('while rollup-boost hangs it is not asked again, and the node is judged as ever', () => {
  const set = setUp({ rollupBoost });
  set.world.now = 1000;
  set.monitor.tick();
  nodeAnswers(set);
  set.world.now = 2000;
  set.monitor.tick();
  nodeAnswers(set);
  expect(boostCalls(set)).toHaveLength(1);
  expect(set.world.verdicts).toEqual([]);
  set.world.now = 3000;
  set.monitor.tick();
  nodeAnswers(set, stale);
  expect(set.world.verdicts).toMatchObject([{ isHealthy: false, cause: 'unhealthy' }]);
});

test("an answer of rollup-boost does not cover up the node's trouble, nor comes twice", () => {
  const set = setUp({ rollupBoost });
  set.world.now = 1000;
  set.monitor.tick();
  nodeAnswers(set);
  set.world.now = 2000;
  set.monitor.tick();
  nodeAnswers(set, stale);
  const healthy: CallResult = { kind: 'result', value: { status: 200, body: '' } };
  const [boost] = boostCalls(set);
  set.world.answer(boost!, healthy);
  set.world.answer(boost!, healthy);
  expect(set.world.verdicts).toMatchObject([{ isHealthy: false, cause: 'unhealthy' }]);
  set.world.now = 3000;
  set.monitor.tick();
  nodeAnswers(set);
  set.world.answer(boostCalls(set).at(-1)!, { kind: 'failed', reason: 'timeout', message: 'no answer' });
  expect(set.world.verdicts.slice(1)).toMatchObject([
    { isHealthy: false, cause: 'rollupBoostDown', nodeAnswers: true },
  ]);
});

test('a look between rounds leaves rollup-boost alone, so that partial answers count once per interval', () => {
  const set = setUp({ rollupBoost });
  set.world.now = 1000;
  set.monitor.tick();
  nodeAnswers(set);
  set.world.answer(boostCalls(set)[0]!, partial);
  set.monitor.blockCommitted(100);
  set.world.now = 1625;
  set.monitor.tick();
  nodeAnswers(set);
  expect(boostCalls(set)).toHaveLength(1);
  expect(set.world.verdicts).toEqual([{ isHealthy: true }]);
});

test('a head that will be too old, and a block that is overdue, are looked at before the next round', () => {
  const { world, monitor } = setUp({ unsafeIntervalSeconds: 1 });
  world.now = 1000;
  monitor.tick();
  world.answer(1, fresh);
  world.answer(2, onePeer);
  world.answer(3, alive);
  expect(monitor.nextDeadlineMs()).toBe(2000);
  monitor.blockCommitted(100);
  expect(monitor.nextDeadlineMs()).toBe(1625);
  world.now = 1625;
  monitor.tick();
  expect(world.asked).toHaveLength(8);
  world.answer(5, fresh);
  world.answer(6, onePeer);
  world.answer(7, alive);
  expect(monitor.nextDeadlineMs()).toBe(2000);
});

test('held-up-loop: an old head that op-node tells of is of no account while the own sequencer commits in time', () => {
  const { world, monitor } = setUp({ unsafeIntervalSeconds: 1 });
  const old: CallResult = { kind: 'result', value: { unsafe_l2: { timestamp: 90 }, safe_l2: { timestamp: 1 } } };
  const round = (first: number): void => {
    monitor.tick();
    world.answer(first, old);
    world.answer(first + 1, onePeer);
    world.answer(first + 2, alive);
  };
  world.now = 500;
  monitor.blockCommitted(100);
  world.now = 1000;
  round(1);
  expect(world.verdicts).toEqual([{ isHealthy: true }]);
  world.now = 1125;
  round(5);
  expect(world.verdicts.at(-1)).toMatchObject({ isHealthy: false, isOnlyStale: true });
  world.now = 1500;
  monitor.blockCommitted(98);
  world.now = 2000;
  round(9);
  expect(world.verdicts.at(-1)).toMatchObject({ isHealthy: false, isOnlyStale: true });
});

const gone: CallResult = { kind: 'failed', reason: 'refused', message: 'connection refused' };

test('a refusal is a verdict at once, whoever else has not answered', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  world.answer(3, gone);
  world.answer(1, fresh);
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'executionDown' }]);
  world.now = 2000;
  monitor.tick();
  world.answer(5, gone);
  expect(world.verdicts.at(-1)).toMatchObject({ isHealthy: false, cause: 'connectionDown' });
});

/** A round whose answers came at 1000, a block committed at 1100, and a look at 1725 because the next is overdue. */
function overdue() {
  const set = setUp();
  set.world.now = 1000;
  set.monitor.tick();
  nodeAnswers(set);
  set.world.now = 1100;
  set.monitor.blockCommitted(100);
  set.world.now = 1725;
  set.monitor.tick();
  set.world.verdicts.length = 0;
  return set;
}

test('where the next block is overdue, silence for an interval is a verdict, and no open request is waited for', () => {
  const { world, monitor } = overdue();
  // 300 ms after the question, and an interval after the last answer.
  expect(monitor.nextDeadlineMs()).toBe(2025);
  world.answer(5, fresh);
  world.answer(6, onePeer);
  expect(world.verdicts).toEqual([]);
  world.now = 2025;
  monitor.tick();
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'executionDown' }]);
});

test('a node that is silent is told from its client', () => {
  const { world, monitor } = overdue();
  world.answer(7, alive);
  world.now = 2025;
  monitor.tick();
  expect(world.verdicts).toMatchObject([{ isHealthy: false, cause: 'connectionDown' }]);
});

test('after this process stood still, what came meanwhile is read before silence is a verdict', () => {
  const { world, monitor } = overdue();
  world.now = 2100;
  monitor.tick();
  expect([world.verdicts, monitor.nextDeadlineMs()]).toEqual([[], 2105]);
  for (const [id, result] of [
    [5, fresh],
    [6, onePeer],
    [7, alive],
  ] as const)
    world.answer(id, result);
  expect(world.verdicts).toEqual([{ isHealthy: true }]);
  const silent = overdue();
  for (const now of [2100, 2150]) {
    silent.world.now = now;
    silent.monitor.tick();
  }
  expect(silent.world.verdicts).toMatchObject([{ isHealthy: false, cause: 'connectionDown' }]);
});

test('while blocks come in time, and long after they stopped, a slow answer has all of its time', () => {
  const { world, monitor } = setUp();
  world.now = 1000;
  monitor.tick();
  expect(monitor.nextDeadlineMs()).toBe(Infinity);
  const late = overdue();
  nodeAnswers(late);
  late.world.now = 4000;
  late.monitor.tick();
  expect(late.monitor.nextDeadlineMs()).toBe(Infinity);
});

test('while the node tells of no head, because it is being reset, the last one that it told of holds and grows old', () => {
  const { world, monitor } = setUp();
  const told = (number: number, hash: string, timestamp: number): unknown => ({ number, hash, timestamp });
  const unset = told(0, `0x${'0'.repeat(64)}`, 0);
  const round = (status: CallResult): Verdict | undefined => {
    world.now += 1000;
    world.wallMs += 1000;
    monitor.tick();
    const [first] = [...world.waiting.keys()].slice(-4) as [number];
    world.answer(first, status);
    world.answer(first + 1, { kind: 'result', value: { connected: 1 } });
    world.answer(first + 2, { kind: 'result', value: '0x1' });
    return world.verdicts.at(-1);
  };
  const resetting: CallResult = { kind: 'result', value: { unsafe_l2: unset, safe_l2: unset } };
  expect(round(resetting)).toMatchObject({ isHealthy: false, detail: expect.stringContaining('no unsafe head yet') });
  const head = told(7, `0x${'ab'.repeat(32)}`, 101);
  expect(round({ kind: 'result', value: { unsafe_l2: head, safe_l2: head } })).toEqual({ isHealthy: true });
  expect(round(resetting)).toEqual({ isHealthy: true });
  for (let seconds = 103; seconds < 106; seconds += 1) expect(round(resetting)).toEqual({ isHealthy: true });
  expect(round(resetting)).toMatchObject({ isOnlyStale: true, detail: 'the unsafe head is 6 s old, allowed are 5' });
  expect(round({ kind: 'result', value: { unsafe_l2: told(8, `0x${'cd'.repeat(32)}`, 106), safe_l2: head } })).toEqual({
    isHealthy: true,
  });
  round({ kind: 'failed', reason: 'refused', message: 'connection refused' });
  expect(round(resetting)).toMatchObject({ isHealthy: false, detail: expect.stringContaining('no unsafe head yet') });
});

test('with the check of the safe head on, a node that is being reset is healthy by the safe head that it told of before', () => {
  const { world, monitor } = setUp({ isSafeEnabled: true, safeIntervalSeconds: 60 });
  const statusOf = (number: number, hash: string, timestamp: number): CallResult => {
    const head = { number, hash: `0x${hash.repeat(32)}`, timestamp };
    return { kind: 'result', value: { unsafe_l2: head, safe_l2: head } };
  };
  for (const status of [statusOf(7, 'ab', 101), statusOf(0, '00', 0)]) {
    world.now += 1000;
    world.wallMs += 1000;
    monitor.tick();
    const [first] = [...world.waiting.keys()].slice(-4) as [number];
    world.answer(first, status);
    world.answer(first + 1, { kind: 'result', value: { connected: 1 } });
    world.answer(first + 2, { kind: 'result', value: '0x1' });
  }
  expect(world.verdicts).toEqual([{ isHealthy: true }, { isHealthy: true }]);
});
