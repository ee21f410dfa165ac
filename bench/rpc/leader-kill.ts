/**
 * `npm run bench -- leader-kill`: mixed load by k6 while the leader is killed with −9. Reads at the survivors must not
 * fail; the longest time between two commits says how long the service stood still.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Seeded } from '../../tests/cluster/seeded.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { pause } from '../../tests/cluster/wait.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { BlockMaker } from './blocks.ts';
import { commitAll } from './commit-load.ts';
import { benchScript, valueOf, type ScriptMeasured } from './k6-script-rounds.ts';
import { runK6 } from './k6.ts';
import type { Conductors } from './conductors.ts';

const ROUNDS = { full: 5, quick: 1 };
const SECONDS = { full: 12, quick: 9 };
/** After the start of k6, which itself needs a second. */
const KILL_AFTER_MS = 4000;
const BLOCK_BYTES = 2000;
/** More than can be committed with pauses of 10 ms between them. */
const BLOCKS_PER_SECOND = 100;
/** Code is compiled while it runs; both sides get this before. */
const WARM_UP_BLOCKS = 200;
/** Ours detects the closed connection; op-conductor waits for its timeouts of one to two seconds. */
const GAP_MS_MAX: Readonly<Record<Implementation, number>> = { bun: 1000, go: 10_000 };

export async function benchLeaderKill(options: BenchRun): Promise<void> {
  const random = Seeded.announced('leader-kill');
  const seconds = amountAt(options, SECONDS);
  await benchScript(options, {
    name: 'leader-kill',
    rounds: amountAt(options, ROUNDS),
    sides: options.sides,
    method: { seed: random.seed, seconds, killAfterMs: KILL_AFTER_MS, blockBytes: BLOCK_BYTES },
    play: (cluster, k6, side) => playOnce(cluster, k6, { random, seconds, gapMsMax: GAP_MS_MAX[side] }),
  });
}

async function playOnce(
  cluster: Conductors,
  k6: string,
  { random, seconds, gapMsMax }: { readonly random: Seeded; readonly seconds: number; readonly gapMsMax: number },
): Promise<Omit<ScriptMeasured, 'side' | 'round'>> {
  const maker = new BlockMaker(random);
  await commitAll(cluster, maker.prepare({ bytes: BLOCK_BYTES, blocks: WARM_UP_BLOCKS }), 1);
  const bodiesPath = join(runDirectory(), `bodies-${process.pid}.txt`);
  const blocks = Array.from({ length: seconds * BLOCKS_PER_SECOND }, () => maker.next(BLOCK_BYTES).body);
  writeFileSync(bodiesPath, blocks.join('\n'));
  const settings = {
    URLS: cluster.nodes.map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}/`).join(','),
    BODIES_PATH: bodiesPath,
    SECONDS: String(seconds),
    GAP_MS_MAX: String(gapMsMax),
  };
  const running = runK6(k6, 'leader-kill.ts', settings, runDirectory());
  try {
    await pause(KILL_AFTER_MS + random.between(0, 1000));
    await cluster.leader.kill();
    const run = await running;
    const gapMs = valueOf(run, 'commit_gap', 'max');
    const values = {
      gapMs,
      commits: valueOf(run, 'commit_gap', 'count'),
      readP99Ms: valueOf(run, 'http_req_duration{scenario:reads}', 'p(99)'),
    };
    return { failedThresholds: run.failedThresholds, values };
  } finally {
    await running.catch(() => undefined);
    rmSync(bodiesPath, { force: true });
  }
}
