import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { execute } from '../../simulator/run.ts';
import { runFromText } from '../../simulator/run-value.ts';
import { hunt as hunted } from './hunting.ts';

const root = join(import.meta.dirname, '..', '..');
const bun = join(root, '.tools', 'bun');

function hunt(mutants: Readonly<Record<string, string>>, ...args: string[]): { status: number | null; out: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    for (const [name, text] of Object.entries(mutants)) writeFileSync(join(folder, `${name}.mutant`), text);
    const command = [join('mutants', 'main.ts'), `--dir=${folder}`, ...args];
    const { status, stdout, stderr } = spawnSync(bun, command, { cwd: root, encoding: 'utf8' });
    return { status, out: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const halves = `id: halves
subjects: thesis 3.4
why: Half of the voters is no majority.
caught by: simulation

@@ conductor/core/raft/quorum.ts
-return Math.floor(voters / 2) + 1;
+return Math.max(1, Math.floor(voters / 2));
`;
const harmless = `id: harmless
subjects: thesis 3.4
why: It says the same in other words.
caught by: simulation
equivalent: adding one before or after is the same

@@ conductor/core/raft/quorum.ts
-return Math.floor(voters / 2) + 1;
+return 1 + Math.floor(voters / 2);
`;

test('the mutants of a folder are hunted: a bug is caught and told, its counterpart without one lives', () => {
  const { status, out } = hunt({ halves, harmless }, '--budget=15', '--shrink=2', '--only=halves,harmless');
  expect(out).toMatch(/halves +killed by \w+: run \d+/);
  expect(out).toMatch(/harmless +equivalent: \d+ runs/);
  expect(status).toBe(0);
}, 240_000);

const dearer = `id: dearer
subjects: rule 3
why: A node that dropped its payloads is given them again a minute later, and stays behind until then.
caught by: simulation

@@ conductor/core/evidence/give.ts
-Math.min(waitMs, giveAgainMaxMs)
+Math.max(waitMs, giveAgainMaxMs)
`;

test('a bug that breaks no law is caught by what a fixed run costs, when the budget is spent', () => {
  const { status, out } = hunt({ dearer }, '--budget=25', '--shrink=1', '--only=dearer');
  expect(out).toMatch(/dearer +killed by baseline: run \d+, [^]*recorded are \d+/);
  expect(status).toBe(0);
}, 240_000);

test('a bug that is called equivalent and caught is a failure, as is a text that does not fit', () => {
  const claimed = halves.replace('why:', 'equivalent: it is not\nwhy:');
  expect(hunt({ claimed }, '--budget=15', '--shrink=1', '--only=halves').status).toBe(1);
  const misfit = halves.replace('Math.floor(voters / 2) + 1;\n+', 'Math.ceil(voters);\n+');
  const { status, out } = hunt({ misfit }, '--budget=5', '--only=halves');
  expect(out).toMatch(/BROKEN: [^]*holds the text to replace 0 times/);
  expect(status).toBe(1);
}, 240_000);

const endless = `id: endless
subjects: thesis 3.4
why: The majority of three is never found.
caught by: simulation

@@ conductor/core/raft/quorum.ts
-return Math.floor(voters / 2) + 1;
+while (voters === 3 && performance.now() > 0) continue;
+  return Math.floor(voters / 2) + 1;
`;

test('a core that never comes back is caught, and the run that it met is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    const path = join(folder, 'endless.mutant');
    writeFileSync(path, endless);
    const outcome = await hunted({ path, seed: 1, budgetSeconds: 15, shrinkSeconds: 1, skip: [] }, 20_000);
    expect(outcome).toMatchObject({ kind: 'killed', law: 'boundedResources', runs: 1, laws: [] });
    expect(execute(runFromText((outcome as { shrunk: string }).shrunk)).violation).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 240_000);

test('an unknown option, mutant or an empty folder is told in words', () => {
  expect(hunt({ halves }, '--fast')).toMatchObject({ status: 2, out: expect.stringMatching(/usage/) });
  expect(hunt({ halves }, '--only=other')).toMatchObject({ status: 2, out: expect.stringMatching(/no mutant other/) });
  expect(hunt({})).toMatchObject({ status: 2, out: expect.stringMatching(/no \*\.mutant/) });
});
