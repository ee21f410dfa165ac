/**
 * How three pods become one cluster, with real processes in their place: all with the list of --raft.bootstrap-once,
 * then the steps of the Job as they stand in its manifest, repeated, and after a founder's disk was lost.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { conductorCommand } from '../../tests/cluster/conductor-command.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';
import type { Container } from './manifests.ts';
import { renderKustomization } from './render.ts';

const WAIT_MS_MAX = 30_000;
const resources = renderKustomization(join(import.meta.dirname, 'form-cluster'));
const job = resources.find(({ kind }) => kind === 'Job')!['spec'] as { template: { spec: JobPod } };
interface JobPod {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
}

describe('founding a cluster in pods', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-founding-'));
  const servers = [0, 1, 2].map((ordinal) => new LoneConductor(join(folder, `${ordinal}`), `sequencer-${ordinal}`));
  const [founder, second] = servers as [LoneConductor, LoneConductor, LoneConductor];
  const list = servers.map(({ id, rpcPort }) => `${id}=http://127.0.0.1:${rpcPort}`).join(',');
  const start = (server: LoneConductor): void => server.start([`--raft.bootstrap-once=${list}`, '--rpc.enable-admin']);
  const members = async (server: LoneConductor): Promise<string[]> => {
    const answer = await server.call('conductor_clusterMembership');
    return (answer.body.result as { servers: { id: string; suffrage: number }[] }).servers
      .map(({ id, suffrage }) => `${id} ${suffrage === 0 ? 'voter' : 'nonvoter'}`)
      .toSorted();
  };

  /** Runs the Job's steps in their order; returns what they printed. */
  const formCluster = async (): Promise<string> => {
    const file = join(folder, 'conductor.toml');
    const rows = servers.map(
      ({ id, rpcPort, raftAddress }) =>
        `[[server]]\nid = "${id}"\nconductor = "http://127.0.0.1:${rpcPort}"\nconsensus = "${raftAddress}"\n`,
    );
    writeFileSync(file, rows.join('\n'));
    let output = '';
    for (const { name, args } of [...job.template.spec.initContainers, ...job.template.spec.containers]) {
      const child = Bun.spawn([...conductorCommand(), ...args!], {
        env: { ...process.env, CONDUCTOR_CLUSTER: file },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      output += (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
      expect(await child.exited, `${name}: ${output}`).toBe(0);
    }
    return output;
  };

  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits for every server to say that there is no cluster; then the first founds it, paused', async () => {
    start(founder);
    start(second);
    await founder.wrote(/not founding a cluster.*sequencer-2 has not said/);
    await second.answers('conductor_paused', false);
    expect(await members(founder)).toStrictEqual([]);
    start(servers[2]!);
    await founder.answers('conductor_leader', true);
    await founder.answers('conductor_paused', true);
    expect(await members(second)).toStrictEqual([]);
  });

  it('the steps of the Job make it a cluster of three voters that acts, and repeating them changes nothing', async () => {
    await formCluster();
    const three = ['sequencer-0 voter', 'sequencer-1 voter', 'sequencer-2 voter'];
    expect(await members(founder)).toStrictEqual(three);
    await founder.answers('conductor_paused', false);
    await formCluster();
    expect(await members(founder)).toStrictEqual(three);
  });

  it('a founder whose disk is lost founds no second cluster', async () => {
    await founder.kill();
    rmSync(join(folder, '0', 'raft'), { recursive: true, force: true });
    founder.output = '';
    start(founder);
    await waitFor('the cluster to take it back', WAIT_MS_MAX, async () =>
      (await members(founder).catch(() => [])).length === servers.length ? true : null,
    );
    await founder.answers('conductor_leader', false);
    expect(founder.output).not.toContain('founding it');
    expect(await members(second)).toHaveLength(servers.length);
  });
});
