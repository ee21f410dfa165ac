/**
 * Compiles what the process tests start, the conductor and the bare node of the replicated log, in the way
 * `npm run build` does, for this machine. `npm test` runs it first and names the files to the tests.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary } from './build-binary.ts';
import { buildConsole } from '../site/console/build.ts';
import { bringRuntime, targetOf } from './build-targets.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache', 'test', 'bin');

/** Variables by which tests find the files; ones that are set already stay. */
export const testBinaries: Readonly<Record<string, string>> = {
  CONDUCTOR_BIN: join(folder, 'conductor'),
  CONDUCTOR_TEST_NODE_BIN: join(folder, 'test-node'),
};

if (import.meta.main) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const target = targetOf();
  const common = { root, target, runtime: await bringRuntime(target) };
  const files = [await buildConsole()];
  await buildBinary({ ...common, entry: 'conductor/cli/main.ts', outfile: join(folder, 'conductor'), files });
  await buildBinary({ ...common, entry: 'tests/cluster/node.ts', outfile: join(folder, 'test-node') });
}
