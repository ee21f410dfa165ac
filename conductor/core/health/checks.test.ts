import { describe, expect, test } from 'vitest';
import type { CallResult } from '../node/calls.ts';
import { HEALTH_DEFAULTS, type HealthOptions } from './check.ts';
import { healthChecks, judge as judgeAnswers, judgeEarly, questionsOf, wellAnswers, type Answers } from './checks.ts';
import { causes, type Verdict } from './verdict.ts';

const options: HealthOptions = {
  ...HEALTH_DEFAULTS,
  isSafeEnabled: true,
  safeIntervalSeconds: 100,
  minPeerCount: 2,
  executionPeers: { minCount: 3, api: 'net' },
};
const ok = (value: unknown): CallResult => ({ kind: 'result', value });
const refused: CallResult = { kind: 'failed', reason: 'refused', message: 'connection refused' };
const status = (unsafe: unknown, safe: unknown) =>
  ok({ unsafe_l2: { timestamp: unsafe }, safe_l2: { timestamp: safe } });
const silent: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };
const good = {
  syncStatus: status(1000, 950),
  peerStats: ok({ connected: 2 }),
  execution: ok('0x7'),
  executionPeers: ok('0x3'),
};
const now = 1000;

function judge(given: HealthOptions, answers: Answers, nowSeconds: number, startedAtSeconds: number | null): Verdict {
  return judgeAnswers(answers, { options: given, nowSeconds, startedAtSeconds, committedSeconds: null });
}

