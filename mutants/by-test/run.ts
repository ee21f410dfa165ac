/**
 * Takes laws out of the code, one at a time, and says which of them no test defends. Nothing on disk
 * changes: each mutant is a Vitest project of its own that loads one file differently.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_FILE, OUTCOME_FILE, type BatchMutant, type TestOutcome } from './batch.ts';
import { titlePattern, type Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '..', '..');
/** Longest run of a batch, milliseconds: a mutant may hang. */
const batchDeadlineMs = 300_000;

/** Runs a batch; returns a sentence for each mutant that its test let live, or whose test fails anyway. */
export async function survivors(mutants: readonly Mutant[]): Promise<string[]> {
  const batch = mutants.map((mutant, at): BatchMutant => ({ ...mutant, key: `mutant-${at}` }));
  const outcomes = await outcomesOf(batch);
  return batch.flatMap((mutant) => {
    const complaint = complaintAbout(mutant, outcomes);
    return complaint === null ? [] : [`${mutant.id}: ${mutant.law} (${mutant.file}) ${complaint}: ${mutant.testName}`];
  });
}

function complaintAbout(mutant: BatchMutant, outcomes: readonly TestOutcome[]): string | null {
  const title = new RegExp(`(^| > | )${titlePattern(mutant.testName)}$`);
  const states = (project: string): string[] =>
    outcomes
      .filter((one) => one.project === project && mutant.tests.includes(one.file) && title.test(one.name))
      .map(({ state }) => state)
      .filter((state) => state !== 'skipped');
  const before = states('as-it-is');
  if (before.length === 0) return 'there is no such test';
  if (before.some((state) => state !== 'passed')) return 'the test fails without the mutant too';
  const after = states(mutant.key);
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
  const args = ['--bun', 'node_modules/.bin/vitest', 'run', '--config', 'mutants/by-test/vitest.config.ts'];
  const child = spawn(process.execPath, [...args, '--reporter=./mutants/by-test/reporter.ts'], { cwd: root, env });
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
