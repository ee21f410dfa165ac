/**
 * Known failure disk-full: the disk of the leader's log is full. It must end, with an exit code that
 * says so, and be replaced at once; with space again it comes back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Seeded } from '../../cluster/seeded.ts';
import { ServiceCluster } from '../../cluster/service-cluster.ts';
import type { ServiceNode } from '../../cluster/service-node.ts';
import { SmallDisk } from '../../cluster/small-disk.ts';
import { playScene, takenOver } from '../service-scenes.ts';

it('a leader whose disk is full ends, another goes on, and it comes back with space', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const disk = SmallDisk.mount(join(folder, 'disk'));
  if (typeof disk === 'string') return context.skip(disk);
  onTestFinished(() => disk[Symbol.dispose]());
  const implementations = ['bun', 'bun', 'bun'] as const;
  const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };
  await using cluster = new ServiceCluster({ implementations, settings });
  const [small] = cluster.nodes as [ServiceNode];
  small.storageDir = disk.path;
  await cluster.form();
  const scene = {
    title: "the disk of the leader's log is full",
    play: async (play: Parameters<typeof takenOver>[0]) => {
      expect(play.leader).toBe(small);
      disk.fill();
      expect(await small.conductor.ended()).toBe(1);
      // In whichever call of the store it was: it said so, stepped down and told another.
      expect(small.conductor.log()).toMatch(/Leadership status changed.* leader=false .*reason="the store failed/);
      expect(small.conductor.log().match(/Application failed/g)).toHaveLength(1);
      await takenOver(play);
      disk.empty();
    },
  };
  expect(await playScene(cluster, scene, Seeded.announced('disk full'))).toEqual([]);
}, 180_000);
