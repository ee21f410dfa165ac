/**
 * One Vitest project per mutant of a batch, all in one process: each project's server loads the sources
 * as they are, but for what the mutant changes. `run.ts` starts it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { applyMutant } from '../mutant.ts';
import { readBatch, type BatchMutant } from './batch.ts';
import { titlePattern } from './title.ts';

const root = join(import.meta.dirname, '..', '..');
/** A law taken out may leave a test waiting; milliseconds. */
const testTimeoutMs = 20_000;
const { mutants } = readBatch();

/** Replaces texts of files as they are loaded. */
function mutation({ mutant }: BatchMutant) {
  const files = new Map(mutant.hunks.map(({ file }) => [join(root, file), file]));
  return {
    name: 'mutant',
    enforce: 'pre' as const,
    load: (id: string) => {
      const path = id.split('?')[0]!;
      const file = files.get(path);
      return file === undefined ? null : applyMutant(mutant, file, readFileSync(path, 'utf8'));
    },
  };
}

/** Only the tests that these mutants name: one of another mutant may never end with this one. */
const project = (name: string, tried: readonly BatchMutant[], plugins: ReturnType<typeof mutation>[] = []) => ({
  root,
  plugins,
  test: {
    ...{ name, root, pool: 'threads' as const, testTimeout: testTimeoutMs, fsModuleCache: false },
    include: [...new Set(tried.map(({ test }) => test.file))],
    testNamePattern: new RegExp(tried.map(({ test }) => `${titlePattern(test.title)}$`).join('|')),
  },
});

export default defineConfig({
  root,
  test: {
    projects: [
      project('as-it-is', mutants),
      ...mutants.map((mutant) => project(mutant.key, [mutant], [mutation(mutant)])),
    ],
  },
});
