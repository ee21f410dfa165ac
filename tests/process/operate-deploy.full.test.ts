/**
 * The operators' deployments against live clusters of real processes: canaries that fail while they lead, a tool that
 * is killed, servers that are down, sequencing moved by hand, and op-conductors replaced and put back.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';
import { DeployedCluster } from './deployed-cluster.ts';
import { operate } from './operate-command.ts';
import { RollupByHand } from './rollup-by-hand.ts';

const LONG_MS = 300_000;
const WAIT_MS_MAX = 60_000;

async function formed(): Promise<DeployedCluster & { leaderId: string; followers: string[] }> {
  const operated = new DeployedCluster(['bun', 'bun', 'bun']);
  await operated.cluster.form();
  const leaderId = (await operated.cluster.leader()).id;
  const followers = operated.cluster.nodes.map(({ id }) => id).filter((id) => id !== leaderId);
  return Object.assign(operated, { leaderId, followers });
}

test('a canary leads for a while, then the others get it', { timeout: LONG_MS }, async () => {
  await using operated = await formed();
  const { leaderId, followers, cluster, deployments } = operated;
  const [candidate = '', other = ''] = followers;
  const done = await operated.run('canary', candidate, '--grace', '4', '--yes');
  expect(done, `${done.out}${done.err}`).toMatchObject({ code: 0 });
  expect(deployments.deployed).toEqual([candidate, other, leaderId]);
  expect((await cluster.steady()).id).toBe(candidate);
  expect(cluster.brokenLaws()).toEqual([]);
});

test('a canary that dies while it leads is taken back; the others never get it', { timeout: LONG_MS }, async () => {
  await using operated = await formed();
  const { followers, cluster, deployments } = operated;
  const [candidate = ''] = followers;
  const running = operated.start('canary', candidate, '--grace', '30', '--yes', '--json');
  await waitFor(`${candidate} to lead`, WAIT_MS_MAX, async () =>
    (await operated.node(candidate).callConductor('conductor_leader')) === true ? true : null,
  );
  await operated.node(candidate).conductor.kill();
  const stopped = await operated.end(running);
  expect([1, 4], stopped.out).toContain(stopped.code);
  expect(deployments.calls.map(({ what, id }) => `${what} ${id}`)).toEqual([
    `deploy ${candidate}`,
    `rollback ${candidate}`,
  ]);
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
});

test('the tool is killed between two deployments: the same again goes on there', { timeout: LONG_MS }, async () => {
  await using operated = await formed();
  const { leaderId, followers, cluster, deployments } = operated;
  const [first = '', second = ''] = followers;
  const reached = Promise.withResolvers<void>();
  operated.afterwards = ({ id }) => {
    if (id === second) reached.resolve();
    return Promise.resolve();
  };
  const running = operated.start('rolling', '--yes');
  await reached.promise;
  running.kill('SIGKILL');
  await running.exited;
  operated.afterwards = () => Promise.resolve();
  const done = await operated.run('rolling', '--yes');
  expect(done, done.out).toMatchObject({ code: 0 });
  // Nobody told that the second was done, so it is done again; the first was noted.
  expect(deployments.deployed.filter((id) => id === first)).toHaveLength(1);
  expect(deployments.deployed.at(-1)).toBe(leaderId);
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
});

test('with one of three down nothing is deployed to the others', { timeout: LONG_MS }, async () => {
  await using operated = await formed();
  const { followers, cluster, deployments } = operated;
  await operated.node(followers[1] ?? '').conductor.kill();
  const refused = await operated.run('rolling', '--yes');
  expect(refused.code, refused.out).toBe(3);
  expect(refused.out).toContain('too few voters would answer');
  expect(deployments.calls).toEqual([]);
  await cluster.revive();
  await cluster.steady();
});

test('without a deploy command and without a terminal it is refused', { timeout: LONG_MS }, async () => {
  await using operated = await formed();
  const rows = operated.cluster.nodes.map(
    ({ id, addresses }) => `[[server]]\nid = "${id}"\nconductor = "http://${addresses.rpc}"\n`,
  );
  writeFileSync(operated.file, rows.join('\n'));
  const refused = await operated.run('rolling', '--yes');
  expect(refused.code, refused.out).toBe(3);
  expect(refused.out).toContain('has no deploy command');
  expect(await operate('rolling', '--rpc', `http://${operated.cluster.nodes[0]?.addresses.rpc}`)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('cluster file'),
  });
});

test('op-conductors are replaced by ours one at a time, and back', { timeout: LONG_MS }, async (context) => {
  if (!existsSync(process.env['OP_CONDUCTOR_BIN'] ?? '')) context.skip('OP_CONDUCTOR_BIN names no op-conductor');
  await using operated = new DeployedCluster(['go', 'go', 'go']);
  const { cluster } = operated;
  await cluster.form();
  const kinds = async (): Promise<unknown[]> =>
    Promise.all(
      cluster.nodes.map(async ({ addresses }) => (await fetch(`http://${addresses.rpc}/readyz`)).status === 404),
    );
  for (const words of [['migrate'], ['migrate', '--back']]) {
    const done = await operated.run(...words, '--yes', '--timeout', '80');
    expect(done, `${done.out}${done.err}`).toMatchObject({ code: 0 });
    await cluster.steady();
    expect(cluster.brokenLaws()).toEqual([]);
    expect(cluster.nodes.map(({ implementation }) => implementation)).toEqual(
      Array(3).fill(words.includes('--back') ? 'go' : 'bun'),
    );
    expect(await kinds()).toEqual(Array(3).fill(words.includes('--back')));
  }
});

test(
  'sequencing moves between op-nodes without conductors, also when a start fails',
  { timeout: LONG_MS },
  async () => {
    await using byHand = await RollupByHand.start();
    const { rollup, deployments, file } = byHand;
    const own = await operate('bluegreen', 'sequencer-0', '--yes', '--cluster', file);
    expect(own, own.output).toMatchObject({ code: 2 });
    const done = await operate('bluegreen', 'sequencer-1', '--yes', '--back', '--cluster', file);
    expect(done, `${done.output}${done.errors}`).toMatchObject({ code: 0 });
    expect(deployments.deployed).toEqual(['sequencer-1', 'sequencer-0']);
    expect(await rollup.opNode(0, 'admin_sequencerActive')).toBe(true);

    // Killed when it has stopped the old one: the same again starts the new one.
    const running = Bun.spawn([...conductorCommand(), 'bluegreen', 'sequencer-2', '--yes', '--cluster', file], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    await waitFor('the old one to stop', WAIT_MS_MAX, async () =>
      (await rollup.opNode(0, 'admin_sequencerActive')) === false ? true : null,
    );
    running.kill('SIGKILL');
    await running.exited;
    const again = await operate('bluegreen', 'sequencer-2', '--yes', '--cluster', file);
    expect(again, `${again.output}${again.errors}`).toMatchObject({ code: 0 });
    expect(await rollup.opNode(2, 'admin_sequencerActive')).toBe(true);
    expect(await rollup.brokenLaws()).toEqual([]);
  },
);
