/**
 * `conductor bluegreen` when the op-node that was just told to sequence freezes: blocks go on at the one that sequenced
 * before, and at no moment can both build.
 */
import type { Subprocess } from 'bun';
import { expect, test } from 'vitest';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';
import { RollupByHand } from './rollup-by-hand.ts';

const LONG_MS = 180_000;
const WAIT_MS_MAX = 60_000;
/** How long the old one is seen not to start while the new one is frozen, milliseconds. */
const FROZEN_MS = 6000;

test(
  'an op-node that freezes once it was told to start is stopped, or gone, before the old one goes on',
  { timeout: LONG_MS },
  async () => {
    await using byHand = await RollupByHand.start();
    const { rollup, file } = byHand;
    const isActive = async (server: number): Promise<boolean> =>
      (await rollup.opNode(server, 'admin_sequencerActive')) === true;
    const target = rollup.servers[1]?.opNode;
    if (target === undefined) throw new RangeError('three op-nodes');

    for (const end of ['thaws', 'is killed'] as const) {
      const running: Subprocess<'ignore', 'pipe', 'pipe'> = Bun.spawn(
        [...conductorCommand(), 'bluegreen', 'sequencer-1', '--fresh', '--yes', '--timeout', '20', '--cluster', file],
        { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
      );
      await waitFor('the new one to sequence', WAIT_MS_MAX, async () => ((await isActive(1)) ? true : null));
      process.kill(target.pid, 'SIGSTOP');
      let out = '';
      const decoder = new TextDecoder();
      const read = (async () => {
        for await (const chunk of running.stdout) out += decoder.decode(chunk, { stream: true });
      })();
      await waitFor('the tool to wait for it', WAIT_MS_MAX, () => {
        if (out.includes('sequencer-1 was told to sequence and does not say that it has stopped')) return true;
        throw new Error(out);
      });
      const frozenMs = performance.now();
      while (performance.now() - frozenMs < FROZEN_MS) expect(await isActive(0)).toBe(false);
      if (end === 'thaws') process.kill(target.pid, 'SIGCONT');
      else await target.kill();
      expect(await running.exited, out).toBe(4);
      await read;
      expect(out).toMatch(/undone: (start sequencing on sequencer-0 again|move sequencing back from sequencer-1)/u);
      expect(await isActive(0)).toBe(true);
      if (end === 'is killed') await rollup.deployOpNode(1);
      expect(await isActive(1)).toBe(false);
      expect(await rollup.brokenLaws()).toEqual([]);
    }
  },
);
