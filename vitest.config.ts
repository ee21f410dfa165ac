/**
 * Two projects: `unit` runs files side by side in threads (`bun --bun vitest` cannot fork);
 * `process` starts real processes, so its files run one at a time and only after all units.
 * `*.full.test.ts` is left to `npm run test:full`, which sets CONDUCTOR_TEST_FULL=1.
 */
import { configDefaults, defineConfig } from 'vitest/config';

const runsEverything = process.env['CONDUCTOR_TEST_FULL'] === '1';
const exclude = [...configDefaults.exclude, '**/.tools/**', ...(runsEverything ? [] : ['**/*.full.test.ts'])];
const sources = ['conductor', 'simulator', 'bench', 'scripts', 'tests'];

export default defineConfig({
  test: {
    pool: 'threads',
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: sources.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [...exclude, 'tests/process/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts'],
          exclude,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
