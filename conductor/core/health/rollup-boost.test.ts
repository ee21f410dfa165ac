import { describe, expect, test } from 'vitest';
import type { CallResult } from '../node/calls.ts';
import { judgeRollupBoost } from './checks.ts';
import { causes } from './verdict.ts';
import { PartialTolerance, rollupBoostRequest, rollupBoostState, type RollupBoostOptions } from './rollup-boost.ts';

const byStatus: RollupBoostOptions = {
  kind: 'status',
  timeoutMs: 5000,
  toleratedPartials: 0,
  toleranceWindowSeconds: 0,
};
const next: RollupBoostOptions = { ...byStatus, kind: 'next' };
const answered = (status: number, body = ''): CallResult => ({ kind: 'result', value: { status, body } });
const word = (health: unknown): CallResult =>
  answered(200, JSON.stringify({ version: '1', rollup_boost_health: health }));

test('the request is fetched within its own deadline', () => {
  expect(rollupBoostRequest({ ...byStatus, timeoutMs: 1234 })).toMatchObject({
    target: 'rollupBoost',
    timeoutMs: 1234,
    isProbe: true,
  });
});

describe('rollup-boost by HTTP status', () => {
  test.each([
    [200, 'healthy'],
    [206, 'partial'],
    [503, 'unhealthy'],
    [204, 'unreadable'],
    [404, 'unreadable'],
    [500, 'unreadable'],
  ])('%i is %s, whatever the body says', (status, kind) => {
    expect(rollupBoostState(byStatus, answered(status, '{"rollup_boost_health":"Healthy"}')).kind).toBe(kind);
  });
});

describe('rollup-boost by its JSON field', () => {
  test.each([
    ['Healthy', 'healthy'],
    ['PartialContent', 'partial'],
    ['ServiceUnavailable', 'unhealthy'],
    ['healthy', 'unreadable'],
    ['', 'unreadable'],
    [null, 'unreadable'],
    [200, 'unreadable'],
    [undefined, 'unreadable'],
    ['x'.repeat(10_000), 'unreadable'],
  ])('%j is %s', (health, kind) => {
    const state = rollupBoostState(next, word(health));
    expect(state.kind).toBe(kind);
    if (state.kind === 'unreadable') expect(state.detail.length).toBeLessThan(200);
  });

  test.each(['', 'null', '[]', '"Healthy"', '{', '7'])('a body of %j is unreadable', (body) => {
    expect(rollupBoostState(next, answered(200, body)).kind).toBe('unreadable');
  });

  test('a status other than 200 is unreadable, whatever the body says', () => {
    expect(rollupBoostState(next, answered(206, '{"rollup_boost_health":"Healthy"}')).kind).toBe('unreadable');
  });
});

describe('the verdict', () => {
  const none = new PartialTolerance(byStatus);

  test.each([
    [206, 'the builder is down'],
    [503, 'both the builder and the execution client are down'],
  ])('%i tells who is down', (status, detail) => {
    expect(judgeRollupBoost(byStatus, answered(status), none, 1000)).toMatchObject({ isHealthy: false, detail });
  });
  test.each([
    [answered(200), null],
    [answered(206), 'rollupBoostPartial'],
    [answered(503), 'rollupBoostUnhealthy'],
    [answered(418), 'rollupBoostDown'],
    [{ kind: 'failed', reason: 'timeout', message: 'no answer' } as CallResult, 'rollupBoostDown'],
  ])('%j has the cause %s, and says that the node answers', (answer, cause) => {
    const verdict = judgeRollupBoost(byStatus, answer, none, 1000);
    if (cause === null) expect(verdict).toEqual({ isHealthy: true });
    else expect(verdict).toMatchObject({ isHealthy: false, cause, nodeAnswers: true });
  });

  test('the cause texts are those that alerts match on', () => {
    expect(causes).toMatchObject({
      rollupBoostDown: 'cannot connect to rollup boost rpc endpoints',
      rollupBoostPartial:
        'rollup boost is partially healthy, meaning that rbuilder is not healthy but the execution client is healthy',
      rollupBoostUnhealthy: 'rollup boost is not healthy',
    });
  });
});

describe('tolerance of partial answers', () => {
  const options = { ...byStatus, toleratedPartials: 2, toleranceWindowSeconds: 60 };

  test('as many per window as allowed, then none until the clock enters the next window', () => {
    const tolerance = new PartialTolerance(options);
    const at = (seconds: number): boolean => tolerance.forgives(seconds);
    expect([at(60), at(90), at(118), at(119)]).toEqual([true, true, false, false]);
    expect([at(120), at(121), at(179)]).toEqual([true, true, false]);
    expect(at(3600)).toBe(true);
  });

  test('windows are those of the clock, not counted from the first failure', () => {
    const tolerance = new PartialTolerance(options);
    expect([tolerance.forgives(119), tolerance.forgives(119), tolerance.forgives(119)]).toEqual([true, true, false]);
    expect(tolerance.forgives(120)).toBe(true);
  });

  test('a clock that was a day ahead and is set right leaves nothing behind', () => {
    const tolerance = new PartialTolerance(options);
    for (const seconds of [86_400, 60, 60]) expect(tolerance.forgives(seconds)).toBe(true);
    expect([60, 120, 120, 120].map((seconds) => tolerance.forgives(seconds))).toEqual([false, true, true, false]);
  });

  test('without a limit nothing is forgiven', () => {
    expect(new PartialTolerance(byStatus).forgives(1000)).toBe(false);
  });

  test('only partial answers count: healthy and broken ones leave the count as it was', () => {
    const tolerance = new PartialTolerance({ ...options, toleratedPartials: 1 });
    const judge = (status: number): boolean => judgeRollupBoost(options, answered(status), tolerance, 1000).isHealthy;
    expect([200, 503, 500, 200, 206, 206].map(judge)).toEqual([true, false, false, true, true, false]);
  });
});
