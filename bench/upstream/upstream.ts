/**
 * `npm run bench -- upstream`: op-conductor's own tests, and what its later ones demand, against three op-conductors, three
 * of ours, and both together, each on a fresh net with a real op-batcher. Kept is who passed what in how many rounds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchDirectory, runDirectory } from '../directories.ts';
import { needOpStack, type OpStackProgram } from '../op-stack.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { keptBeside } from '../partial.ts';
import { writeResults } from '../results.ts';
import { textTable } from '../../scripts/text-table.ts';
import { cases, clusters, type Case, type Cluster } from './cases.ts';
import { playCase, type Outcome, type Programs } from './play.ts';
import { needTests, type TestProgram } from './programs.ts';

const ROUNDS = { full: 3, quick: 1 };

/** What a cluster made of a test, or of a part of one, over all rounds. */
export interface ResultRow {
  readonly test: string;
  /** Its title. */
  readonly cluster: string;
  readonly at: string;
  readonly commit: string;
  readonly rounds: number;
  readonly passed: number;
  /** Of each round. */
  readonly seconds: readonly number[];
  /** Why it did not pass, once each. */
  readonly messages: readonly string[];
}

export async function benchUpstream(run: BenchRun): Promise<void> {
  const programs = await upstreamPrograms();
  if ('missing' in programs) return console.log(`skipped op-conductor's own tests: ${programs.missing}`);
  const rounds = run.rounds ?? amountAt(run, ROUNDS);
  const before = keptBeside<ResultRow>(run, 'upstream');
  const leftOut = [...run.leftOut, ...(run.matching === null ? [] : [`only what matches ${run.matching}`])];
  const results: ResultRow[] = [];
  for (const cluster of clusters.filter(({ members }) => members.every((side) => run.sides.includes(side)))) {
    for (const one of cases.filter(({ test }) => isWanted(run, `${cluster.id} ${test}`))) {
      const outcomes: Outcome[] = [];
      for (let round = 0; round < rounds; round += 1) outcomes.push(...(await playRound(one, cluster, programs)));
      const commit = run.versions['commit'] ?? 'unknown';
      const rows = rowsOf(one, outcomes).map((row) => ({ ...row, cluster: cluster.title, commit, rounds }));
      results.push(...rows);
      for (const row of rows) console.log(cellsOf(row).join(' | '));
      // After each, so that a run that is cut short has not been for nothing.
      writeResults({ ...run, leftOut }, { name: 'upstream', method: { rounds }, results: inOrder(before, results) });
    }
  }
  console.log(tableOf(results));
}

/** Everything that is run beside conductors, or why it cannot be had. */
export async function upstreamPrograms(): Promise<Programs | { readonly missing: string }> {
  const stack = async (program: OpStackProgram): Promise<string> => pathOf(await needOpStack(program));
  const tests = async (program: TestProgram): Promise<string> => pathOf(await needTests(program));
  try {
    const [geth, opNode] = [await stack('op-geth'), await stack('op-node')];
    return { geth, opNode, tests: { e2e: await tests('e2e'), acceptance: await tests('acceptance') } };
  } catch (error) {
    if (error instanceof MissingError) return { missing: error.message };
    throw error;
  }
}

class MissingError extends Error {
  readonly code = 'MISSING';
}

function pathOf(found: { readonly path: string } | { readonly missing: string }): string {
  if ('missing' in found) throw new MissingError(found.missing);
  return found.path;
}

/** The logs of what did not pass stay in .cache/bench/upstream-logs. */
async function playRound(one: Case, cluster: Cluster, programs: Programs): Promise<readonly Outcome[]> {
  const { outcomes, log } = await playCase(one, cluster, programs, runDirectory());
  if (log !== '') {
    const folder = join(benchDirectory(), 'upstream-logs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${cluster.id}-${one.test}-${Date.now()}.log`), log);
  }
  return outcomes;
}

function rowsOf(
  { test, parts }: Case,
  outcomes: readonly Outcome[],
): Omit<ResultRow, 'cluster' | 'commit' | 'rounds'>[] {
  return (parts.length === 0 ? [test] : parts).map((name) => {
    const own = outcomes.filter((outcome) => outcome.test === name);
    const messages = new Set(own.filter(({ isPassed }) => !isPassed).map(({ message }) => message));
    return {
      ...{ test: name, at: new Date().toISOString() },
      ...{ passed: own.filter(({ isPassed }) => isPassed).length, seconds: own.map(({ seconds }) => seconds) },
      messages: [...messages],
    };
  });
}

function isWanted({ matching }: BenchRun, name: string): boolean {
  return matching === null || new RegExp(matching).test(name);
}

/** In the order of the tables; a row of now counts more than its former self. */
function inOrder(before: readonly ResultRow[], now: readonly ResultRow[]): ResultRow[] {
  const tests = cases.flatMap(({ test, parts }) => (parts.length === 0 ? [test] : parts));
  return tests.flatMap((test) =>
    clusters.flatMap(({ title }) => {
      const isOf = (row: ResultRow): boolean => row.test === test && row.cluster === title;
      return now.find(isOf) ?? before.find(isOf) ?? [];
    }),
  );
}

function tableOf(results: readonly ResultRow[]): string {
  return textTable([['test', 'cluster', 'passed', 'why not'], ...results.map(cellsOf)], () => false).join('\n');
}

function cellsOf({ test, cluster, passed, rounds, messages }: ResultRow): string[] {
  return [test, cluster, `${passed} of ${rounds}`, messages[0] ?? ''];
}
