/**
 * Runs scenes as tests on one cluster after the other: a cluster is kept as long as scenes succeed on
 * it, and a failed one is thrown away with the end of its logs printed. Scenes with an op-conductor are
 * skipped where there is none.
 */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFailed } from 'vitest';
import { Seeded } from '../cluster/seeded.ts';
import { ServiceCluster, type ServiceClusterOptions } from '../cluster/service-cluster.ts';
import { playScene, type Scene } from './service-scenes.ts';

const SCENE_MS_MAX = 180_000;
const LOG_LINES_SHOWN = 40;

export function describeScenes(title: string, options: ServiceClusterOptions, scenes: readonly Scene[]): void {
  describe(title, { timeout: SCENE_MS_MAX }, () => {
    const random = Seeded.announced(title);
    let cluster: ServiceCluster | null = null;

    async function drop(): Promise<void> {
      await cluster?.[Symbol.asyncDispose]();
      cluster = null;
    }

    afterAll(drop);

    it.for(scenes)('$title', async (scene, context) => {
      const needsOther = options.implementations.includes('go');
      if (needsOther && !existsSync(process.env['OP_CONDUCTOR_BIN'] ?? ''))
        return context.skip('OP_CONDUCTOR_BIN names no op-conductor');
      onTestFailed(async () => {
        for (const node of cluster?.nodes ?? [])
          console.log(node.conductor.log().trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n'));
        await drop();
      });
      if (cluster === null) {
        cluster = new ServiceCluster(options);
        await cluster.form();
      }
      expect(await playScene(cluster, scene, random)).toEqual([]);
    });
  });
}
