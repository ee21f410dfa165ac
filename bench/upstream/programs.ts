/**
 * op-conductor's own tests as programs: its end-to-end tests and its acceptance test, compiled from the module of
 * optimism's release with the packages of their set-up replaced (setup/). The tests' files are as they were published,
 * which their sums say, but for one line: the one that skips TestSequencerFailover_ConductorRPC.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needGoProgram, type Found } from '../go-build.ts';
import { addBundle, OPTIMISM, OPTIMISM_VERSION } from '../op-stack.ts';

export type TestProgram = 'e2e' | 'acceptance';

const setup = join(import.meta.dirname, 'setup');
const E2E = 'op-e2e/system/conductor';
const ACCEPTANCE = 'op-acceptance-tests/tests/base/conductor';
const packages: Readonly<Record<TestProgram, string>> = { e2e: `./${E2E}`, acceptance: `./${ACCEPTANCE}` };

/** SHA-256 of what upstream wrote and is run here. */
const SUMS: Readonly<Record<string, string>> = {
  [`${E2E}/conductor_test.go`]: '85ed99735ff7e62dfce65825fe449230787de8997afc02ef6b592af3e81cfb1c',
  [`${E2E}/sequencer_failover_test.go`]: 'bae7a4ccefa7c127383b376211008c92fd1d09707981dfe3a3efa1b10310b5d8',
  [`${E2E}/sequencer_failover_setup.go`]: '3510dfce312354bd68307c16ecd85fcf13e75c009e9314fed1f3b139fca7268f',
  'op-conductor/conductor/config.go': 'd2b6583bfc15408cc997d2a26ef9ee0c41485ad86f63b6acf16bbfa8a6404bd8',
  [`${ACCEPTANCE}/leadership_transfer_test.go`]: 'fcc5f44a6b20a22b81a97774e456d92a2e107bd4ec4ae3f52432a7fea31bd22e',
};
const SKIP = /^\tt\.Skip\("Flaky test tracked in [^\n]*\n/m;

/** Folders of set-up: whose files take the place of all of upstream's there but for those named, or are put beside them. */
const replacements = [
  { from: 'conductor', to: 'op-conductor/conductor', keeps: ['config.go'] },
  { from: 'e2esys', to: 'op-e2e/system/e2esys', keeps: [] },
  { from: 'presets', to: 'op-devstack/presets', keeps: [] },
  { from: 'netcontrol', to: 'op-e2e/e2eutils/netcontrol', keeps: [] },
  // Without the tests of op-node's own state, which start no conductor.
  {
    ...{ from: 'behaviours', to: E2E },
    keeps: ['conductor_test.go', 'sequencer_failover_setup.go', 'sequencer_failover_test.go'],
  },
] as const;

/** Path of the compiled tests; builds them where that was not done for this set-up, or says why they cannot be had. */
export function needTests(program: TestProgram): Promise<Found> {
  return needGoProgram({
    ...{ name: `op-conductor-${program}-${OPTIMISM_VERSION}-${setupSum()}`, module: OPTIMISM },
    ...{ package: packages[program], isTest: true, prepare: replaceSetup },
  });
}

async function replaceSetup(source: string): Promise<void> {
  for (const [path, sum] of Object.entries(SUMS)) {
    const found = createHash('sha256')
      .update(readFileSync(join(source, path)))
      .digest('hex');
    if (found !== sum) throw new Error(`${path} is not the file of ${OPTIMISM_VERSION}: its SHA-256 is ${found}`);
  }
  await addBundle(source);
  for (const { from, to, keeps } of replacements) {
    const target = join(source, to);
    mkdirSync(target, { recursive: true });
    const kept: readonly string[] = keeps;
    for (const name of readdirSync(target)) if (!kept.includes(name)) rmSync(join(target, name), { recursive: true });
    cpSync(join(setup, from), target, { recursive: true });
  }
  const tests = join(source, E2E, 'sequencer_failover_test.go');
  const text = readFileSync(tests, 'utf8');
  if (!SKIP.test(text)) throw new Error('the line that skips TestSequencerFailover_ConductorRPC is not there');
  writeFileSync(tests, text.replace(SKIP, ''));
}

/** The first characters of a sum over the set-up: another one is another program. */
function setupSum(): string {
  const sum = createHash('sha256');
  for (const { from } of replacements) {
    for (const name of readdirSync(join(setup, from)).toSorted()) sum.update(readFileSync(join(setup, from, name)));
  }
  return sum.digest('hex').slice(0, 8);
}
