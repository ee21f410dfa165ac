/**
 * The same string gives the same trace hash in this process, in a fresh one, and on Node, whose engine has other
 * ideas of how to be fast. The simulator is bundled for it, because Node 20 runs no TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overridden, single, storm } from './arbitrary.ts';
import { execute } from './run.ts';
import { runToText } from './run-value.ts';

const RUNS = 9;

describe('one string, one hash', () => {
  const runs = fc.sample(fc.oneof(storm, single, overridden), { seed: 23, numRuns: RUNS });
  const texts = runs.map(runToText);
  let folder = '';
  let bundle = '';
  let expected: readonly string[] = [];

  beforeAll(() => {
    expected = runs.map((run) => execute(run).hash);
    folder = mkdtempSync(join(tmpdir(), 'simulator-engines-'));
    const entry = join(folder, 'hashes.ts');
    bundle = join(folder, 'hashes.mjs');
    writeFileSync(
      entry,
      `import { execute } from ${JSON.stringify(join(import.meta.dirname, 'run.ts'))};
       import { runFromText } from ${JSON.stringify(join(import.meta.dirname, 'run-value.ts'))};
       for (const text of process.argv.slice(2)) console.log(execute(runFromText(text)).hash);`,
    );
    execFileSync(process.execPath, ['build', entry, '--target=node', '--format=esm', `--outfile=${bundle}`], {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'pipe',
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['bun', 'node'])('on %s, in a fresh process', (engine) => {
    const command = engine === 'bun' ? process.execPath : engine;
    const output = execFileSync(command, [bundle, ...texts], { encoding: 'utf8' });
    expect(new Set(expected).size).toBe(RUNS);
    expect(output.trim().split('\n')).toEqual(expected);
  });
});
