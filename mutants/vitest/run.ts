/**
 * Puts mutants into the code, one at a time, and says which of them their test does not notice. Nothing on disk
 * changes: each mutant is a Vitest project of its own that loads some files differently.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_FILE, OUTCOME_FILE, type BatchMutant, type TestedMutant, type TestOutcome } from './batch.ts';
import type { Mutant } from '../mutant.ts';
import { titlePattern } from './title.ts';

const root = join(import.meta.dirname, '..', '..');
/** Mutants in one Vitest process. */
const batchSize = 50;
/** Longest run of a batch, milliseconds: a mutant may hang. */
const batchDeadlineMs = 540_000;

/** Why each mutant of a batch is not caught by its test, in the order of the batch; null for one that is. */
export async function complaints(mutants: readonly TestedMutant[]): Promise<(string | null)[]> {
  const batch = mutants.map((tested, at): BatchMutant => ({ ...tested, key: `mutant-${at}` }));
  const outcomes = await outcomesOf(batch);
  return batch.map((mutant) => complaintAbout(mutant, outcomes));
}

/** Those of the mutants that tests have to catch, once for each of these tests. */
export function testedMutants(mutants: readonly Mutant[]): TestedMutant[] {
  return mutants.flatMap((mutant) =>
    mutant.caughtBy.flatMap((catcher) => (catcher.by === 'test' ? [{ mutant, test: catcher }] : [])),
  );
}

/** Mutants of one test file side by side, so that a batch loads few files. */
export function batches(mutants: readonly TestedMutant[]): TestedMutant[][] {
  const sorted = mutants.toSorted((left, right) => left.test.file.localeCompare(right.test.file));
  return Array.from({ length: Math.ceil(sorted.length / batchSize) }, (_, at) =>
    sorted.slice(at * batchSize, (at + 1) * batchSize),
  );
}

function complaintAbout({ key, test }: BatchMutant, outcomes: readonly TestOutcome[]): string | null {
  const title = new RegExp(`(^| > | )${titlePattern(test.title)}$`);
  const states = (project: string): string[] =>
    outcomes
      .filter((one) => one.project === project && one.file === test.file && title.test(one.name))
      .map(({ state }) => state)
      .filter((state) => state !== 'skipped');
  const before = states('as-it-is');
  if (before.length === 0) return 'there is no such test';
  if (before.some((state) => state !== 'passed')) return 'the test fails without the mutant too';
  const after = states(key);
  if (after.length === 0) return 'the mutant cannot be loaded';
  return after.includes('failed') ? null : 'the test does not notice';
}

async function outcomesOf(mutants: readonly BatchMutant[]): Promise<TestOutcome[]> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'mutants-'));
  try {
    const outcomeFile = join(folder, 'outcome.json');
    const batchFile = join(folder, 'batch.json');
    writeFileSync(batchFile, JSON.stringify({ mutants }));
    const output = await runVitest({ ...process.env, [BATCH_FILE]: batchFile, [OUTCOME_FILE]: outcomeFile });
    try {
      return JSON.parse(readFileSync(outcomeFile, 'utf8')) as TestOutcome[];
    } catch {
      throw new Error(`the test run of the mutants broke off:\n${output.slice(-4000)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Vitest over the batch and returns what it printed; its exit code means nothing, failures are wanted. */
function runVitest(env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['--bun', 'node_modules/.bin/vitest', 'run', '--config', 'mutants/vitest/vitest.config.ts'];
  const child = spawn(process.execPath, [...args, '--reporter=./mutants/vitest/reporter.ts'], { cwd: root, env });
  const timer = setTimeout(() => child.kill('SIGKILL'), batchDeadlineMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}
