/**
 * A running cluster that produces blocks is brought from plain text to mutual TLS in the order of
 * content/pages/conductor/securing.mdx: every server in mixed mode, none with plain connections left, every server
 * without it. Then its authority is changed without a restart. No block is lost or published twice.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { freePorts } from '../../cluster/free-ports.ts';
import { ServiceCluster } from '../../cluster/service-cluster.ts';
import { newHeights } from '../../cluster/service-laws.ts';
import type { ServiceNode } from '../../cluster/service-node.ts';
import { waitFor } from '../../cluster/wait.ts';
import { dial } from '../hostile-bytes.ts';
import { MetricsPage } from '../metrics-page.ts';

const SCRIPT = join(import.meta.dirname, '../../../infra/tls/make-ca.sh');
const WAIT_MS = 60_000;
const BLOCKS = 1;
const hasOpenssl = Bun.which('openssl') !== null;

const folder = mkdtempSync(join(tmpdir(), 'conductor-rollout-'));
const [used, next] = [join(folder, 'tls'), join(folder, 'next')];
const ids = ['node-1', 'node-2', 'node-3'];
const metricsPorts = freePorts(ids.length);
const portOf = (id: string): number => metricsPorts[ids.indexOf(id)]!;
/** Flags that a server's next start gets. */
const tlsFlags = new Map<string, readonly string[]>();

const cluster = new ServiceCluster({
  implementations: ['bun', 'bun', 'bun'],
  settings: {
    healthIntervalSeconds: 1,
    unsafeIntervalSeconds: 3,
    conductorFlags: (id) => [
      ...['--metrics.enabled', '--metrics.addr=127.0.0.1', `--metrics.port=${portOf(id)}`],
      ...(tlsFlags.get(id) ?? []),
    ],
  },
});

function needsOpenssl(context: TestContext): void {
  if (!hasOpenssl) context.skip('openssl is not installed');
}

function flagsOf(id: string, isMixed: boolean): string[] {
  return [
    `--consensus.tls.cert=${join(used, `${id}.pem`)}`,
    `--consensus.tls.key=${join(used, `${id}.key`)}`,
    `--consensus.tls.ca=${join(used, 'ca.pem')}`,
    ...(isMixed ? ['--consensus.tls.mode=mixed'] : []),
  ];
}

/** One server after the other, the leader last; each is up and the cluster well before the next. */
async function restartAll(isMixed: boolean): Promise<void> {
  const leader = await cluster.leader();
  for (const node of [...cluster.others(leader), leader]) {
    tlsFlags.set(node.id, flagsOf(node.id, isMixed));
    expect(await node.conductor.end('SIGTERM'), `${node.id} on SIGTERM`).toBe(0);
    node.startConductor('again');
    await cluster.steady();
  }
}

async function plainConnections(): Promise<number> {
  const pages = await Promise.all(ids.map((id) => MetricsPage.of(portOf(id))));
  return pages.reduce((sum, page) => sum + page.value('op_conductor_raft_plain_connections'), 0);
}

function said(node: ServiceNode, sentence: string): number {
  return node.conductor.log().split(sentence).length - 1;
}

/** Changes files of all servers; waits until each has read them. */
async function change(edit: (id: string) => void): Promise<void> {
  const sentence = 'read the TLS files again';
  const before = cluster.nodes.map((node) => said(node, sentence));
  for (const id of ids) edit(id);
  await waitFor('all to read the files', WAIT_MS, () =>
    cluster.nodes.every((node, at) => said(node, sentence) > before[at]!) ? true : null,
  );
  await cluster.progress(BLOCKS, WAIT_MS);
}

/** Nothing was lost, nothing twice, and every height is there. */
async function isUnharmed(): Promise<void> {
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
  const heights = newHeights(cluster.published()).map(({ number }) => number);
  expect(heights).toEqual(Array.from({ length: heights.length }, (_, at) => heights[0]! + at));
}

beforeAll(async () => {
  if (!hasOpenssl) return;
  for (const where of [used, next]) {
    const made = Bun.spawnSync(['sh', SCRIPT, where, ...ids], { stderr: 'pipe' });
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  }
  await cluster.form();
}, 120_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('a cluster that produces blocks', { timeout: 240_000 }, () => {
  test('takes TLS server by server, in mixed mode', async (context) => {
    needsOpenssl(context);
    expect(await plainConnections()).toBeGreaterThan(0);
    await restartAll(true);
    await waitFor('no plain connection to be left', WAIT_MS, async () =>
      (await plainConnections()) === 0 ? true : null,
    );
    await isUnharmed();
  });

  test('then requires it, server by server', async (context) => {
    needsOpenssl(context);
    await restartAll(false);
    expect(await plainConnections()).toBe(0);
    for (const node of cluster.nodes) {
      const socket = await dial(node.raftPort);
      socket.write(new Uint8Array(64));
      await waitFor(`${node.id} to hang up on plain text`, WAIT_MS, () => (socket.destroyed ? true : null));
    }
    await isUnharmed();
  });

  test('changes its authority without a restart: both, new certificates, the new one alone', async (context) => {
    needsOpenssl(context);
    const both = readFileSync(join(used, 'ca.pem'), 'utf8') + readFileSync(join(next, 'ca.pem'), 'utf8');
    await change(() => writeFileSync(join(used, 'ca.pem'), both));
    await change((id) => {
      for (const kind of ['key', 'pem']) copyFileSync(join(next, `${id}.${kind}`), join(used, `${id}.${kind}`));
    });
    await change(() => copyFileSync(join(next, 'ca.pem'), join(used, 'ca.pem')));
    // Open connections stay; one that must connect anew shows that the new files are those in use.
    const leader = await cluster.leader();
    await leader.conductor.kill();
    leader.startConductor('again');
    await isUnharmed();
    expect(cluster.nodes.map((node) => said(node, 'cannot be used'))).toEqual([0, 0, 0]);
  });
});
