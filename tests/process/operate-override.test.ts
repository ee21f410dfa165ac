/**
 * The emergency that once ended in two sequencers: all conductors are paused, one sequencer builds under an override.
 * What the operators' tool advises then, what it refuses, and that following it ends with one that builds.
 */
import { expect, test } from 'vitest';
import { heightsWithTwoHashes } from '../cluster/service-laws.ts';
import { waitFor } from '../cluster/wait.ts';
import { OperatedCluster, type Run } from './operated-cluster.ts';

const LONG_MS = 120_000;
const SOON_MS = 30_000;

const buildingOf = async (operated: OperatedCluster): Promise<string[]> =>
  (await operated.status()).servers.filter(({ node }) => node.sequencing).map(({ id }) => id);

/** All paused; the sequencer of a follower builds by itself under an override. */
async function overridden(operated: OperatedCluster): Promise<{ leader: string; builder: string; third: string }> {
  const { cluster } = operated;
  const leader = await cluster.leader();
  const [builder, third] = cluster.others(leader);
  if (builder === undefined || third === undefined) throw new RangeError('three conductors');
  const paused = await operated.run('pause', '--all');
  expect(paused, paused.out).toMatchObject({ code: 0 });
  await leader.callSequencer('admin_stopSequencer');
  await builder.callConductor('conductor_overrideLeader', [true]);
  await builder.callSequencer('admin_overrideLeader');
  await waitFor('the follower to build', SOON_MS, async () => {
    await builder.callSequencer('admin_startSequencer', [(await builder.head()).hash]);
    return true;
  });
  await waitFor('all to follow it', SOON_MS, async () => {
    const heads = await Promise.all(cluster.nodes.map((node) => node.head()));
    return new Set(heads.map(({ number }) => number)).size === 1 ? true : null;
  });
  return { leader: leader.id, builder: builder.id, third: third.id };
}

const refusedBeside = (run: Run, builder: string): void => {
  expect(run, run.out).toMatchObject({ code: 3 });
  expect(run.out).toContain(`${builder} builds blocks, and`);
};

test(
  'beside a sequencer that builds under an override nothing is resumed; handing it the lead ends it without a second one',
  { timeout: LONG_MS },
  async () => {
    await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
    await operated.cluster.form();
    const { leader, builder, third } = await overridden(operated);

    const { troubles } = await operated.status();
    expect(troubles.join('\n')).not.toContain('conductor resume');
    expect(troubles.join('\n')).toContain(`conductor transfer ${builder}`);
    for (const words of [
      ['resume', leader],
      ['resume', third],
      ['resume', '--all'],
    ])
      refusedBeside(await operated.run(...words, '--yes'), builder);
    // Its op-node does not answer the tool, and builds all the same.
    operated.nodes.get(builder)?.silence();
    const silent = await operated.run('resume', leader, '--yes');
    expect(silent, silent.out).toMatchObject({ code: 3 });
    expect(silent.out).toContain(`--idle ${builder}`);
    operated.heal();
    expect(await buildingOf(operated)).toEqual([builder]);

    const given = await operated.run('transfer', builder, '--yes');
    expect(given, `${given.out}${given.err}`).toMatchObject({ code: 0 });
    await operated.node(builder).callConductor('conductor_overrideLeader', [false]);
    const resumed = await operated.run('resume', '--all', '--yes');
    expect(resumed, `${resumed.out}${resumed.err}`).toMatchObject({ code: 0 });
    expect(await buildingOf(operated)).toEqual([builder]);
    expect(heightsWithTwoHashes(operated.cluster.published())).toEqual([]);
  },
);

test(
  'once its sequencer is stopped the advised command brings the leader back; with its op-node ended only on the word of the operator',
  { timeout: LONG_MS },
  async () => {
    await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
    await operated.cluster.form();
    const { leader, builder } = await overridden(operated);
    await operated.node(builder).callSequencer('admin_stopSequencer');
    await operated.node(builder).callConductor('conductor_overrideLeader', [false]);
    const { troubles } = await operated.status();
    const [advice] = troubles.flatMap((text) => /conductor (resume [\w-]+)/.exec(text)?.[1] ?? []);
    expect(advice, troubles.join('\n')).toBe(`resume ${leader}`);
    // Its op-node has ended, which only somebody who looked can know.
    await operated.node(builder).sequencer.kill();
    const words = [...(advice ?? '').split(' '), '--yes'];
    const refused = await operated.run(...words);
    expect(refused, refused.out).toMatchObject({ code: 3 });
    expect(refused.out).toContain(`--idle ${builder}`);
    const resumed = await operated.run(...words, '--idle', builder);
    expect(resumed, `${resumed.out}${resumed.err}`).toMatchObject({ code: 0 });
    await waitFor('the leader to build', SOON_MS, async () =>
      (await buildingOf(operated)).join() === leader ? true : null,
    );
    expect(heightsWithTwoHashes(operated.cluster.published())).toEqual([]);
  },
);
