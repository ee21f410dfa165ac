/** Both roads of rule 8 against real op-conductors, under the laws of a whole service. */
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { importGoStore } from '#conductor/migration/import-store';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { migrate, replaceAll, replaceOne, wipeAndRejoin } from './migration-moves.ts';

const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 5 };
/** Go takes a snapshot at a random moment between one and two intervals. */
const earlySnapshots = ['--raft.snapshot-interval=1s', '--raft.snapshot-threshold=2', '--raft.trailing-logs=3'];
const TEST_MS_MAX = 600_000;
const BLOCKS_MS_MAX = 60_000;
const OPEN_MS_MAX = 30_000;
const OPEN_POLL_MS = 20;
const DIRTY_COPIES = 20;

beforeEach((context) => {
  context.skip((process.env['OP_CONDUCTOR_BIN'] ?? '') === '', 'OP_CONDUCTOR_BIN names no op-conductor');
});

async function formed(implementation: 'go' | 'bun', flags: readonly string[] = []): Promise<ServiceCluster> {
  const implementations = [implementation, implementation, implementation] as const;
  const cluster = new ServiceCluster({ implementations, settings: { ...settings, conductorFlags: () => flags } });
  await cluster.form();
  await cluster.progress(3, BLOCKS_MS_MAX);
  return cluster;
}

const directoryOf = (node: ServiceNode): string => join(node.storageDir, node.id);

async function follower(cluster: ServiceCluster): Promise<ServiceNode> {
  return cluster.others(await cluster.steady())[0] as ServiceNode;
}

/** Where a link leads; null when it is gone. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Blocks until a process has a file open; the importing process has no other way to wait between its steps. */
function waitUntilOpen(pid: number, path: string): void {
  const deadline = performance.now() + OPEN_MS_MAX;
  const folder = `/proc/${pid}/fd`;
  const isOpen = (): boolean => readdirSync(folder).some((each) => linkOf(join(folder, each)) === realpathSync(path));
  while (!isOpen()) {
    if (performance.now() > deadline) throw new Error(`process ${pid} did not open ${path}`);
    Bun.sleepSync(OPEN_POLL_MS);
  }
}

describe('op-conductor and ours, on one cluster that goes on producing blocks', { timeout: TEST_MS_MAX }, () => {
  test.each([
    ['from logs that begin at 1', []],
    ['from snapshots and what follows them', earlySnapshots],
  ])('all Go becomes all ours and all Go again, one at a time, %s', async (_title, flags) => {
    await using cluster = await formed('go', flags);
    const hasSnapshots = flags.length > 0;
    if (hasSnapshots) await cluster.progress(5, BLOCKS_MS_MAX);
    await replaceAll(cluster, 'bun');
    for (const node of cluster.nodes) {
      expect(node.conductor.log()).toContain("imported op-conductor's store");
      expect(existsSync(join(directoryOf(node), 'snapshots.imported'))).toBe(true);
    }
    await cluster.progress(5, BLOCKS_MS_MAX);
    expect(cluster.brokenLaws()).toEqual([]);
    await replaceAll(cluster, 'go');
    await cluster.progress(3, BLOCKS_MS_MAX);
    for (const node of cluster.nodes) {
      expect(existsSync(join(directoryOf(node), 'conductor.db.exported'))).toBe(true);
      if (hasSnapshots) expect(readdirSync(join(directoryOf(node), 'snapshots')).length).toBeGreaterThan(0);
    }
    await cluster.steady();
    expect(cluster.brokenLaws()).toEqual([]);
  });

  test('the whole cluster stopped, imported, started; stopped, exported, started: nothing acknowledged is lost', async () => {
    await using cluster = await formed('go');
    for (const by of ['bun', 'go'] as const) {
      await Promise.all(cluster.nodes.map((node) => node.conductor.kill()));
      for (const node of cluster.nodes) await replaceOne(node, by);
      await cluster.progress(3, BLOCKS_MS_MAX);
      await cluster.steady();
      expect(cluster.brokenLaws()).toEqual([]);
    }
  });

  test('removed, wiped and added again, in both directions', async () => {
    await using cluster = await formed('go');
    for (const by of ['bun', 'go'] as const) {
      await wipeAndRejoin(cluster, await follower(cluster), by);
      await cluster.progress(3, BLOCKS_MS_MAX);
    }
    await cluster.steady();
    expect(cluster.brokenLaws()).toEqual([]);
  });
});

