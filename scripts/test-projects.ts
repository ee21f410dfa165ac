/**
 * The tests' part of vite.config.ts. Five projects: `unit` runs files side by side in threads (`bun --bun vitest` cannot
 * fork), and files of one thread share its modules, which are loaded and compiled once; `isolated` has the files that
 * cannot share them; `browser` runs files side by side with what builds and shows the site, after all units; then `beside`
 * has the files that start processes and mostly wait for them; `process` starts processes and measures time, so its files
 * run one at a time and last.
 * `*.full.test.ts` is left to `npm run test:full`, which sets CONDUCTOR_TEST_FULL=1.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, type ViteUserConfig } from 'vitest/config';
import { LongFilesFirst } from './long-files-first.ts';

const root = join(import.meta.dirname, '..');
const runsEverything = process.env['CONDUCTOR_TEST_FULL'] === '1';
const globalSetup = runsEverything ? ['bench/released-programs.ts'] : [];
const exclude = [
  ...configDefaults.exclude,
  '**/.tools/**',
  '**/.cache/**',
  ...(runsEverything ? [] : ['**/*.full.test.ts']),
];
const sources = ['conductor', 'simulator', 'mutants', 'site', 'bench', 'infra', 'scripts', 'tests'];
const startsProcesses = [
  'tests/process/**/*.test.ts',
  'tests/mixed/**/*.test.ts',
  'tests/browser/**/*.test.ts',
  'mutants/vitest/*.full.test.ts',
  'infra/**/*.full.test.ts',
  '**/*.process.test.ts',
];

/** What shows the built site in Chromium and on the edge; Lighthouse, which measures time, is in tests/process. */
const showsTheSite = ['tests/browser/**/*.test.ts', 'site/**/*.process.test.ts'];

/**
 * What starts processes and bears neighbours: it measures neither time nor memory, and no slow answer costs it a leader
 * that it counts on. What is not named here runs alone.
 */
const bearsNeighbours = [
  'tests/process/beside/**/*.test.ts',
  'tests/pages/*.process.test.ts',
  'infra/**/*.process.test.ts',
  'scripts/*.process.test.ts',
  '{simulator,mutants}/**/*.process.test.ts',
  'conductor/adapters/system/*.process.test.ts',
  'bench/main.process.test.ts',
];

/**
 * `vi` replaces modules that are not loaded yet, and clocks and globals of all; the runtime may keep what it once read from
 * the environment; memory is measured of a whole thread, or process.
 */
const needsItsOwn = new RegExp(
  [
    String.raw`\bvi\.(do)?([mM]ock|spyOn|stub|useFakeTimers)`,
    String.raw`\bprocess\.env(\.\w+|\[[^\]]+\]) (\+|\?\?)?= `,
    String.raw`\b(delete |assign\()process\.env\b`,
    String.raw`\b(heapStats|memoryUsage|Bun\.gc)\b`,
  ].join('|'),
);

/** What cannot share modules and a thread with other files; the two named have the inspector and sockets to themselves. */
const isolatedFiles = [
  'conductor/adapters/profiling/profile-server.test.ts',
  'conductor/devnet/port-check.test.ts',
  ...sources
    .flatMap((folder) => globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root }))
    .filter((file) => needsItsOwn.test(readFileSync(join(root, file), 'utf8'))),
];

/** Files at once that wait for processes most of the time; each has a share of the ports (tests/cluster/free-ports.ts). */
const WAITING_FILES_MAX = 4;

export const testProjects: NonNullable<ViteUserConfig['test']> = {
  pool: 'threads',
  allowOnly: false,
  // Both cores of a small machine: Vitest would leave one to itself.
  maxWorkers: '100%',
  sequence: { sequencer: LongFilesFirst },
  projects: [
    {
      extends: true,
      test: {
        name: 'unit',
        include: sources.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
        exclude: [...exclude, ...startsProcesses, ...isolatedFiles],
        isolate: false,
        // A machine that does much else is slow, not wrong.
        testTimeout: 30_000,
        sequence: { groupOrder: 0 },
      },
    },
    {
      extends: true,
      test: {
        name: 'isolated',
        include: isolatedFiles,
        exclude: [...exclude, ...startsProcesses],
        testTimeout: 30_000,
        sequence: { groupOrder: 0 },
      },
    },
    {
      extends: true,
      test: {
        name: 'browser',
        include: showsTheSite,
        exclude,
        testTimeout: 120_000,
        hookTimeout: 120_000,
        sequence: { groupOrder: 1 },
      },
    },
    {
      extends: true,
      test: {
        name: 'beside',
        include: bearsNeighbours,
        exclude,
        maxWorkers: WAITING_FILES_MAX,
        testTimeout: 120_000,
        hookTimeout: 60_000,
        sequence: { groupOrder: 2 },
      },
    },
    {
      extends: true,
      test: {
        name: 'process',
        globalSetup,
        include: startsProcesses,
        exclude: [...exclude, ...showsTheSite, ...bearsNeighbours],
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 60_000,
        sequence: { groupOrder: 3 },
      },
    },
  ],
};
