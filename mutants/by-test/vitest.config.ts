/**
 * One Vitest project per mutant of a batch, all in one process: each project's server loads the sources
 * as they are, but for the one file whose law is taken out. `run.ts` starts it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutate, titlePattern } from './mutant.ts';
import { readBatch, type BatchMutant } from './batch.ts';

const root = join(import.meta.dirname, '..', '..');
/** A law taken out may leave a test waiting; milliseconds. */
const testTimeoutMs = 20_000;
const { mutants } = readBatch();

/** Replaces the text of one file as it is loaded. */
function mutation(mutant: BatchMutant) {
  const path = join(root, mutant.file);
  return {
    name: 'mutant',
    enforce: 'pre' as const,
    load: (id: string) => (id.split('?')[0] === path ? mutate(readFileSync(path, 'utf8'), mutant) : null),
  };
}

const project = (name: string, tests: readonly string[], plugins: ReturnType<typeof mutation>[] = []) => ({
  root,
  plugins,
  test: { name, root, include: [...tests], pool: 'threads' as const, testTimeout: testTimeoutMs, fsModuleCache: false },
});

export default defineConfig({
  root,
  test: {
    testNamePattern: new RegExp(mutants.map(({ testName }) => `${titlePattern(testName)}$`).join('|')),
    projects: [
      project('as-it-is', [...new Set(mutants.flatMap(({ tests }) => tests))]),
      ...mutants.map((mutant) => project(mutant.key, mutant.tests, [mutation(mutant)])),
    ],
  },
});
