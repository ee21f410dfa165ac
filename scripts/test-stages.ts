/**
 * The stages of `npm test`, in order: cheap checks of the text first, then the tests, and those that
 * start processes last, because they measure time.
 */
import { readdirSync, statSync } from 'node:fs';
import { testBinaries } from './build-for-tests.ts';

export interface Stage {
  /** For `--only=` and file names. */
  readonly name: string;
  readonly heading: string;
  /** Command lines without Bun itself; all run, and the stage fails when one does. */
  readonly commands: readonly (readonly string[])[];
  /**
   * The command line that runs a few test files of the stage, by path from the root. Only Vitest has it, which reports
   * tests one by one; any other stage counts as one check.
   */
  readonly runFiles?: (files: readonly string[]) => readonly string[];
  /** Variables of its own; those of the caller win. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface StageSelection {
  readonly root: string;
  /** Run only tests in files of recorded data. */
  readonly vectorsOnly: boolean;
  /** Names of stages; empty for all. */
  readonly only: readonly string[];
  /** Parts of test file paths; with any, only tests run. */
  readonly filters: readonly string[];
}

const VECTORS_SUFFIX = '.vectors.test.ts';

/** The stages a selection asks for. Unknown names in `only` select nothing. */
export function selectStages(selection: StageSelection): Stage[] {
  const { vectorsOnly, only, filters } = selection;
  const testFilters = vectorsOnly && filters.length === 0 ? [VECTORS_SUFFIX] : filters;
  const tests = testStages(testFilters);
  const stages = testFilters.length > 0 ? tests : [...staticStages(selection.root), ...tests];
  return only.length === 0 ? stages : stages.filter((stage) => only.includes(stage.name));
}

/** Why the tests of recorded data could not read the folder that VECTORS_DIR names; null when they can, or it is unset. */
export function vectorsComplaint(folder: string | undefined): string | null {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  return `VECTORS_DIR names ${folder === '' ? 'nothing' : folder}, which is no folder: name one with recorded data, or unset it for our own.`;
}

function staticStages(root: string): Stage[] {
  const projects = readdirSync(root).filter(
    (name) => /^tsconfig(\.[a-z]+)?\.json$/.test(name) && !name.includes('.base.'),
  );
  const check = (name: string, heading: string, ...commands: string[][]): Stage => ({
    name,
    heading,
    commands: commands.map((command) => ['--bun', ...command]),
  });
  return [
    check('format', 'Format (oxfmt)', ['node_modules/.bin/oxfmt', '--check']),
    check('lint', 'Lint (oxlint)', ['node_modules/.bin/oxlint']),
    check('types', 'Types (tsc)', ...projects.toSorted().map((project) => ['node_modules/.bin/tsc', '-p', project])),
    check('unused', 'Unused code (knip)', ['node_modules/.bin/knip', '--no-progress']),
    // As `npm run docs:build` does: the build is over before the last tier of the JIT repays its compiling.
    { ...check('site', 'Site build', ['site/engine/main.ts']), env: { BUN_JSC_useFTLJIT: '0' } },
  ];
}

function testStages(filters: readonly string[]): Stage[] {
  const options = ['--passWithNoTests', '--reporter=default', '--reporter=./scripts/tally-reporter.ts'];
  const stage = (name: string, heading: string, projects: readonly string[], more: Partial<Stage> = {}): Stage => {
    const named = projects.flatMap((project) => ['--project', project]);
    const runFiles = (parts: readonly string[]) => {
      return ['--bun', 'node_modules/.bin/vitest', 'run', ...named, ...options, ...parts];
    };
    return { name, heading, ...more, commands: [...(more.commands ?? []), runFiles(filters)], runFiles };
  };
  return [
    stage('unit', 'Tests', ['unit', 'isolated']),
    stage('browser', 'Tests of the built site, in Chromium and on the edge', ['browser']),
    stage(
      'process',
      'Process tests with the compiled binary, those that measure one file at a time',
      ['beside', 'process'],
      { commands: [['scripts/build-for-tests.ts']], env: testBinaries },
    ),
  ];
}
