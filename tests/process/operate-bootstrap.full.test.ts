/**
 * `conductor bootstrap` beside a running sequencer, as the Conductor page has it: the chain must not notice, also
 * when the tool is killed right after the old sequencer was stopped.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Subprocess } from 'bun';
import { expect, test } from 'vitest';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { FailingProxy } from '../cluster/failing-proxy.ts';
import { waitFor } from '../cluster/wait.ts';
import { PageRollup } from '../pages/page-rollup.ts';
import { PageRunner } from '../pages/page-runner.ts';
import { settingsFor } from '../pages/page-settings.ts';

const LONG_MS = 180_000;
const WAIT_MS_MAX = 60_000;

type Tool = Subprocess<'ignore', 'pipe', 'pipe'>;

test(
  'three sequencers become a cluster; no height is missed, and the one that sequenced leads',
  { timeout: LONG_MS },
  async () => {
    await using rollup = new PageRollup();
    const runner = new PageRunner({ proxyUrl: rollup.proxyUrl });
    const common = runner.page.file('conductor.yaml');
    const enabled = (at: number) => settingsFor(at, runner.page.file('op-node.yaml'));
    const paused = runner.page.file('sequencer-0.yaml');
    const first = runner.page.file('sequencer-1.yaml');
    await rollup.start();
    await rollup.sequence(0);
    for (const [at, block] of [
      [1, first],
      [2, paused],
    ] as const) {
      await rollup.deployOpNode(at, enabled(at));
      await rollup.deployConductor(at, settingsFor(at, common, block));
      await rollup.answers(at);
    }
    await using target = new FailingProxy(`127.0.0.1:${rollup.servers[1]?.ports.node}`);
    const file = join(dirname(rollup.servers[0]?.folder ?? ''), 'conductor.toml');
    const rows = rollup.servers.map(
      ({ id, ports }, at) =>
        `[[server]]\nid = "${id}"\nconductor = "http://127.0.0.1:${ports.rpc}"\nconsensus = "127.0.0.1:${ports.raft}"\nnode = "${at === 1 ? target.url : `http://127.0.0.1:${ports.node}`}"\n`,
    );
    writeFileSync(file, rows.join('\n'));
    const start = (): Tool =>
      Bun.spawn([...conductorCommand(), 'bootstrap', '--yes', '--json', '--cluster', file], {
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });

    // Killed when the old sequencer is stopped and the new one was not started: nobody sequences now.
    target.fail('admin_startSequencer', 'lost');
    // One op-node is restarted right before: nobody knows whether it sequences until it answers, which is waited for.
    await rollup.servers[2]?.opNode.end('SIGTERM');
    const killed = start();
    await rollup.deployOpNode(2, enabled(2));
    await waitFor('the start to be lost', WAIT_MS_MAX, () => (target.failed.length > 0 ? true : null));
    killed.kill('SIGKILL');
    await killed.exited;
    expect(await rollup.opNode(0, 'admin_sequencerActive')).toBe(false);

    const again = start();
    const [out] = await Promise.all([
      new Response(again.stdout).text(),
      (async () => {
        await waitFor('sequencer-1 to sequence', WAIT_MS_MAX, async () =>
          (await rollup.opNode(1, 'admin_sequencerActive')) === true ? true : null,
        );
        await rollup.deployOpNode(0, enabled(0));
        await rollup.deployConductor(0, settingsFor(0, common, paused));
      })(),
    ]);
    expect(await again.exited, out).toBe(0);
    expect(await rollup.oneLeads()).toBe('sequencer-0');
    expect(await rollup.opNode(0, 'admin_sequencerActive')).toBe(true);
    expect(await rollup.brokenLaws()).toEqual([]);
  },
);