describe('what must be refused', { timeout: TEST_MS_MAX }, () => {
  test('an import under a running op-conductor, which goes on undisturbed', async () => {
    await using cluster = await formed('go');
    const node = await follower(cluster);
    const before = readdirSync(directoryOf(node));
    for (const more of [[], ['--dry-run']]) {
      const { code, output } = await migrate(node, 'import', ...more);
      expect(output).toMatch(/is locked: op-conductor, or another import, is running/);
      expect(code).toBe(1);
    }
    expect(readdirSync(directoryOf(node))).toEqual(before);
    await cluster.progress(2, BLOCKS_MS_MAX);
    await cluster.steady();
  });

  test('op-conductor on a directory that was taken over, before and after ours ran', async () => {
    await using cluster = await formed('go');
    const node = await follower(cluster);
    await node.conductor.end('SIGTERM');
    expect(await migrate(node, 'import')).toMatchObject({ code: 0 });
    node.startConductor('again');
    expect(await node.conductor.ended()).not.toBe(0);
    expect(node.conductor.log()).toMatch(/invalid database/);
    node.implementation = 'bun';
    node.startConductor('again');
    await cluster.steady();
    await node.conductor.end('SIGTERM');
    node.implementation = 'go';
    node.startConductor('again');
    expect(await node.conductor.ended()).not.toBe(0);
  });

  test('op-conductor that waits for the lock of a log while it is taken over', async (context) => {
    context.skip(!existsSync('/proc/self/fd'), 'no /proc here to see what a process has open');
    await using cluster = await formed('go');
    const node = await follower(cluster);
    await node.conductor.end('SIGTERM');
    const onStep = (step: string): void => {
      if (step !== 'complete') return;
      node.startConductor('again');
      waitUntilOpen(node.conductor.pid, join(directoryOf(node), 'raft-log.db'));
    };
    expect(await importGoStore({ directory: directoryOf(node), serverId: node.id, onStep })).toMatchObject({
      kind: 'imported',
    });
    expect(await node.conductor.ended()).not.toBe(0);
    expect(node.conductor.log()).toMatch(/invalid database/);
    await replaceOne(node, 'bun');
    await cluster.steady();
  });

  test('an export under a running conductor', async () => {
    await using cluster = await formed('bun');
    const node = await follower(cluster);
    const { code, output } = await migrate(node, 'export');
    expect(output).toMatch(/Stop the other conductor/);
    expect(code).toBe(1);
    await cluster.progress(2, BLOCKS_MS_MAX);
    await cluster.steady();
  });

  test('a copy made while op-conductor runs is imported whole or refused with a sentence', async () => {
    await using cluster = await formed('go', earlySnapshots);
    const node = await follower(cluster);
    const outcomes: string[] = [];
    for (let round = 0; round < DIRTY_COPIES; round += 1) {
      const storageDir = join(cluster.directory, `copy-${round}`);
      mkdirSync(storageDir);
      cpSync(directoryOf(node), join(storageDir, node.id), { recursive: true });
      const copy = Object.assign(Object.create(node) as ServiceNode, { storageDir });
      const { code, output } = await migrate(copy, 'import');
      outcomes.push(code === 0 ? 'imported' : output);
      expect([0, 1]).toContain(code);
      if (code === 1)
        expect(output).toMatch(
          /^import: .*(do not belong together|does not fit together|was copied|damaged|is needed)/,
        );
      else expect(await migrate(copy, 'export', '--dry-run')).toMatchObject({ code: 0 });
    }
    console.log(`${outcomes.filter((one) => one === 'imported').length} of ${DIRTY_COPIES} copies were whole`);
  });
});
