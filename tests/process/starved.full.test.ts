/**
 * Three conductors as processes while every core of the machine is kept busy by others, from before they form a cluster:
 * leadership stays where it is. op-conductor beside it, in the same conditions, where OP_CONDUCTOR_BIN names one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conductorCommand, Conductors } from '../../bench/rpc/conductors.ts';
import type { Implementation } from '../cluster/node-process.ts';
import { pause } from '../cluster/wait.ts';

const BUSY_MS = Number(process.env['STARVED_SECONDS'] ?? '60') * 1000;
const LOOPS_PER_CORE = 2;
const LOOK_EVERY_MS = 100;

/** Busy loops, two for each core; they end with the test. */
function keepBusy(): Disposable & { readonly loops: number } {
  const loops: ChildProcess[] = Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  const end = (): void => void loops.forEach((loop) => loop.kill('SIGKILL'));
  process.once('exit', end);
  return {
    loops: loops.length,
    [Symbol.dispose]: () => {
      process.off('exit', end);
      end();
    },
  };
}

/** Who says that it leads, looked at all the time for so long: each change is an element, '' stands for nobody. */
async function leadersSeen(cluster: Conductors, forMs: number): Promise<string[]> {
  const seen: string[] = [];
  const deadlineMs = performance.now() + forMs;
  for (; performance.now() < deadlineMs; await pause(LOOK_EVERY_MS)) {
    const answers = await Promise.all(
      cluster.nodes.map(async (node) => ((await node.call('conductor_leader')) === true ? [node.id] : [])),
    );
    const leaders = answers.flat().join(' and ');
    if (seen.at(-1) !== leaders) seen.push(leaders);
  }
  return seen;
}

/** Forms a cluster of that side on the busy machine, and looks at it; null where there is no such program. */
async function watch(side: Implementation): Promise<{ readonly seen: string[]; readonly firstId: string } | null> {
  if ('missing' in conductorCommand(side)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'starved-'));
  using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  using busy = keepBusy();
  await using cluster = await Conductors.start({ side, count: 3, parent: folder });
  const seen = await leadersSeen(cluster, BUSY_MS);
  const beside = `${BUSY_MS / 1000} s beside ${busy.loops} busy loops`;
  console.log(`${side}: ${seen.length - 1} changes of leadership in ${beside}: ${seen.join(', ')}`);
  return { seen, firstId: cluster.leader.id };
}

test(
  'with all cores busy the first leader leads all the time; op-conductor is counted beside it',
  { timeout: 2 * (BUSY_MS + 120_000) },
  async () => {
    const ours = await watch('bun');
    await watch('go');
    expect(ours?.seen).toEqual([ours?.firstId]);
  },
);
