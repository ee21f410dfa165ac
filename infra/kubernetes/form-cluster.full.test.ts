/** The same under kill −9: of the founder while it founds, and of the Job in each of its steps, which is then repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { conductorCommand } from '../../tests/cluster/conductor-command.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';
import { InitialServers } from './initial-servers.ts';

const WAIT_MS_MAX = 60_000;
const ROUND_MS_MAX = 180_000;
/** When the founder is killed, after it said that it founds; and the Job, after its start. */
const FOUNDER_KILLS_MS = [0, 1, 3, 10, 30, 100];
const JOB_KILLS_MS = [150, 400, 700, 1000, 1500, 2500];

describe('bootstrapping a cluster in pods that are killed', () => {
  it.for(FOUNDER_KILLS_MS.map((founderMs, round) => ({ founderMs, jobMs: JOB_KILLS_MS[round]! })))(
    'the founder $founderMs ms after it began, the Job after $jobMs ms: one cluster, all in it',
    { timeout: ROUND_MS_MAX },
    async ({ founderMs, jobMs }) => {
      const folder = mkdtempSync(join(tmpdir(), 'conductor-founding-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      await using cluster = new InitialServers({
        servers: [0, 1, 2].map((ordinal) => new LoneConductor(join(folder, `${ordinal}`), `sequencer-${ordinal}`)),
        command: conductorCommand(),
        folder,
      });
      const [founder, ...others] = cluster.servers as [LoneConductor, ...LoneConductor[]];
      for (const server of cluster.servers) cluster.start(server);
      await founder.wrote(/bootstrapping it/);
      await pause(founderMs);
      await founder.kill();
      cluster.start(founder);
      await founder.answers('conductor_leader', true);
      expect(await cluster.members(founder)).toStrictEqual(['sequencer-0 voter']);
      for (const server of others) expect(await cluster.members(server)).toStrictEqual([]);
      await cluster.runJob(jobMs);
      await waitFor('the Job to be done', WAIT_MS_MAX, async () => {
        const ends = await cluster.runJob();
        if (ends.length === cluster.servers.length && ends.every(({ code }) => code === 0)) return true;
        throw new Error(ends.at(-1)?.output);
      });
      for (const server of cluster.servers) {
        expect(await cluster.members(server)).toStrictEqual(cluster.servers.map(({ id }) => `${id} voter`));
        await server.answers('conductor_paused', false);
      }
    },
  );
});
