/**
 * `.tools/bun simulator/exhaustive/hunt.ts FILE.mutant SCOPE`: loads the core with a deliberate bug in it, searches the scope and
 * tells the way to the broken law. Exit 0 when one was found, 1 when none was: a bug that goes unnoticed is the failure.
 */
import { readFileSync } from 'node:fs';
import { parseMutant } from '../../mutants/mutant.ts';
import { installMutant } from '../../mutants/simulation/install.ts';

/** States searched for a bug, at most. */
const STATES_MAX = 600_000;

async function hunt([path, name]: readonly string[]): Promise<number> {
  if (path === undefined || name === undefined) {
    console.error('usage: .tools/bun simulator/exhaustive/hunt.ts FILE.mutant SCOPE');
    return 2;
  }
  installMutant(parseMutant(path, readFileSync(path, 'utf8')));
  // Only now, with the mutant in place.
  const { scopes } = await import('./scope.ts');
  const { search } = await import('./search.ts');
  const { describe } = await import('./command.ts');
  if (!Object.hasOwn(scopes, name)) {
    console.error(`there is no scope ${name}, only ${Object.keys(scopes).join(', ')}`);
    return 2;
  }
  const finding = search(scopes[name as keyof typeof scopes], { statesMax: STATES_MAX });
  console.log(`${finding.states} states\n${describe(finding)}`);
  return finding.violation === null ? 1 : 0;
}

process.exitCode = await hunt(process.argv.slice(2));
