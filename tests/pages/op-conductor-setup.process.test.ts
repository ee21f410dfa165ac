/**
 * The eleven steps of the Conductor page, from three sequencers without conductors to a cluster: real processes
 * with the settings of the page, its commands as they stand, and a chain that must not notice.
 */
import { describe, expect, test } from 'vitest';
import { PageRollup } from './page-rollup.ts';
import { PageRunner } from './page-runner.ts';
import { settingsFor } from './page-settings.ts';
import { whyNoShell } from './shell.ts';

const missing = whyNoShell();

describe('spinning up conductors beside a running sequencer', () => {
  test('the eleven steps make a cluster; no height is missed, none has two blocks', async (context) => {
    if (missing !== null) context.skip(missing);
    await using rollup = new PageRollup();
    const runner = new PageRunner({ proxyUrl: rollup.proxyUrl });
    const common = runner.page.file('conductor.yaml');
    const opNode = (at: number) => settingsFor(at, runner.page.file('op-node.yaml'));
    const settings = (at: number) =>
      settingsFor(at, common, ...(at === 2 ? [] : [runner.page.file(`sequencer-${at}.yaml`)]));
    await rollup.start();
    await rollup.sequence(0);
    const sinceMs = Date.now();

    // Step 1: beside the active sequencer, whose op-node knows of no conductor, it ends and is started again.
    for (const at of [1, 2]) {
      await rollup.deployOpNode(at, opNode(at));
      await rollup.deployConductor(at, settings(at));
      await rollup.answers(at);
    }
    await rollup.deployConductor(0, settingsFor(0, common));
    runner.check('setup/not-enabled', await rollup.failedStart(0));
    await runner.run('setup/pause');
    await rollup.deployConductor(0, settings(0));
    await rollup.failedStart(0);

    await runner.run('setup/switch');
    await rollup.deployOpNode(0, opNode(0));
    await rollup.deployConductor(0, settings(0));
    await rollup.answers(0);
    await runner.run('setup/confirm-switch');
    await runner.run('setup/confirm-commits');
    await runner.run('setup/add-nonvoters');
    await runner.run('setup/add-voters');
    await runner.run('setup/confirm-paused');
    await runner.run('setup/resume');
    await runner.run('setup/confirm-resumed');
    await runner.run('setup/transfer');
    await runner.run('setup/confirm-transfer');

    // Step 11: without the flags, the leader last.
    for (const at of [1, 0]) {
      await rollup.deployConductor(at, settingsFor(at, common));
      await rollup.ready(at);
      expect(await rollup.conductor(at, 'conductor_paused')).toBe(false);
    }
    await rollup.oneLeads();
    expect(await rollup.brokenLaws()).toEqual([]);
    console.log(`spin up op-conductor: longest time between two blocks ${rollup.longestGapSeconds(sinceMs)} s`);
  });
});
