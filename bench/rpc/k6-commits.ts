/** Commits under k6 with thresholds, on our side alone: a check that what the raw client measures holds for an ordinary one. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { BlockMaker } from './blocks.ts';
import { Conductors } from './conductors.ts';
import { runK6 } from './k6.ts';
import { amountAt, type BenchOptions } from '../options.ts';

/** Thresholds a machine of two cores that does something else as well still holds. */
const CELLS = [
  { bytes: 1_000, blocks: 1000, rateMin: 50, p99MsMax: 250 },
  { bytes: 100_000, blocks: 200, rateMin: 10, p99MsMax: 500 },
  { bytes: 1_000_000, blocks: 30, rateMin: 2, p99MsMax: 2000 },
];
const NODES = 3;
const QUICK_SHARE = 10;

export interface K6CommitMeasured {
  readonly bytes: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failedThresholds: readonly string[];
}

export async function benchK6Commits(
  k6: string,
  directory: string,
  options: Pick<BenchOptions, 'effort'>,
): Promise<K6CommitMeasured[]> {
  const maker = new BlockMaker(Seeded.announced('commits under k6'));
  const measured: K6CommitMeasured[] = [];
  await using cluster = await Conductors.start({ side: 'bun', count: NODES, parent: directory });
  for (const { bytes, blocks, rateMin, p99MsMax } of CELLS) {
    const count = amountAt(options, { full: blocks, quick: Math.ceil(blocks / QUICK_SHARE) });
    const bodiesPath = join(directory, `bodies-${process.pid}.txt`);
    writeFileSync(bodiesPath, Array.from({ length: count }, () => maker.next(bytes).body).join('\n'));
    const settings = {
      RPC_URL: `http://127.0.0.1:${cluster.leader.rpcPort}/`,
      BODIES_PATH: bodiesPath,
      RATE_MIN: String(rateMin),
      P99_MS_MAX: String(p99MsMax),
    };
    const { summary, failedThresholds } = await runK6(k6, 'commits.ts', settings, directory);
    rmSync(bodiesPath);
    const perSecond = summary.metrics['iterations']?.values['rate'] ?? 0;
    const { med: p50Ms = Number.NaN, 'p(99)': p99Ms = Number.NaN } = summary.metrics['http_req_duration']?.values ?? {};
    measured.push({ bytes, perSecond, p50Ms, p99Ms, failedThresholds });
    const missed = failedThresholds.length > 0 ? `, MISSED: ${failedThresholds.join(', ')}` : ', thresholds held';
    console.log(
      `k6, ${bytes / 1000} kB commits: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${missed}`,
    );
  }
  return measured;
}
