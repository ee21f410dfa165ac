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

const project = (name: string, tests: readonly string[], plugins: ReturnType<typeof mutation>[] = []) => ({
  root,
  plugins,
  test: { name, root, include: [...tests], pool: 'threads' as const, testTimeout: testTimeoutMs, fsModuleCache: false },
});

export default defineConfig({
  root,
  test: {
    testNamePattern: new RegExp(mutants.map(({ test }) => `${titlePattern(test.title)}$`).join('|')),
    projects: [
      project('as-it-is', [...new Set(mutants.map(({ test }) => test.file))]),
      ...mutants.map((mutant) => project(mutant.key, [mutant.test.file], [mutation(mutant)])),
    ],
  },
});
