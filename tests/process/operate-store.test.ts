/**
 * What operators do to one server's store, on a live cluster of real processes: a backup beside the running leader,
 * and a disaster in which two of three disks are lost for ever.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { operate } from './operate-command.ts';

const LEAD_MS_MAX = 30_000;

const storeOf = (node: ServiceNode): string => join(node.storageDir, node.id);

it('two of three disks are lost for ever: the cluster goes on from the third, and grows again', async () => {
  const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 5 };
  await using cluster = new ServiceCluster({ implementations: ['bun', 'bun', 'bun'], settings });
  await cluster.form();
  const survivor = await cluster.leader();
  const lost = cluster.others(survivor);

  const file = join(cluster.directory, 'backup.db');
  const backup = await operate('backup', '--data-dir', storeOf(survivor), '--to', file, '--json');
  expect(backup, backup.errors).toMatchObject({ code: 0 });
  expect(JSON.parse(backup.output)).toMatchObject({
    store: { serverId: survivor.id, head: { number: expect.any(Number) } },
  });

  const { rpc, node, execution } = survivor.addresses;
  const urls = ['--rpc', `http://${rpc}`, '--node', `http://${node}`, '--execution', `http://${execution}`];
  const examined = await operate('doctor', ...urls, '--json');
  expect(examined, examined.output).toMatchObject({ code: 0 });
  expect(JSON.parse(examined.output)).toMatchObject({ outcome: 'done', counts: { bad: 0 } });

  const recover = ['recover', '--data-dir', storeOf(survivor)];
  expect(await operate(...recover)).toMatchObject({
    code: 3,
    errors: expect.stringContaining('is running on') as string,
  });
  // One follower stays: alone it commits nothing, and with the survivor it would be a majority.
  await lost[0]?.conductor.kill();
  await survivor.conductor.kill();
  expect(await operate(...recover, '--yes')).toMatchObject({
    code: 3,
    errors: expect.stringContaining('The majority is not lost') as string,
  });
  const living = lost[1]?.id ?? '';
  const trusting = await operate(...recover, '--lost', ...lost.map(({ id }) => id), '--dry-run');
  expect(trusting, trusting.errors).toMatchObject({
    code: 0,
    errors: expect.stringContaining(`${living} answers, though --lost says otherwise`) as string,
  });
  await lost[1]?.conductor.kill();
  for (const node of lost) rmSync(storeOf(node), { recursive: true });
  expect(await operate(...recover)).toMatchObject({ code: 3, errors: expect.stringContaining('--yes') as string });
  const done = await operate(...recover, '--yes', '--json');
  expect(done, done.errors).toMatchObject({ code: 0 });
  expect(JSON.parse(done.output)).toMatchObject({ outcome: 'done', serverId: survivor.id });

  survivor.startConductor('again');
  await waitFor('the survivor to lead', LEAD_MS_MAX, async () =>
    (await survivor.callConductor('conductor_leader')) === true ? true : null,
  );
  for (const node of lost) {
    node.startConductor('again');
    await cluster.change('conductor_addServerAsNonvoter', node);
  }
  for (const node of lost) await cluster.change('conductor_addServerAsVoter', node);
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
});
