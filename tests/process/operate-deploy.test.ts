/**
 * Deploying to a live cluster, one server after the other: what fails is taken back, the same command goes on. Every
 * other way to fail, canaries, blue/green and migrations are in operate-deploy.full.test.ts.
 */
import { expect, test } from 'vitest';
import { DeployedCluster } from './deployed-cluster.ts';

test('a rolling deployment that fails half way is gone on with, without a missed block', async () => {
  await using operated = new DeployedCluster(['bun', 'bun', 'bun']);
  const { cluster, deployments } = operated;
  await cluster.form();
  const leader = (await cluster.leader()).id;
  const [first, second] = cluster.nodes.map(({ id }) => id).filter((id) => id !== leader);

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
