/** The search finds bugs: with one of them in the core it tells which law is broken, and the shortest way there. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
/** Some 200 000 states on a machine that is busy with other things; milliseconds. */
const PATIENCE_MS = 300_000;
/** Longest way to a broken law that still counts as a short one. */
const STEPS_MAX = 15;

/** What the hunt says about a mutant, and how it exits. */
function hunt(mutant: string, scope: string): Promise<{ readonly code: unknown; readonly text: string }> {
  const args = [join(import.meta.dirname, 'hunt.ts'), join(root, 'mutants', `${mutant}.mutant`), scope];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 }, (error, text, problem) =>
      resolve({ code: error === null ? 0 : error.code, text: text + problem }),
    );
  });
}

describe('with a bug in the core the search tells a short way to a broken law', () => {
  test.each([
    { mutant: 'by-simulation/patches/figure-8', scope: 'figure8', law: 'leader completeness' },
    { mutant: 'by-simulation/patches/vote-without-log-check', scope: 'elections', law: 'leader completeness' },
    { mutant: 'by-simulation/patches/up-to-date-by-length', scope: 'figure8', law: 'leader completeness' },
    { mutant: 'by-simulation/patches/two-votes-per-term', scope: 'elections', law: 'one vote per term' },
    { mutant: 'by-simulation/patches/answer-before-write', scope: 'crash', law: 'one vote per term' },
    { mutant: 'by-simulation/patches/conflict-kept', scope: 'base', law: 'state machine safety' },
    { mutant: 'by-search/vote-not-durable', scope: 'crash', law: 'one vote per term' },
    { mutant: 'by-search/truncates-committed', scope: 'connections', law: 'invariants of the core' },
  ])('$mutant: $law', { timeout: PATIENCE_MS }, async ({ mutant, scope, law }) => {
    const { code, text } = await hunt(mutant, scope);
    const [, broken, steps] = /^(.+) is broken after (\d+) steps: /m.exec(text) ?? [];
    expect({ code, broken }, text).toEqual({ code: 0, broken: law });
    expect(Number(steps), text).toBeLessThanOrEqual(STEPS_MAX);
  });

  test('and says so when it finds none', { timeout: PATIENCE_MS }, async () => {
    const { code, text } = await hunt('by-search/vote-not-durable', 'elections');
    expect(text).toContain('every law holds in every state');
    expect(code).toBe(1);
  });
});
