/**
 * How three pods become one cluster, with real processes in their place: all with the list of --raft.bootstrap-once,
 * then the steps of the Job, repeated, and after a founder's disk was lost.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { conductorCommand } from '../../tests/cluster/conductor-command.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';
import { InitialServers } from './initial-servers.ts';

const WAIT_MS_MAX = 30_000;
const voters = ['sequencer-0 voter', 'sequencer-1 voter', 'sequencer-2 voter'];

describe('bootstrapping a cluster in pods', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-founding-'));
  const cluster = new InitialServers({
    servers: [0, 1, 2].map((ordinal) => new LoneConductor(join(folder, `${ordinal}`), `sequencer-${ordinal}`)),
    command: conductorCommand(),
    folder,
  });
  const [founder, second, third] = cluster.servers as [LoneConductor, LoneConductor, LoneConductor];

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits for every server to say that there is no cluster; then the first founds it, paused', async () => {
    cluster.start(founder);
    cluster.start(second);
    await founder.wrote(/not bootstrapping a cluster.*sequencer-2 has not said/);
    await second.answers('conductor_paused', false);
    expect(await cluster.members(founder)).toStrictEqual([]);
    expect([await cluster.probe(second, '/healthz'), await cluster.probe(second, '/readyz')]).toStrictEqual([200, 503]);
    cluster.start(third);
    await founder.answers('conductor_leader', true);
    await founder.answers('conductor_paused', true);
    expect(await cluster.members(second)).toStrictEqual([]);
  });

  it('the steps of the Job make it a cluster of three voters that acts, and repeating them changes nothing', async () => {
    for (const time of ['first', 'again']) {
      const ends = await cluster.runJob();
      expect(
        ends.map(({ code }) => code),
        `${time}: ${ends.at(-1)?.output}`,
      ).toStrictEqual([0, 0, 0]);
      expect(await cluster.members(founder)).toStrictEqual(voters);
      await founder.answers('conductor_paused', false);
    }
    for (const server of cluster.servers) {
      await waitFor(`${server.id} to be ready`, WAIT_MS_MAX, async () =>
        (await cluster.probe(server, '/readyz')) === 200 ? true : null,
      );
    }
  });

  it('a founder whose disk is lost founds no second cluster', async () => {
    await founder.kill();
    rmSync(join(folder, '0', 'raft'), { recursive: true, force: true });
    founder.output = '';
    cluster.start(founder);
    await waitFor('the cluster to take it back', WAIT_MS_MAX, async () =>
      (await cluster.members(founder).catch(() => [])).length === voters.length ? true : null,
    );
    await founder.answers('conductor_leader', false);
    expect(founder.output).not.toContain('bootstrapping it');
    expect(await cluster.members(second)).toStrictEqual(voters);
  });
});
