/**
 * Blue/green deployment without conductors and the canary with them, as the Conductor page describes them: its
 * commands as they stand, and a chain that must not notice.
 */
import { describe, expect, test } from 'vitest';
import { PageRollup } from './page-rollup.ts';
import { PageRunner } from './page-runner.ts';
import { settingsFor } from './page-settings.ts';
import { keepSwitchTimes } from './recording.ts';
import { whyNoShell } from './shell.ts';

const missing = whyNoShell();

// Each on a rollup of its own, and mostly waiting for blocks.
describe.concurrent('deployments', () => {
  test('blue/green: sequencing moves to the candidate and every server is deployed to', async (context) => {
    if (missing !== null) context.skip(missing);
    await using rollup = new PageRollup();
    const runner = new PageRunner({ proxyUrl: rollup.proxyUrl });
    await rollup.start();
    await rollup.sequence(0);
    const sinceMs = Date.now();
    await runner.run('blue-green/find');
    await rollup.deployOpNode(1);
    await runner.run('blue-green/sync');
    await runner.run('blue-green/switch');
    await runner.run('blue-green/progress');
    await rollup.deployOpNode(0);
    expect(await rollup.opNode(0, 'admin_sequencerActive')).toBe(false);
    expect(await rollup.brokenLaws()).toEqual([]);
    const times = rollup.switchTimes(0, 1);
    expect(times.startMs).toBeLessThanOrEqual(times.gapMs);
    keepSwitchTimes(times);
    console.log(`blue/green: longest time between two blocks ${rollup.longestGapSeconds(sinceMs)} s`);
  });

  test('canary: leadership moves to the candidate, stays there, and the others follow', async (context) => {
    if (missing !== null) context.skip(missing);
    await using rollup = new PageRollup();
    const runner = new PageRunner({ proxyUrl: rollup.proxyUrl });
    const opNode = (at: number) => settingsFor(at, runner.page.file('op-node.yaml'));
    const conductor = (at: number) => settingsFor(at, runner.page.file('conductor.yaml'));
    await rollup.start(opNode);
    await rollup.form(conductor);
    const sinceMs = Date.now();
    const deploy = async (at: number): Promise<void> => {
      await rollup.deployConductor(at, conductor(at));
      await rollup.deployOpNode(at, opNode(at));
    };
    await runner.run('canary/choose');
    await deploy(2);
    await runner.run('canary/ready');
    await runner.run('canary/transfer');
    await runner.run('canary/still-leads');
    for (const at of [1, 0]) {
      await deploy(at);
      await rollup.ready(at);
    }
    expect(await rollup.oneLeads()).toBe('sequencer-2');
    expect(await rollup.brokenLaws()).toEqual([]);
    console.log(`canary: longest time between two blocks ${rollup.longestGapSeconds(sinceMs)} s`);
  });
});
