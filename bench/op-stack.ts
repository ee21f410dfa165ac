/**
 * The released programs that ours are measured beside, from the Go module proxy: op-conductor, and for the real
 * net op-node and op-geth; op-deployer for the pages that teach it. A variable that names a binary (OP_CONDUCTOR_BIN,
 * OP_NODE_BIN, OP_GETH_BIN, OP_DEPLOYER_BIN) saves the build.
 */
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goProgramPath, moduleFolder, needGoProgram, type Found, type GoProgram } from './go-build.ts';

export const OPTIMISM_VERSION = 'v1.19.6';
/** What that version of optimism puts in the place of go-ethereum. */
const OP_GETH_VERSION = 'v1.101702.3-rc.7';
export const OPTIMISM = `github.com/ethereum-optimism/optimism@${OPTIMISM_VERSION}`;
const OP_GETH = `github.com/ethereum-optimism/op-geth@${OP_GETH_VERSION}`;
const BUNDLE = 'superchain-configs.zip';

export type OpStackProgram = 'op-conductor' | 'op-node' | 'op-geth' | 'op-deployer';

/** Each names a binary in the place of one that is built here. */
export const OP_STACK_VARIABLES: Readonly<Record<OpStackProgram, string>> = {
  'op-conductor': 'OP_CONDUCTOR_BIN',
  'op-node': 'OP_NODE_BIN',
  'op-geth': 'OP_GETH_BIN',
  'op-deployer': 'OP_DEPLOYER_BIN',
};

const programs: Readonly<Record<OpStackProgram, GoProgram>> = {
  'op-conductor': {
    name: `op-conductor-${OPTIMISM_VERSION}`,
    module: OPTIMISM,
    package: './op-conductor/cmd',
    prepare: addBundle,
  },
  'op-node': {
    name: `op-node-${OPTIMISM_VERSION}`,
    module: OPTIMISM,
    package: './op-node/cmd',
    prepare: addBundle,
  },
  'op-deployer': {
    name: `op-deployer-${OPTIMISM_VERSION}`,
    module: OPTIMISM,
    package: './op-deployer/cmd/op-deployer',
    prepare: addBundle,
  },
  'op-geth': {
    name: `op-geth-${OP_GETH_VERSION}`,
    module: OP_GETH,
    package: './cmd/geth',
  },
};

/** Where the program is once it has been built here. */
export function builtPath(program: OpStackProgram): string {
  return goProgramPath(programs[program]);
}

/** Path of the program; builds it where it is neither named nor built, or says why it cannot be had. */
export async function needOpStack(program: OpStackProgram): Promise<Found> {
  const variable = OP_STACK_VARIABLES[program];
  const named = process.env[variable] ?? '';
  if (named === '') return needGoProgram(programs[program]);
  return existsSync(named) ? { path: named } : { missing: `${variable} names ${named}, which is not there` };
}

/**
 * The zip of optimism's module lacks the file of all chains that its packages embed, and compare with a sum of:
 * every program would end at its start. op-geth's module has the file.
 */
export async function addBundle(source: string): Promise<void> {
  const folder = join(source, 'op-core/superchain');
  const bundle = join(folder, BUNDLE);
  if (existsSync(bundle)) return;
  copyFileSync(join(await moduleFolder(OP_GETH), 'superchain', BUNDLE), bundle);
  chmodSync(bundle, 0o644);
  const sum = createHash('sha256').update(readFileSync(bundle)).digest('hex');
  writeFileSync(`${bundle}.sha256`, `${sum}  ${BUNDLE}\n`);
}

if (import.meta.main) {
  const found = await needOpStack('op-conductor');
  console.log('path' in found ? found.path : found.missing);
  if ('missing' in found) process.exitCode = 1;
}
