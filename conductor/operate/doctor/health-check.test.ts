import { expect, onTestFinished, test } from 'vitest';
import { HEALTH_DEFAULTS, type HealthOptions } from '#conductor/core/health/check';
import { wellAnswers } from '#conductor/core/health/checks';
import type { RunConfig } from '#conductor/host/settings/flags-config';
import { checkHealth } from './health-check.ts';
import type { Subject } from './subject.ts';

const nowMs = 1_800_000_000_000;
const health: HealthOptions = {
  ...HEALTH_DEFAULTS,
  isSafeEnabled: true,
  safeIntervalSeconds: 600,
  minPeerCount: 2,
  executionPeers: { api: 'admin', minCount: 2 },
  rollupBoost: { kind: 'status', timeoutMs: 5000, toleratedPartials: 0, toleranceWindowSeconds: 0 },
  timeoutMs: 5000,
};
const well = {
  optimism_syncStatus: { unsafe_l2: { timestamp: nowMs / 1000 - 1 }, safe_l2: { timestamp: nowMs / 1000 - 60 } },
  ...wellAnswers('node'),
  ...wellAnswers('execution'),
  admin_peers: [1, 2],
};

/** What is said of a node that answers so, beside a rollup-boost that answers with this status. */
async function check(change: Readonly<Record<string, unknown>> = {}, boostStatus = 200): Promise<string[]> {
  const answers: Readonly<Record<string, unknown>> = { ...well, ...change };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET') return new Response('', { status: boostStatus });
      const { id, method } = (await request.json()) as { id: number; method: string };
      const result = answers[method];
      return Response.json(
        result === undefined
          ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } }
          : { jsonrpc: '2.0', id, result },
      );
    },
  });
  onTestFinished(() => server.stop(true));
  const url = server.url.href;
  const config = { health, nodeUrl: url, executionUrl: url, executionPeersUrl: url, rollupBoostUrl: url };
  const findings = await checkHealth({ config: config as unknown as RunConfig } as unknown as Subject, nowMs);
  return findings.map(({ verdict, says }) => `${verdict}: ${says}`);
}

test('the verdict is that of the conductor, whatever the flags demand', async () => {
  expect(await check()).toEqual([expect.stringMatching(/^good: the health check/), 'good: rollup-boost is healthy']);
  const broken: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ admin_peers: [1] }, /^bad: .* the execution client has 1 peers, needed are 2/],
    [{ admin_peers: undefined }, /^bad: .*admin_peers: the method does not exist/],
    [{ opp2p_peerStats: { connected: 1 } }, /^bad: .* the node has 1 peers/],
    [{ optimism_syncStatus: { ...well.optimism_syncStatus, safe_l2: { timestamp: 1 } } }, /^bad: .* the safe head is/],
    [
      { optimism_syncStatus: { ...well.optimism_syncStatus, unsafe_l2: { timestamp: nowMs / 1000 - 60 } } },
      /^warning: .* the unsafe head is 60 s old/,
    ],
  ];
  for (const [change, expected] of broken) expect((await check(change))[0]).toMatch(expected);
});

test('rollup-boost is asked as the conductor asks it', async () => {
  expect((await check({}, 206))[1]).toMatch(/^warning: .* its builder is down/);
  expect((await check({}, 503))[1]).toMatch(/^bad: .* builder and execution client are down/);
  expect((await check({}, 404))[1]).toMatch(/^bad: .* unexpected status code: 404/);
});

test('without settings, or without an op-node that answers, nothing is said', async () => {
  expect(await checkHealth({ config: null } as unknown as Subject, nowMs)).toEqual([]);
  const url = 'http://127.0.0.1:1';
  const config = {
    health: { ...health, rollupBoost: null },
    nodeUrl: url,
    executionUrl: url,
    executionPeersUrl: url,
    rollupBoostUrl: '',
  };
  expect(await checkHealth({ config } as unknown as Subject, nowMs)).toEqual([]);
});
