/**
 * `bun bench/main.ts rpc`: the JSON-RPC service beside a real op-conductor (OP_CONDUCTOR_BIN), or alone where
 * there is none: read methods under k6, then commits of blocks from 1 kB to 20 MB. Method: ../METHOD.md.
 */
import { runDirectory } from '../directories.ts';
import { writeResults } from '../results.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { benchCommits } from './commits.ts';
import { benchK6Commits } from './k6-commits.ts';
import { needK6 } from './k6.ts';
import { benchReads } from './reads.ts';

const ROUNDS = { full: 5, quick: 1 };

export async function benchRpc(options: BenchRun): Promise<void> {
  const rounds = amountAt(options, ROUNDS);
  const { sides } = options;
  const k6 = await needK6();
  if ('missing' in k6) console.log(`skipped the reads and commits under k6: ${k6.missing}`);
  const reads = 'path' in k6 ? await benchReads(k6.path, sides, rounds, options) : null;
  const underK6 = 'path' in k6 ? await benchK6Commits(k6.path, runDirectory(), options) : null;
  const commits = await benchCommits(sides, rounds, options);
  const leftOut = 'path' in k6 ? options.leftOut : [...options.leftOut, 'reads were left out, for want of k6'];
  writeResults(
    { ...options, leftOut },
    {
      name: 'rpc',
      method: { rounds, order: 'alternating by round', reads: reads?.method, commits: commits.method },
      results: { reads: reads?.measured ?? [], commitsUnderK6: underK6, commits: commits.measured },
    },
  );
  const missed = [...(reads?.measured ?? []).filter(({ side }) => side === 'bun'), ...(underK6 ?? [])].filter(
    (one) => one.failedThresholds.length > 0,
  );
  if (missed.length > 0) process.exitCode = 1;
}
