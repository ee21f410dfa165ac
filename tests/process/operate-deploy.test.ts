/**
 * Deploying to a live cluster, one server after the other: what fails is taken back, the same command goes on. Every
 * other way to fail, canaries, blue/green and migrations are in operate-deploy.full.test.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begunOn } from '#conductor/operate/begun-deployment';
import { readClusterFile } from '#conductor/operate/cluster-file';
import { lockPath } from '#conductor/operate/cluster-lock';
import { journalPath } from '#conductor/operate/journal';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';
import { DeployedCluster } from './deployed-cluster.ts';
import { operate } from './operate-command.ts';
import { OperatorTerminal } from './operator-terminal.ts';

/** Beside the cluster file of a test, another one whose deploy commands are this one; null for none. */
function fileWithDeploy(operated: DeployedCluster, name: string, command: string | null): string {
  const file = join(operated.cluster.directory, `${name}.toml`);
  const lines = readFileSync(operated.file, 'utf8').replaceAll(/^(deploy|rollback) = .*\n/gmu, '');
  const row = command === null ? '' : `deploy = ${JSON.stringify(command)}\n`;
  writeFileSync(file, lines.replaceAll('[[server]]\n', `[[server]]\n${row}`));
  return file;
}

/** A run that is killed leaves its command running, and nothing is deployed beside that. */
async function killedWhileDeploying(endless: string, first: string): Promise<void> {
  const server = readClusterFile(endless).servers.find(({ id }) => id === first);
  if (server === undefined) throw new RangeError(first);
  const words = ['rolling', '--cluster', endless];
  const running = Bun.spawn([...conductorCommand(), ...words, '--yes'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const { pid } = await waitFor('the deploy command', 20_000, () => begunOn(endless, server));
  running.kill('SIGKILL');
  await running.exited;
  for (const more of ['--yes', '--dry-run', '--fresh']) {
    const beside = await operate(...words, more);
    expect(beside, beside.errors).toMatchObject({ code: 3 });
    expect(beside.errors).toContain(
      `which an earlier run began for ${first}, still runs; wait for the end of process ${pid}`,
    );
  }
  process.kill(-pid, 'SIGKILL');
  const planned = await waitFor('its end', 20_000, async () => {
    const answer = await operate(...words, '--dry-run');
    return answer.code === 0 ? answer : null;
  });
  expect(planned.errors).toContain(`${first}: an earlier run ended before "echo begun; exec sleep 600" did`);
  expect(planned.errors).toContain(`its process, ${pid} on ${hostname()}, is gone. ${first} answers now as conductor`);
  expect(planned.output).toContain(`· deploy to ${first}`);
}

/** What never gets to deploying, or is ended on its way, leaves the cluster and the journal as they were. */
async function refusedAndStopped(
  operated: DeployedCluster,
  { leader, first }: { readonly leader: string; readonly first: string },
): Promise<void> {
  const endless = fileWithDeploy(operated, 'endless', 'echo begun; exec sleep 600');
  const refused = await operate('canary', leader, '--yes', '--cluster', endless);
  expect(refused, refused.errors).toMatchObject({ code: 3 });
  expect(existsSync(journalPath(endless))).toBe(false);

  const running = Bun.spawn([...conductorCommand(), 'rolling', '--yes', '--cluster', endless], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  await waitFor('the deploy command', 20_000, () => (existsSync(journalPath(endless)) ? true : null));
  const second = await operate('transfer', '--yes', '--cluster', endless);
  expect(second, second.errors).toMatchObject({ code: 3 });
  expect(second.errors).toContain(`conductor rolling is under way on this cluster file: process ${running.pid};`);
  // Once would let the command come to its end.
  running.kill('SIGINT');
  running.kill('SIGTERM');
  const stopped = await operated.end(running);
  expect(stopped, stopped.out).toMatchObject({ code: 130 });
  expect(stopped.out).toContain('sleep 600" was interrupted');
  expect(existsSync(lockPath(endless))).toBe(false);
  await killedWhileDeploying(endless, first);

  // Whoever is asked to deploy leaves it: with Ctrl-C, with Ctrl-D, or told to end.
  const byHand = fileWithDeploy(operated, 'by-hand', null);
  for (const leave of ['\u0003', '\u0004', 'SIGTERM'] as const) {
    const terminal = new OperatorTerminal([...conductorCommand(), 'rolling', '--yes', '--cluster', byHand]);
    await terminal.shows('Press Enter when it is done.');
    if (leave === 'SIGTERM') terminal.kill(leave);
    else terminal.type(leave);
    expect([leave, await terminal.ended()], terminal.lines.join('\n')).toEqual([leave, 130]);
    expect(terminal.lines.join('\n')).not.toContain('✓ deploy');
    expect(readFileSync(journalPath(byHand), 'utf8')).not.toContain('deploy');
  }

  // Its op-node would refuse to sequence, so the one that does is not stopped.
  expect(await operated.run('pause', '--all', '--yes')).toMatchObject({ code: 0 });
  const stuck = await operated.run('bluegreen', first, '--yes');
  expect(stuck, stuck.out).toMatchObject({ code: 3 });
  expect(stuck.err).toContain(`the op-node of ${first} has its conductor enabled`);
  expect(await operated.run('resume', '--all', '--yes')).toMatchObject({ code: 0 });
  expect(operated.deployments.calls).toEqual([]);
}

test('a rolling deployment that fails half way is gone on with, without a missed block', async () => {
  await using operated = new DeployedCluster(['bun', 'bun', 'bun']);
  const { cluster, deployments } = operated;
  await cluster.form();
  const leader = (await cluster.leader()).id;
  const [first, second] = cluster.nodes.map(({ id }) => id).filter((id) => id !== leader);

  // The servers that nothing got onto are as well as before: that is no deployment.
  const nothing = fileWithDeploy(operated, 'nothing', 'exit 7');
  for (const words of [['rolling'], ['canary', first ?? '', '--grace', '2']]) {
    const failed = await operate(...words, '--yes', '--fresh', '--cluster', nothing);
    expect(failed, failed.output).toMatchObject({ code: 1 });
    expect(failed.output).toContain('"exit 7" ended with code 7');
    expect(failed.output).not.toContain('✓ deploy');
  }
  expect(readFileSync(journalPath(nothing), 'utf8')).not.toContain('deploy');
  expect((await cluster.leader()).id).toBe(leader);

  await refusedAndStopped(operated, { leader, first: first ?? '' });

  operated.afterwards = ({ what, id }) =>
    what === 'deploy' && id === second ? Promise.reject(new Error('no room')) : Promise.resolve();
  const stopped = await operated.run('rolling', '--yes');
  expect(stopped, stopped.out).toMatchObject({ code: 1 });
  expect(stopped.err).toContain('no room');
  expect(stopped.out).toContain(`undone: take the deployment to ${second} back`);
  expect(stopped.out).toContain('go on with  conductor rolling');
  expect(deployments.calls.map(({ what, id }) => `${what} ${id}`)).toEqual([
    `deploy ${first}`,
    `deploy ${second}`,
    `rollback ${second}`,
  ]);
  expect((await operated.status()).servers.map(({ paused }) => paused)).toEqual([false, false, false]);

  operated.afterwards = () => Promise.resolve();
  const done = await operated.run('rolling', '--yes', '--leader', leader);
  expect(done, done.out).toMatchObject({ code: 0 });
  expect(deployments.deployed).toEqual([first, second, second, leader]);
  expect((await cluster.steady()).id).toBe(leader);
  expect(cluster.brokenLaws()).toEqual([]);
});
