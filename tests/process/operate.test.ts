/**
 * The operators' tool against a live cluster of real processes: it looks, hands over, takes out and in, refuses, and
 * goes on where it was stopped. Every call failing in every way is in operate.full.test.ts.
 */
import { expect, test } from 'vitest';
import { OperatedCluster } from './operated-cluster.ts';

test('an operator looks, hands over, takes a server out and in again; what fails is gone on with', async () => {
  await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
  const { cluster } = operated;
  await cluster.form();
  const leader = (await cluster.leader()).id;

  const before = await operated.status();
  expect(before).toMatchObject({ leader, troubles: [], quorum: { voters: 3, answering: 3, isReached: true } });
  expect(before.servers.filter(({ node }) => node.sequencing).map(({ id }) => id)).toEqual([leader]);
  expect(new Set(before.servers.map(({ software }) => software))).toEqual(new Set(['conductor']));

  // Nobody can be asked here, so nothing that stops blocks is done without --yes.
  const unasked = await operated.run('leave', leader);
  expect(unasked, unasked.out).toMatchObject({ code: 3 });
  expect(unasked.err).toContain('give --yes');
  expect((await operated.status()).leader).toBe(leader);

  operated.fail('conductor_removeServer', 'refused');
  const stopped = await operated.run('leave', leader, '--yes');
  expect(stopped, stopped.out).toMatchObject({ code: 1 });
  expect(stopped.out).toContain('stopped     not today');
  expect(stopped.out).toContain(`done        hand leadership away from ${leader}\n`);
  expect(stopped.out).toContain(`go on with  conductor leave ${leader} --cluster ${operated.file}\n`);
  operated.heal();
  const left = await operated.run('leave', leader, '--yes');
  expect(left, left.out).toMatchObject({ code: 0 });
  expect((await operated.status()).membership.servers.map(({ id }) => id)).not.toContain(leader);

  // It happened, and the answer was lost: that is no failure.
  operated.fail('conductor_addServerAsVoter', 'unheard');
  const joined = await operated.run('join', leader, '--json');
  expect(joined, joined.out).toMatchObject({ code: 0 });
  const events = joined.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; outcome?: string });
  expect(events[0]).toMatchObject({ event: 'plan' });
  expect(events.at(-1)).toMatchObject({ event: 'end', outcome: 'done', exitCode: 0, open: [] });

  // With one of three silent, none of the others may go.
  const [other, third] = cluster.nodes.filter(({ id }) => id !== leader);
  await third?.conductor.kill();
  const refused = await operated.run('leave', other?.id ?? '', '--yes');
  expect(refused, refused.out).toMatchObject({ code: 3 });
  expect(refused.out).toMatch(/too few voters would answer|nobody leads|only 1 of 3/);
  expect((await operated.status()).membership.servers).toHaveLength(3);
  await cluster.revive();

  const back = await operated.run('transfer', leader, '--yes', '--timeout', '60');
  expect(back, back.out).toMatchObject({ code: 0 });
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
});
