/**
 * Two releases of ours in one cluster that produces blocks: server by server to the newer one, each understanding what
 * the other tells of itself, and one server back. There may be no earlier release yet; the later one is this one with
 * changes that a later one may have, see tests/cluster/next-release.ts.
 */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { buildNextRelease, buildTag, previousTag } from './other-release.ts';

const WAIT_MS = 60_000;
const TRANSFER_MS_MAX = 6_000;
const folder = mkdtempSync(join(tmpdir(), 'conductor-releases-'));
const previous = previousTag();

function open(): ServiceCluster {
  return new ServiceCluster({
    implementations: ['bun', 'bun', 'bun'],
    settings: { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 },
  });
}

async function replace(cluster: ServiceCluster, node: ServiceNode, binary: string | null): Promise<void> {
  node.binary = binary;
  expect(await node.conductor.end('SIGTERM'), `${node.id} on SIGTERM`).toBe(0);
  node.startConductor('again');
  await cluster.steady();
}

/** A leader that understands its peers' peer status never hands over to the one that says it is paused. */
async function passesOverThePaused(cluster: ServiceCluster, leader: ServiceNode): Promise<void> {
  for (const paused of cluster.others(leader)) {
    await cluster.lead(leader);
    await cluster.steady();
    await paused.callConductor('conductor_pause');
    // Peer status goes with every few heartbeats: within two blocks the leader has heard of it.
    await cluster.progress(2, WAIT_MS);
    await leader.callConductor('conductor_transferLeader', [], TRANSFER_MS_MAX);
    const successor = await cluster.leader(cluster.others(leader));
    expect(successor.id, `${leader.id} handed over to the paused`).not.toBe(paused.id);
    await paused.callConductor('conductor_resume');
  }
  await cluster.steady();
}

async function upgrade(cluster: ServiceCluster, newer: string | null): Promise<void> {
  const [first, second, third] = cluster.nodes as [ServiceNode, ServiceNode, ServiceNode];
  await replace(cluster, third, newer);
  await passesOverThePaused(cluster, third);
  await replace(cluster, second, newer);
  await passesOverThePaused(cluster, first);
  await replace(cluster, first, newer);
  expect(cluster.brokenLaws()).toEqual([]);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('this release and the next', { timeout: 300_000 }, () => {
  let cluster: ServiceCluster | null = null;
  let next: string;
  beforeAll(async () => {
    next = await buildNextRelease(join(folder, 'next'));
    cluster = open();
    await cluster.form();
  }, 240_000);
  afterAll(async () => cluster?.[Symbol.asyncDispose]());

  test('share a cluster while its servers are replaced', async () => {
    await upgrade(cluster!, next);
  });

  test('do not share a store backwards: the older one refuses it, and does what its sentence says', async () => {
    const leader = await cluster!.leader();
    const node = cluster!.others(leader)[0]!;
    if (node.binary !== next) await replace(cluster!, node, next);
    expect(await node.conductor.end('SIGTERM')).toBe(0);
    node.binary = null;
    node.startConductor('again');
    expect(await node.conductor.ended()).toBe(1);
    expect(node.conductor.log()).toMatch(
      /written by a newer release \(format 3, this release knows 2\).*Start that release again, or remove this server, move its directory away and add it again/,
    );

    await cluster!.change('conductor_removeServer', node);
    renameSync(node.storageDir, `${node.storageDir}.newer`);
    node.startConductor('join');
    await waitFor(`${node.id} to answer`, WAIT_MS, async () => (await node.callConductor('conductor_paused')) ?? null);
    await cluster!.change('conductor_addServerAsNonvoter', node);
    await cluster!.change('conductor_addServerAsVoter', node);
    await node.callConductor('conductor_resume');
    await cluster!.steady();
    expect(cluster!.brokenLaws()).toEqual([]);
  });
});

test('the release before this one and this one share a cluster', { timeout: 300_000 }, async (context) => {
  if (previous === null) context.skip('there is no tag of an earlier release');
  await using cluster = open();
  const older = await buildTag(previous!, join(folder, 'previous'));
  for (const node of cluster.nodes) node.binary = older;
  await cluster.form();
  await upgrade(cluster, null);
});
