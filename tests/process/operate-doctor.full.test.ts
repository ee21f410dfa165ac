/** `conductor doctor` beside one server of a live cluster, to which one thing after the other happens. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { waitFor } from '../cluster/wait.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { operate } from './operate-command.ts';
import { OperatedCluster } from './operated-cluster.ts';

const SETTLE_MS_MAX = 30_000;

interface Examination {
  readonly exitCode: number;
  readonly counts: { readonly bad: number };
  readonly findings: readonly { readonly area: string; readonly verdict: string; readonly says: string }[];
}

/** The flags its running conductor was started with. */
function flagsOf(node: ServiceNode): readonly string[] {
  const words = readFileSync(`/proc/${node.conductor.pid}/cmdline`, 'utf8').split('\0');
  return words.filter((word) => word.startsWith('--'));
}

async function examine(flags: readonly string[]): Promise<Examination> {
  const { output, code } = await operate('doctor', '--json', '--', ...flags);
  const examination = JSON.parse(output) as Examination;
  expect(code).toBe(examination.exitCode);
  return examination;
}

const bad = ({ findings }: Examination): string[] =>
  findings.filter(({ verdict }) => verdict === 'bad').map(({ area, says }) => `${area}: ${says}`);

it('says of a server what has happened to it', async ({ skip }) => {
  if (process.platform !== 'linux') return skip('the flags of a process are read from /proc');
  await using operated = new OperatedCluster(['bun', 'bun', 'bun']);
  const { cluster } = operated;
  await cluster.form();
  const leader = await cluster.leader();
  const [follower] = cluster.others(leader) as [ServiceNode];
  const flags = flagsOf(follower);
  for (const node of [leader, follower]) expect(bad(await examine(flagsOf(node)))).toEqual([]);

  // Paused, the old leader does not stop its sequencer.
  await leader.callConductor('conductor_pause');
  await leader.callConductor('conductor_transferLeaderToServer', [follower.id, follower.advertised], SETTLE_MS_MAX);
  await waitFor('the other to lead', SETTLE_MS_MAX, async () =>
    (await follower.callConductor('conductor_leader')) === true ? true : null,
  );
  expect(bad(await examine(flagsOf(leader)))).toContainEqual(
    expect.stringMatching(
      /^op-node: its sequencer is active, and this conductor follows node-\d: it is the op-node of/,
    ),
  );
  await leader.callConductor('conductor_resume');
  await cluster.steady();

  follower.sequencer.freeze();
  const frozen = await examine(flags);
  expect(frozen).toMatchObject({ exitCode: 1 });
  expect(bad(frozen)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^op-node: it does not answer: .* no answer within/),
      expect.stringMatching(/^execution client: it does not answer/),
    ]),
  );
  follower.sequencer.thaw();
  await cluster.steady();

  await follower.conductor.kill();
  const stopped = await examine(flags);
  expect(bad(stopped)).toEqual([]);
  expect(stopped.findings).toContainEqual(
    expect.objectContaining({
      area: 'store',
      verdict: 'good',
      says: expect.stringContaining('the store opens') as string,
    }),
  );
  // It looked at the store, and left it to its conductor.
  follower.startConductor('again');
  await waitFor('the follower to be well again', SETTLE_MS_MAX, async () =>
    (await follower.trouble()) === '' ? true : null,
  );
});
