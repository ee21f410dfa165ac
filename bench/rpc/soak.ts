/**
 * `npm run bench -- soak`: ten minutes of a whole service of ours under k6, with blocks, reads and subscribers, while
 * the memory of every node is sampled; at the end, how late the loops' timers came.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { median } from '../statistics.ts';
import { BlockMaker } from './blocks.ts';
import type { Conductors } from './conductors.ts';
import { webSocketUrl } from './fan-out.ts';
import { FlashblocksSource } from './flashblocks-source.ts';
import { benchScript, valueOf, type ScriptMeasured } from './k6-script-rounds.ts';
import { runK6 } from './k6.ts';
import { histogramOf, quantileBetween } from './metrics-histogram.ts';

const SECONDS = { full: 600, quick: 12 };
const BLOCK_BYTES = 100_000;
const FLASHBLOCK_MS = 250;
const SUBSCRIBERS = 20;
const SAMPLE_MS = 2000;
const LAG = 'loop_lag_seconds';

export async function benchSoak(options: BenchRun): Promise<void> {
  const random = Seeded.announced('soak');
  const seconds = amountAt(options, SECONDS);
  const source = new FlashblocksSource(FLASHBLOCK_MS);
  try {
    await benchScript(options, {
      name: 'soak',
      rounds: 1,
      sides: options.sides.filter((side) => side === 'bun'),
      method: { seed: random.seed, seconds, blockBytes: BLOCK_BYTES, subscribers: SUBSCRIBERS, sampleMs: SAMPLE_MS },
      flagsOf: () => [`--rollupboost.ws-url=${source.url}`],
      play: (cluster, k6) => playOnce(cluster, k6, new BlockMaker(random), seconds),
    });
  } finally {
    await source.stop();
  }
}

async function playOnce(
  cluster: Conductors,
  k6: string,
  maker: BlockMaker,
  seconds: number,
): Promise<Omit<ScriptMeasured, 'side' | 'round'>> {
  const { nodes, leader } = cluster;
  const bodiesPath = join(runDirectory(), `bodies-${process.pid}.txt`);
  // One more than are offered: the rate begins at once.
  const bodies = Array.from({ length: seconds + 1 }, () => maker.next(BLOCK_BYTES).body);
  writeFileSync(bodiesPath, bodies.join('\n'));
  const settings = {
    URLS: nodes.map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}/`).join(','),
    WS_URL: webSocketUrl(leader),
    WS_CLIENTS: String(SUBSCRIBERS),
    BODIES_PATH: bodiesPath,
    SECONDS: String(seconds),
  };
  const residentMb: number[][] = nodes.map(() => []);
  const sample = setInterval(() => nodes.forEach((node, at) => residentMb[at]?.push(node.residentMb())), SAMPLE_MS);
  const before = await Promise.all(nodes.map(({ metricsPort }) => histogramOf(metricsPort, LAG)));
  const cpuBefore = nodes.map((node) => node.cpuMs());
  try {
    const run = await runK6(k6, 'soak.ts', settings, runDirectory());
    const after = await Promise.all(nodes.map(({ metricsPort }) => histogramOf(metricsPort, LAG)));
    const lags = nodes.map((_, at) => quantileBetween(before[at] ?? [], after[at] ?? [], 0.99));
    const values = {
      residentMbMax: Math.max(...residentMb.flat()),
      growth: Math.max(...residentMb.map(growthOf)),
      lagP99Ms: Math.max(...lags) * 1000,
      leaderPercent: (leader.cpuMs() - (cpuBefore[0] ?? 0)) / (seconds * 10),
      commitP99Ms: valueOf(run, 'http_req_duration{scenario:commits}', 'p(99)'),
      readP99Ms: valueOf(run, 'http_req_duration{scenario:reads}', 'p(99)'),
      commits: valueOf(run, 'http_req_duration{scenario:commits}', 'count'),
    };
    return { failedThresholds: run.failedThresholds, values };
  } finally {
    clearInterval(sample);
    rmSync(bodiesPath, { force: true });
  }
}

/** Median of the last third by that of the middle one: the first is still warming up. */
function growthOf(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  return median(samples.slice(-third)) / median(samples.slice(third, 2 * third));
}
