/**
 * `npm run bench -- disagreement`: for how long a chain of real op-nodes and op-geths stands when log and nodes disagree,
 * and whether any published block is moved; ours with and without the engine API, beside op-conductor's and op-conductor
 * alone. Skipped, with the reason, where the programs of the OP Stack can neither be found nor built.
 */
import { join, relative } from 'node:path';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { benchDirectory } from '../directories.ts';
import { needOpStack } from '../op-stack.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { keptBeside, leftOutOf, merged } from '../partial.ts';
import { writeResults } from '../results.ts';
import { clusters, type Cluster, type ClusterName } from './clusters.ts';
import { Rounds, type Programs, type Sample } from './rounds.ts';
import { rows, type Limit } from './rows.ts';
import { isWithin, tableOf, told, type ResultRow } from './verdict.ts';

/** Logs of rounds that fell short are kept here, under .cache/bench. */
const LOGS = 'disagreement-logs';
const SLOT_MS = 1000;

export async function benchDisagreement(run: BenchRun): Promise<void> {
  const [geth, opNode] = [await needOpStack('op-geth'), await needOpStack('op-node')];
  if ('missing' in geth) return console.log(`skipped the real net: ${geth.missing}`);
  if ('missing' in opNode) return console.log(`skipped the real net: ${opNode.missing}`);
  const random = Seeded.announced('disagreement');
  const programs = { geth: geth.path, opNode: opNode.path };
  const results: ResultRow[] = [];
  for (const name of Object.keys(clusters) as ClusterName[]) {
    if (run.sides.every((side) => !clusters[name].members.includes(side))) continue;
    if (!run.sides.includes('go') && clusters[name].members.includes('go')) continue;
    results.push(...(await playCluster(name, { run, programs, random })));
  }
  console.log(tableOf(results));
  const leftOut = leftOutOf(run, { one: 'row', many: 'rows' });
  const method = { seed: random.seed, slotMs: SLOT_MS };
  // Whatever is told of a part is of few rounds.
  const effort = run.matching === null && run.rounds === null ? run.effort : 0;
  // What is no row any more, or of no such cluster, is not kept beside what is.
  const isRow = ({ row, cluster }: ResultRow): boolean =>
    rows.some(({ title, on }) => title === row && on[cluster] !== undefined);
  const before = keptBeside<ResultRow>(run, 'disagreement').filter(isRow);
  const all = merged(before, results, ({ row, cluster }) => `${cluster} ${row}`);
  writeResults({ ...run, effort, leftOut }, { name: 'disagreement', method, results: all });
}

interface Setting {
  readonly run: BenchRun;
  readonly programs: Programs;
  readonly random: Seeded;
}

/** All rows of a cluster, on one net as long as it survives. */
async function playCluster(name: ClusterName, { run, programs, random }: Setting): Promise<ResultRow[]> {
  const cluster: Cluster = clusters[name];
  const results: ResultRow[] = [];
  await using rounds = new Rounds(cluster, programs, random);
  for (const row of rows) {
    const limit = row.on[name];
    if (limit === undefined || !isWanted(run, `${row.title}, ${cluster.title}`)) continue;
    const samples: Sample[] = [];
    const count = run.rounds ?? amountAt(run, { full: limit.rounds, quick: 1 });
    for (let round = 0; round < Math.min(count, limit.rounds); round += 1) {
      const logs = join(benchDirectory(), LOGS, `${name}-${rows.indexOf(row)}-${round}`);
      const sample = await rounds.play(row, (played) => (isWorthLogs(played, limit) ? logs : null));
      samples.push(sample);
      const where = isWorthLogs(sample, limit) ? `; logs in ${relative('.', logs)}` : '';
      console.log(`${row.title}, ${cluster.title}: ${told(sample)}${where}`);
    }
    const commit = run.versions['commit'] ?? 'unknown';
    const at = new Date().toISOString();
    results.push({ row: row.title, cluster: name, measure: row.measure, limit, at, commit, samples });
  }
  return results;
}

function isWorthLogs(sample: Sample, limit: Limit): boolean {
  return !sample.recovers || !isWithin(sample, limit);
}

function isWanted({ matching }: BenchRun, title: string): boolean {
  return matching === null || new RegExp(matching).test(title);
}