describe('the verdict of a health round', () => {
  test('all well', () => {
    expect(judge(options, good, now, null)).toEqual({ isHealthy: true });
  });

  test.each([
    ['the unsafe head is older than its interval', { ...good, syncStatus: status(994, 950) }, 'unhealthy'],
    ['the safe head is older than its interval', { ...good, syncStatus: status(1000, 899) }, 'unhealthy'],
    ['the node cannot be reached', { ...good, syncStatus: refused }, 'connectionDown'],
    [
      'the node answers an error',
      { ...good, syncStatus: { kind: 'error', code: 1, message: 'x' } as CallResult },
      'connectionDown',
    ],
    ['the answer has no heads', { ...good, syncStatus: ok(null) }, 'unhealthy'],
    ['too few peers', { ...good, peerStats: ok({ connected: 1 }) }, 'unhealthy'],
    ['the peer count cannot be read', { ...good, peerStats: refused }, 'connectionDown'],
    ['the peer count is missing', { ...good, peerStats: ok({}) }, 'unhealthy'],
    ['the execution client refuses connections', { ...good, execution: refused }, 'executionDown'],
    ['the execution client answers nothing', { ...good, execution: silent }, 'executionDown'],
    ['too few execution peers', { ...good, executionPeers: ok('0x2') }, 'unhealthy'],
    ['execution peers cannot be read', { ...good, executionPeers: refused }, 'connectionDown'],
    ['execution peers make no sense', { ...good, executionPeers: ok('many') }, 'unhealthy'],
  ])('unhealthy: %s', (_, answers, cause) => {
    expect(judge(options, answers, now, null)).toMatchObject({ isHealthy: false, cause });
  });

  test.each([
    ['has no unsafe head', { ...good, syncStatus: ok({}) }, 'optimism_syncStatus has no unsafe_l2 timestamp'],
    [
      'has no safe head',
      { ...good, syncStatus: ok({ unsafe_l2: { timestamp: 1000 } }) },
      'optimism_syncStatus has no safe_l2 timestamp',
    ],
    [
      'tells of the zero block',
      { ...good, syncStatus: ok({ unsafe_l2: { timestamp: 1000, number: 0, hash: `0x${'0'.repeat(64)}` } }) },
      'the node has told of no unsafe head yet: it starts, or is being reset',
    ],
    ['counts no peers', { ...good, peerStats: ok({}) }, 'opp2p_peerStats has no connected count'],
    [
      'has a client with a count that is none',
      { ...good, executionPeers: ok('many') },
      'the execution client did not say how many peers it has',
    ],
  ])('of a node that %s tells so', (_, answers, detail) => {
    expect(judge(options, answers, now, null)).toMatchObject({ isHealthy: false, detail });
  });

  test('a client that answers anything, an error or 401, is not down', () => {
    const error: CallResult = { kind: 'error', code: -32601, message: 'the method does not exist' };
    const unauthorized: CallResult = { kind: 'failed', reason: 'unauthorized', message: 'HTTP status 401' };
    for (const execution of [error, unauthorized])
      expect(judge(options, { ...good, execution }, now, null)).toEqual({ isHealthy: true });
  });

  test('a client that is down is no mere old head, and its node carries out no order', () => {
    const both = { ...good, syncStatus: status(900, 950), execution: refused };
    const verdict = judge(options, both, now, null);
    expect(verdict).toMatchObject({ cause: 'executionDown', nodeAnswers: false });
    expect(verdict).not.toHaveProperty('isOnlyStale');
  });

  const hash = `0x${'a'.repeat(64)}`;
  const head = { timestamp: 1000, number: 7, hash, parentHash: hash, l1origin: { hash, number: 1 }, sequenceNumber: 0 };
  const l1 = { timestamp: 900, number: 1, hash, parentHash: hash };
  const heads = { head_l1: l1, current_l1: null, unsafe_l2: head, safe_l2: head };

  test('a whole sync status, with numbers up to the last that fit', () => {
    for (const more of [{}, { timestamp: 2 ** 63 }, { number: null }, { futureField: 'x' }])
      expect(
        judge(options, { ...good, syncStatus: ok({ ...heads, unsafe_l2: { ...head, ...more } }) }, now, null),
      ).toEqual({ isHealthy: true });
  });

  test.each([
    ['a fractional timestamp', { unsafe_l2: { ...head, timestamp: 1000.5 } }, 'unsafe_l2.timestamp'],
    ['a timestamp beyond 64 bits', { safe_l2: { ...head, timestamp: 2 ** 64 } }, 'safe_l2.timestamp'],
    ['a negative timestamp', { unsafe_l2: { ...head, timestamp: -1 } }, 'unsafe_l2.timestamp'],
    ['a timestamp in quotes', { unsafe_l2: { ...head, timestamp: '1000' } }, 'unsafe_l2.timestamp'],
    ['a short hash', { unsafe_l2: { ...head, hash: '0x12' } }, 'unsafe_l2.hash'],
    ['no hash', { unsafe_l2: { ...head, hash: null } }, 'unsafe_l2.hash'],
    ['a bad hash in a head that is not looked at', { head_l1: { ...l1, hash: '0x12' } }, 'head_l1.hash'],
    ['a bad origin', { unsafe_l2: { ...head, l1origin: { hash, number: 'x' } } }, 'unsafe_l2.l1origin.number'],
    ['a head that is no object', { finalized_l2: [] }, 'finalized_l2'],
  ])('as op-conductor, which cannot decode it: %s', (_, part, field) => {
    const answers = { ...good, syncStatus: ok({ ...heads, ...part }) };
    expect(judge(options, answers, now, null)).toMatchObject({
      isHealthy: false,
      cause: 'connectionDown',
      detail: expect.stringContaining(field) as string,
      nodeAnswers: true,
    });
  });

  test.each([[{ connected: 2.5 }], [{ connected: '5' }], [{ connected: -1 }], [{ connected: 5, known: {} }], [[]]])(
    'as op-conductor, which cannot decode these peer counts: %j',
    (stats) => {
      expect(judge(options, { ...good, peerStats: ok(stats) }, now, null)).toMatchObject({
        isHealthy: false,
        cause: 'connectionDown',
        nodeAnswers: true,
      });
    },
  );

  test('fields count under the names that op-node writes, and times while they are ones', () => {
    expect(judge(options, { ...good, peerStats: ok({ Connected: 5 }) }, now, null)).toMatchObject({ isHealthy: false });
    const last = JSON.parse('18446744073709551615') as unknown;
    expect(judge(options, { ...good, syncStatus: status(last, 950) }, now, null)).toMatchObject({ isHealthy: false });
  });

  test('exactly at the bounds is healthy, and heads from the future count as fresh', () => {
    expect(judge(options, { ...good, syncStatus: status(995, 900) }, now, null)).toEqual({ isHealthy: true });
    expect(judge(options, { ...good, syncStatus: status(2000, 2000) }, now, null)).toEqual({ isHealthy: true });
  });

  test('unreachable execution peers do not say that the node is gone', () => {
    expect(judge(options, { ...good, executionPeers: refused }, now, null)).toMatchObject({ nodeAnswers: true });
    expect(judge(options, { ...good, peerStats: refused }, now, null)).toMatchObject({ nodeAnswers: false });
    expect(judge(options, { ...good, syncStatus: refused }, now, null)).toMatchObject({ nodeAnswers: false });
  });

  test('a missing safe head matters only when it is enabled', () => {
    const answers = { ...good, syncStatus: ok({ unsafe_l2: { timestamp: 1000 } }) };
    expect(judge(options, answers, now, null)).toMatchObject({ isHealthy: false, cause: 'unhealthy' });
    expect(judge({ ...options, isSafeEnabled: false }, answers, now, null)).toEqual({ isHealthy: true });
  });

  test('the safe head does not matter when it is not enabled', () => {
    expect(judge({ ...options, isSafeEnabled: false }, { ...good, syncStatus: status(1000, 1) }, now, null)).toEqual({
      isHealthy: true,
    });
  });

  test('after a start the lag counts from the start, for one unsafe interval (rule 19)', () => {
    const cold = { ...good, syncStatus: status(10, 950) };
    expect(judge(options, cold, 1005, 1000)).toEqual({ isHealthy: true });
    expect(judge(options, cold, 1006, 1000)).toMatchObject({ isHealthy: false });
  });

  test('an old unsafe head as the only trouble is told from other troubles', () => {
    const old = { ...good, syncStatus: status(10, 950) };
    expect(judge(options, old, now, null)).toMatchObject({ isHealthy: false, isOnlyStale: true });
    for (const more of [{ peerStats: ok({ connected: 1 }) }, { peerStats: refused }, { executionPeers: ok('0x0') }])
      expect(judge(options, { ...old, ...more }, now, null)).not.toHaveProperty('isOnlyStale');
    expect(judge(options, { ...good, syncStatus: status(10, 1) }, now, null)).not.toHaveProperty('isOnlyStale');
    expect(judge(options, { ...good, peerStats: refused }, now, null)).not.toHaveProperty('isOnlyStale');
  });

  test('admin_peers is counted by its length', () => {
    const byAdmin = { ...options, executionPeers: { minCount: 2, api: 'admin' as const } };
    expect(judge(byAdmin, { ...good, executionPeers: ok([{}, {}]) }, now, null)).toEqual({ isHealthy: true });
    expect(judge(byAdmin, { ...good, executionPeers: ok([{}]) }, now, null)).toMatchObject({ isHealthy: false });
    const methods = questionsOf(byAdmin).map(({ request }) => request.method);
    expect(methods).toContain('admin_peers');
    expect(methods).not.toContain('net_peerCount');
  });

  test('every check of the table finds something wrong, by its own answer, and is asked unless the options leave it out', () => {
    for (const { name } of healthChecks)
      expect(judge(options, { ...good, [name]: refused }, now, null), name).toMatchObject({ isHealthy: false });
    expect(questionsOf(options).map(({ name }) => name)).toEqual(healthChecks.map(({ name }) => name));
    expect(questionsOf({ ...options, executionPeers: null }).map(({ name }) => name)).not.toContain('executionPeers');
  });

  test('what is answered where all is well is judged to be well, and whatever every run asks has such an answer, but for the heads', () => {
    const all = { ...wellAnswers('node'), ...wellAnswers('execution') };
    const asked = questionsOf(HEALTH_DEFAULTS).map(({ name, request }) => ({ name, answer: all[request.method] }));
    expect(asked.filter(({ answer }) => answer === undefined).map(({ name }) => name)).toEqual(['syncStatus']);
    const answers = Object.fromEntries(asked.map(({ name, answer }) => [name, ok(answer)]));
    expect(judge(HEALTH_DEFAULTS, { ...answers, syncStatus: good.syncStatus }, now, null)).toEqual({ isHealthy: true });
  });

  test('a round is over when the node’s answer is there and the node or its client is gone, and only then', () => {
    expect(judgeEarly({ syncStatus: refused }, options)).toMatchObject({ cause: 'connectionDown' });
    expect(judgeEarly({ execution: refused }, options)).toBeNull();
    expect(judgeEarly({ syncStatus: good.syncStatus, execution: refused }, options)).toMatchObject({
      cause: 'executionDown',
    });
    expect(judgeEarly({ syncStatus: status(10, 10), peerStats: refused }, options)).toBeNull();
    expect(judgeEarly({ syncStatus: { kind: 'error', code: 1, message: 'x' } }, options)).toBeNull();
  });

  test('the cause texts are those that alerts match on', () => {
    expect(causes.unhealthy).toBe('sequencer is not healthy');
    expect(causes.connectionDown).toBe('cannot connect to sequencer rpc endpoints');
    expect(causes.executionDown).toMatch(/^execution-down\b/);
  });
});
