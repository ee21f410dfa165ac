/**
 * Deploying to a live cluster, one server after the other: what fails is taken back, the same command goes on. Every
 * other way to fail, canaries, blue/green and migrations are in operate-deploy.full.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalPath } from '#conductor/cli/operate/journal';
import { DeployedCluster } from './deployed-cluster.ts';
import { operate } from './operate-command.ts';

/** Beside the cluster file of a test, another one whose deploy commands are this one. */
function fileWithDeploy(operated: DeployedCluster, command: string): string {
  const file = join(operated.cluster.directory, 'other.toml');
  const lines = readFileSync(operated.file, 'utf8').replaceAll(/^(deploy|rollback) = .*\n/gmu, '');
  writeFileSync(file, lines.replaceAll('[[server]]\n', `[[server]]\ndeploy = ${JSON.stringify(command)}\n`));
  return file;
}

test('a rolling deployment that fails half way is gone on with, without a missed block', async () => {
  await using operated = new DeployedCluster(['bun', 'bun', 'bun']);
  const { cluster, deployments } = operated;
  await cluster.form();
  const leader = (await cluster.leader()).id;
  const [first, second] = cluster.nodes.map(({ id }) => id).filter((id) => id !== leader);

  // The servers that nothing got onto are as well as before: that is no deployment.
  const nothing = fileWithDeploy(operated, 'exit 7');
  for (const words of [['rolling'], ['canary', first ?? '', '--grace', '2']]) {
    const failed = await operate(...words, '--yes', '--fresh', '--cluster', nothing);
    expect(failed, failed.output).toMatchObject({ code: 1 });
    expect(failed.output).toContain('"exit 7" ended with code 7');
    expect(failed.output).not.toContain('✓ deploy');
  }
  expect(readFileSync(journalPath(nothing), 'utf8')).not.toContain('deploy');
  expect((await cluster.leader()).id).toBe(leader);

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
