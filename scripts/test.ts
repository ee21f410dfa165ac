/**
 * `npm test`: runs every stage, also after one has failed, and ends with the line
 * `N passed, N failed, N skipped` over all of them. A few test files that fail get a second try. Options: --full (also *.full.test.ts),
 * --vectors (only *.vectors.test.ts), --only=stage,…, --help, and parts of test file paths.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endGroupOnSignals, runGroup } from './process-group.ts';
import { withSecondTry } from './second-try.ts';
import { addTallies, describeTally, parseTally, type Tally } from './tally.ts';
import { selectStages, vectorsComplaint, type Stage } from './test-stages.ts';

const USAGE = `npm test -- [--only=STAGE,…] [WORD …]
  WORD     only the tests whose path contains one of the words
  --only   only these stages: format, lint, types, unused, site, unit, browser, process
npm run test:full and npm run vectors take the same.`;

const root = join(import.meta.dirname, '..');
const tallyFolder = join(root, '.cache', 'test');
const PASSED: Tally = { passed: 1, failed: 0, skipped: [], failedFiles: [], flaky: [] };
const FAILED: Tally = { ...PASSED, passed: 0, failed: 1 };

process.exitCode = await main();

async function main(): Promise<number> {
  const given = readOptions();
  if (given === null) return 2;
  const { values, positionals } = given;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const only = values.only === '' ? [] : values.only.split(',');
  const stages = selectStages({ root, vectorsOnly: values.vectors, only, filters: positionals });
  const unknown = only.filter((name) => stages.every((stage) => stage.name !== name));
  if (unknown.length > 0) {
    const why = positionals.length > 0 ? ', or none that goes by words' : '';
    console.error(`No stage is called ${unknown.join(', ')}${why}.\n${USAGE}`);
    return 2;
  }
  const complaint = vectorsComplaint(process.env['VECTORS_DIR']);
  if (complaint !== null) {
    console.error(`${complaint}\n${describeTally(FAILED)}`);
    return 1;
  }
  endGroupOnSignals();
  mkdirSync(tallyFolder, { recursive: true });
  const env = { ...process.env, ...(values.full ? { CONDUCTOR_TEST_FULL: '1' } : {}) };
  const tallies: Tally[] = [];
  for (const stage of stages) {
    console.log(`\n== ${stage.heading}`);
    tallies.push(await runStage(stage, env));
  }
  const total = addTallies(tallies);
  const isEmpty = total.passed + total.failed + total.skipped.length === 0;
  if (isEmpty) console.error('No test matches.');
  console.log(`\n${describeTally(total)}`);
  return total.failed > 0 || isEmpty ? 1 : 0;
}

/** What the command line asks for; null where it cannot be read, of which it tells. */
function readOptions() {
  try {
    return parseArgs({
      options: {
        full: { type: 'boolean', default: false },
        vectors: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return null;
  }
}

async function runStage(stage: Stage, env: NodeJS.ProcessEnv): Promise<Tally> {
  const startedMs = performance.now();
  const tally = stage.runFiles === undefined ? await runChecks(stage, env) : await runTests(stage, env, stage.runFiles);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${tally.failed === 0 ? 'ok' : 'FAILED'}: ${stage.heading}, ${seconds} s`);
  return tally;
}

async function runChecks(stage: Stage, env: NodeJS.ProcessEnv): Promise<Tally> {
  return (await runCommands(stage.commands, { ...stage.env, ...env })) === 0 ? PASSED : FAILED;
}

async function runTests(
  stage: Stage,
  env: NodeJS.ProcessEnv,
  runFiles: NonNullable<Stage['runFiles']>,
): Promise<Tally> {
  const tallyFile = join(tallyFolder, `${stage.name}.json`);
  const run = async (commands: Stage['commands']): Promise<Tally> => {
    rmSync(tallyFile, { force: true });
    const code = await runCommands(commands, { ...stage.env, ...env, CONDUCTOR_TALLY_FILE: tallyFile });
    return readTally(tallyFile, code);
  };
  return withSecondTry(await run(stage.commands), ({ file }) => {
    console.log(`\n== Once more, alone: ${file}`);
    // The whole path, or a file whose path ends with this one would run as well.
    return run([runFiles([join(root, file)])]);
  });
}

/** Runs all, also after one has failed; the last exit code that is not 0, or 0. */
async function runCommands(commands: Stage['commands'], env: NodeJS.ProcessEnv): Promise<number> {
  let code = 0;
  for (const command of commands) code = (await runGroup(process.execPath, command, { cwd: root, env })) || code;
  return code;
}

/** A test run that broke off, or failed in a way no test accounts for, is one failure more. */
function readTally(file: string, code: number): Tally {
  let tally: Tally | null;
  try {
    tally = parseTally(readFileSync(file, 'utf8'));
  } catch {
    tally = null;
  }
  if (tally === null) return FAILED;
  return code !== 0 && tally.failed === 0 ? addTallies([tally, FAILED]) : tally;
}
