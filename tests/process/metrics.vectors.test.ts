/**
 * The metrics pages of running conductors: every family of op-conductor with its name, type, labels and
 * buckets, and every one of ours that a transfer, a killed leader and a refused payload must move.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { metricTable } from '#conductor/core/metrics';
import { freePorts } from '../cluster/free-ports.ts';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { MetricsPage } from './metrics-page.ts';

interface TheirFamily {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly buckets: readonly string[] | null;
}

const waitMs = 60_000;
/** Much longer than between two heartbeats, on a slow machine too. */
const silentSeconds = 2;
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const conductor = join(import.meta.dirname, '../../conductor');
const read = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(process.env['VECTORS_DIR'] ?? join(conductor, folder, 'testdata'), name), 'utf8'));
const theirs = read('adapters/metrics', 'metrics.json') as {
  page: { headers: [string, string][] };
  metrics: TheirFamily[];
};

const ports = new Map(['node-1', 'node-2', 'node-3'].map((id) => [id, freePorts(1)[0] as number]));
const source = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
  websocket: { message: () => undefined },
});
const cluster = new ServiceCluster({
  implementations: ['bun', 'bun', 'bun'],
  settings: {
    healthIntervalSeconds: 1,
    unsafeIntervalSeconds: 5,
    conductorFlags: (id) => [
      '--metrics.enabled',
      '--metrics.addr=127.0.0.1',
      `--metrics.port=${ports.get(id)}`,
      `--rollupboost.ws-url=ws://127.0.0.1:${source.port}`,
    ],
  },
});
const pageOf = (node: ServiceNode): Promise<MetricsPage> => MetricsPage.of(ports.get(node.id) as number);

/** Pages of all nodes, before and after the leader was killed. */
const pages: MetricsPage[] = [];
let successor: MetricsPage;

beforeAll(async () => {
  await cluster.form();
  const first = await cluster.leader();
  const [second] = cluster.others(first) as [ServiceNode];
  await cluster.lead(second);
  await cluster.steady();
  await cluster.progress(2, waitMs);
  for (const [method, params] of [
    ['conductor_nope', []],
    ['conductor_addServerAsVoter', ['x']],
    ['conductor_commitUnsafePayload', [envelope()]],
  ] as const)
    await first.callConductor(method, params).catch(() => null);
  // A sequencer that is gone makes its conductor hand over by itself.
  await second.sequencer.kill();
  await waitFor('a counted transfer', waitMs, async () =>
    (await pageOf(second)).value('op_conductor_leader_transfers_count', { success: 'true' }) > 0 ? true : null,
  );
  const leader = await cluster.leader(cluster.others(second));
  pages.push(...(await Promise.all(cluster.nodes.map(pageOf))));
  await cluster.revive();
  await cluster.steady();
  await leader.conductor.kill();
  successor = await waitFor('a failover on the page of the successor', waitMs, async () => {
    // On a machine that does much else the first successor may lose leadership again.
    const page = await pageOf(await cluster.leader(cluster.others(leader)));
    return page.value('op_conductor_failover_seconds_count') > 0 && silentVoters(page) > 0 ? page : null;
  });
  pages.push(successor);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await source.stop(true);
});

/** How many voters have not answered the leader for a while. */
function silentVoters(page: MetricsPage): number {
  return page
    .family('op_conductor_raft_peer_contact_seconds')
    .filter((sample) => sample.labels['suffrage'] === 'voter' && sample.value > silentSeconds).length;
}

/** Some payload that a state machine would take. */
function envelope(): unknown {
  const { cases } = read('core/payload', 'ssz-envelope.json') as {
    cases: { json: unknown; version: string; hashOk: boolean; ssz: string | null }[];
  };
  return cases.find((one) => one.version === 'V4' && one.hashOk && one.ssz !== null)?.json;
}

describe("op-conductor's families on real pages", () => {
  test.each(theirs.metrics)('$name', ({ name, type, labels, buckets }) => {
    for (const page of pages) expect(page.types.get(name)).toBe(type);
    const samples = pages.flatMap((page) => page.family(name));
    expect(samples.length, `no sample of ${name}`).toBeGreaterThan(0);
    for (const sample of samples)
      expect(
        Object.keys(sample.labels)
          .filter((label) => label !== 'le')
          .toSorted(),
      ).toEqual([...labels].toSorted());
    if (buckets !== null) {
      const bounds = samples.filter((one) => one.name === `${name}_bucket`).map((one) => one.labels['le']);
      expect(new Set(bounds)).toEqual(new Set(buckets));
    }
  });

  test('the page says what it is in the same words', () => {
    const [, contentType] = theirs.page.headers.find(([name]) => name === 'Content-Type') as [string, string];
    for (const page of pages) expect(page.contentType).toBe(contentType);
  });
});

describe('our families on real pages', () => {
  const total = (name: string, labels: Record<string, string> = {}): number =>
    pages.reduce((sum, page) => sum + page.value(`op_conductor_${name}`, labels), 0);

  test.each([
    'raft_term',
    'raft_commit_index',
    'raft_applied_index',
    'raft_last_index',
    'committed_block_number',
    'storage_size_bytes',
    'storage_free_bytes',
    'commit_seconds_count',
    'fsync_seconds_count',
    'loop_lag_seconds_count',
    'raft_bytes_total',
    'raft_connections',
    'admin_calls_total',
  ])('%s has moved', (name) => expect(total(name)).toBeGreaterThan(0));

  test('the successor leads, is active and healthy, and was elected after the one that was killed', () => {
    const value = (name: string): number => successor.value(`op_conductor_${name}`);
    expect(['raft_is_leader', 'leader', 'active', 'sequencer_healthy'].map(value)).toEqual([1, 1, 1, 1]);
    expect(value('raft_leader_known')).toBe(1);
    expect(value('raft_voters')).toBe(3);
    expect(Math.abs(value('committed_block_time_seconds') - Date.now() / 1000)).toBeLessThan(3600);
    expect(['paused', 'leader_overridden', 'raft_recovering'].map(value)).toEqual([0, 0, 0]);
    expect(value('raft_elections_total')).toBeGreaterThan(0);
    expect(value('failover_seconds_sum')).toBeGreaterThan(0);
  });

  test('only a leader tells how far its peers are behind, and since when they are silent', () => {
    for (const page of pages)
      for (const name of ['op_conductor_raft_peer_lag_entries', 'op_conductor_raft_peer_contact_seconds'])
        expect(page.family(name).map((sample) => sample.labels['peer'])).toHaveLength(
          page.value('op_conductor_raft_is_leader') === 1 ? 2 : 0,
        );
    expect(silentVoters(successor), 'the killed server').toBe(1);
  });

  test('a payload offered to a follower is refused and counted', () =>
    expect(total('payloads_refused_total', { reason: 'not-leader' })).toBeGreaterThan(0));

  test('known alarms are on every page', () => {
    const { known = [] } = metricTable.find((one) => one.name === 'alarms_total') ?? {};
    expect(known.length).toBeGreaterThan(0);
    for (const page of pages)
      expect(page.family('op_conductor_alarms_total').map((sample) => sample.labels['kind'])).toEqual(
        expect.arrayContaining([...known]),
      );
  });

  test('every family of the table is on every page, and nothing free of the table but the process itself', () => {
    const names = metricTable.map((one) => `op_conductor_${one.name}`);
    for (const page of pages)
      expect([...page.types.keys()].filter((name) => !name.startsWith('process_')).toSorted()).toEqual(
        names.toSorted(),
      );
  });
});
