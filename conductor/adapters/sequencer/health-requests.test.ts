/** A round of health checks against real HTTP servers: the monitor asks, executeRequest carries out. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HEALTH_DEFAULTS, type HealthOptions } from '#conductor/core/health/check';
import { questionsOf, wellAnswers } from '#conductor/core/health/checks';
import type { Verdict } from '#conductor/core/health/verdict';
import { HealthMonitor } from '#conductor/core/health/monitor';
import { executeRequest } from './sequencer.ts';

const nowSeconds = 1_700_000_000;
const world = {
  results: {} as Record<string, unknown>,
  boost: (): Response | Promise<Response> => new Response('', { status: 200 }),
  asked: [] as string[],
};
let server: Bun.Server<undefined>;

beforeEach(() => {
  world.asked = [];
  world.boost = () => new Response('', { status: 200 });
  world.results = {
    optimism_syncStatus: { unsafe_l2: { timestamp: nowSeconds, number: 7 }, safe_l2: { timestamp: nowSeconds - 9 } },
    ...wellAnswers('node'),
    ...wellAnswers('execution'),
    net_peerCount: '0x5',
    admin_peers: [{ id: 'one' }, { id: 'two' }],
    admin_sequencerActive: false,
  };
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (request.method === 'GET') {
        world.asked.push(`GET ${pathname}${search}`);
        return world.boost();
      }
      const { method } = (await request.json()) as { method: string };
      world.asked.push(method);
      return Response.json({ jsonrpc: '2.0', id: 1, result: world.results[method] });
    },
  });
});
afterEach(() => server.stop(true));

const base: HealthOptions = {
  ...HEALTH_DEFAULTS,
  isSafeEnabled: true,
  safeIntervalSeconds: 10,
  minPeerCount: 4,
  timeoutMs: 5000,
};
const boost = { timeoutMs: 5000, toleratedPartials: 0, toleranceWindowSeconds: 0 };
const byStatus: HealthOptions = { ...base, rollupBoost: { ...boost, kind: 'status' } };
const byField: HealthOptions = { ...base, rollupBoost: { ...boost, kind: 'next' } };

/** One round, to its verdict. */
function check(options: HealthOptions, boostPath = '/healthz'): Promise<Verdict> {
  const url = `http://127.0.0.1:${server.port}`;
  const endpoints = { node: url, execution: url, executionPeers: url, rollupBoost: `${url}${boostPath}` };
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  let now = 0;
  const monitor = new HealthMonitor(
    options,
    { intervalMs: 1, blockTimeMs: 1000 },
    {
      nowMs: () => now,
      unixMs: () => nowSeconds * 1000,
      call: (request, then) => void executeRequest(endpoints, request).then(then),
      startedAtSeconds: () => null,
      commandEpoch: () => 0,
      verdict: resolve,
      observed: () => undefined,
    },
  );
  now = 1;
  monitor.tick();
  return promise;
}

test('a healthy node, every check on', async () => {
  const options: HealthOptions = { ...byStatus, executionPeers: { minCount: 5, api: 'net' } };
  const verdict = await check(options);
  expect(verdict).toEqual({ isHealthy: true });
  const asked = questionsOf(options).map(({ request }) => request.method);
  expect(asked).toContain('net_peerCount');
  expect(world.asked.toSorted()).toEqual(['GET /healthz', 'admin_sequencerActive', ...asked].toSorted());
});

test('execution peers by admin_peers', async () => {
  expect(await check({ ...base, executionPeers: { minCount: 2, api: 'admin' } })).toEqual({ isHealthy: true });
  expect(await check({ ...base, executionPeers: { minCount: 3, api: 'admin' } })).toMatchObject({ cause: 'unhealthy' });
});

test.each([
  ['optimism_syncStatus', { unsafe_l2: { timestamp: nowSeconds - 6 }, safe_l2: { timestamp: nowSeconds } }],
  ['optimism_syncStatus', { unsafe_l2: { timestamp: nowSeconds }, safe_l2: { timestamp: nowSeconds - 11 } }],
  ['opp2p_peerStats', { connected: 3 }],
])('unhealthy: %s says %j, and rollup-boost is not even asked', async (method, result) => {
  world.results[method] = result;
  expect(await check(byStatus)).toMatchObject({ isHealthy: false, cause: 'unhealthy' });
  expect(world.asked).not.toContain('GET /healthz');
});

test.each([
  [206, 'rollupBoostPartial'],
  [503, 'rollupBoostUnhealthy'],
  [404, 'rollupBoostDown'],
])('rollup-boost by status: %i is %s', async (status, cause) => {
  world.boost = () => new Response('a body that is not looked at', { status });
  expect(await check(byStatus)).toMatchObject({ isHealthy: false, cause });
});

test.each([
  ['{"version":"1","rollup_boost_health":"Healthy"}', null],
  ['{"version":"1","rollup_boost_health":"PartialContent"}', 'rollupBoostPartial'],
  ['{"version":"1","rollup_boost_health":"ServiceUnavailable"}', 'rollupBoostUnhealthy'],
  ['<html>', 'rollupBoostDown'],
])('rollup-boost by its JSON field: %s is %s', async (body, cause) => {
  world.boost = () => new Response(body);
  expect(await check(byField, '/custom/health?full=1')).toMatchObject(cause === null ? { isHealthy: true } : { cause });
  expect(world.asked).toContain('GET /custom/health?full=1');
});

test('redirects of the health check are followed, as Go does', async () => {
  let isFirst = true;
  world.boost = () => {
    const answer = isFirst ? Response.redirect('/elsewhere', 302) : new Response('', { status: 206 });
    isFirst = false;
    return answer;
  };
  expect(await check(byStatus)).toMatchObject({ cause: 'rollupBoostPartial' });
  expect(world.asked).toContain('GET /elsewhere');
});

test('a rollup-boost that does not answer within its own deadline is down', async () => {
  const { promise: never } = Promise.withResolvers<Response>();
  world.boost = () => never;
  const verdict = await check({ ...base, rollupBoost: { ...boost, kind: 'status', timeoutMs: 50 } });
  expect(verdict).toMatchObject({ cause: 'rollupBoostDown', nodeAnswers: true });
  expect(verdict).toMatchObject({ detail: expect.stringMatching(/within 50 ms/) as unknown });
});
