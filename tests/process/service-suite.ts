/**
 * Runs scenes as tests. The scenes of a group share a cluster, one after the other; groups go on side by
 * side, for most of a scene is waiting. A cluster on which a scene failed is thrown away with the end of
 * its logs printed. Scenes with an op-conductor are skipped where there is none.
 */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { Seeded } from '../cluster/seeded.ts';
import { ServiceCluster, type ServiceClusterOptions } from '../cluster/service-cluster.ts';
import { playScene, type Scene } from './service-scenes.ts';

/** Longest time of all scenes of a group: each waits for those before it. */
const GROUP_MS_MAX = 20 * 60_000;
const LOG_LINES_SHOWN = 40;

export interface SceneGroup {
  readonly title: string;
  readonly cluster: ServiceClusterOptions;
  readonly scenes: readonly Scene[];
}

/** One cluster at a time, and the scenes that wait for it. */
class Theatre {
  readonly #options: ServiceClusterOptions;
  readonly #random: Seeded;
  #cluster: ServiceCluster | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ title, cluster }: SceneGroup) {
    this.#options = cluster;
    this.#random = Seeded.announced(title);
  }

  /** Plays a scene when those before it are over; resolves with the broken laws. */
  play(scene: Scene): Promise<string[]> {
    const turn = this.#last.then(() => this.#playNow(scene));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    await this.#cluster?.[Symbol.asyncDispose]();
    this.#cluster = null;
  }

  async #playNow(scene: Scene): Promise<string[]> {
    let broken = ['the scene was not played to its end'];
    try {
      if (this.#cluster === null) {
        this.#cluster = new ServiceCluster(this.#options);
        await this.#cluster.form();
      }
      broken = await playScene(this.#cluster, scene, this.#random);
    } finally {
      if (broken.length > 0) await this.#throwAway(scene);
    }
    return broken;
  }

  async #throwAway(scene: Scene): Promise<void> {
    for (const { conductor } of this.#cluster?.nodes ?? []) {
      const lines = conductor.log().trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
      console.log(`${scene.title}: the log of ${conductor.name} ends:\n${lines.join('\n')}`);
    }
    await this.close();
  }
}

export function describeScenes(title: string, groups: readonly SceneGroup[]): void {
  describe(title, { timeout: GROUP_MS_MAX }, () => {
    const theatres = groups.map((group) => new Theatre(group));
    const longest = Math.max(...groups.map(({ scenes }) => scenes.length));
    // In turns, because only so many tests run side by side.
    const inTurns = Array.from({ length: longest }, (_, round) =>
      groups.flatMap((group, at) => {
        const scene = group.scenes[round];
        return scene === undefined
          ? []
          : [{ title: `${group.title}: ${scene.title}`, scene, group, theatre: theatres[at] as Theatre }];
      }),
    ).flat();

    afterAll(async () => {
      await Promise.all(theatres.map((theatre) => theatre.close()));
    });

    it.concurrent.for(inTurns)('$title', async ({ scene, group, theatre }, context) => {
      const needsOther = group.cluster.implementations.includes('go');
      if (needsOther && !existsSync(process.env['OP_CONDUCTOR_BIN'] ?? ''))
        return context.skip('OP_CONDUCTOR_BIN names no op-conductor');
      expect(await theatre.play(scene)).toEqual([]);
    });
  });
}
