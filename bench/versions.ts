/** What was measured, in words that let another find it again; told before anything is measured. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPath, OPTIMISM_VERSION } from './op-stack.ts';

const repository = join(import.meta.dirname, '..');
const OPTIMISM_MODULE = /^\s*mod\s+github\.com\/ethereum-optimism\/optimism\s+(v\S+)/m;

/** Our binary: empty where the sources run; `isNamed` when it was not built now, from this tree. */
export interface OurBinary {
  readonly path: string;
  readonly isNamed: boolean;
}

/** Of what is measured in every run. The commit is that of the tree, or of a named binary where that tells its own. */
export function versionsOf({ path, isNamed }: OurBinary): Readonly<Record<string, string>> {
  const goModules = readFileSync(join(import.meta.dirname, 'gonode/go.mod'), 'utf8');
  const conductor = path === '' ? 'the sources' : (run(path, ['--version']) ?? 'unknown');
  return {
    commit: (isNamed ? commitIn(conductor) : null) ?? commitOf(repository),
    conductor,
    bun: Bun.version,
    go: run('go', ['env', 'GOVERSION']) ?? 'absent',
    raft: /hashicorp\/raft (v\S+)/.exec(goModules)?.[1] ?? 'unknown',
  };
}

/** The commit of a checkout, with -dirty behind it when any file differs from it; results that a run writes count not. */
export function commitOf(checkout: string): string {
  const git = (words: readonly string[]): string | null => run('git', ['-C', checkout, ...words]);
  const commit = git(['rev-parse', '--short', 'HEAD']);
  const changes = git(['status', '--porcelain', '--', ':/', ':(top,exclude)bench/results']);
  return commit === null || changes === null ? 'unknown' : `${commit}${changes === '' ? '' : '-dirty'}`;
}

/** The commit in what our binary says of itself; null where it was built without one. */
export function commitIn(version: string): string | null {
  return /\(([0-9a-f]{7,}(?:-dirty)?)\)/.exec(version)?.[1] ?? null;
}

/** Which op-conductor a binary is; `isOther` where it is known not to be the one that ours replaces. */
export interface OpConductorVersion {
  readonly words: string;
  readonly isOther: boolean;
}

/** From where it was built here, or from the build information that Go puts into a binary and reads. */
export function opConductorVersion(path: string): OpConductorVersion {
  if (path === builtPath('op-conductor'))
    return { words: `${OPTIMISM_VERSION}, built here from the Go module proxy`, isOther: false };
  const version = moduleVersionIn(run('go', ['version', '-m', path]) ?? '');
  if (version !== null) return { words: `${version}, by its build information`, isOther: version !== OPTIMISM_VERSION };
  const why =
    Bun.which('go') === null ? 'Go, which could read it, is not there' : 'its build information has no version';
  const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { words: `not checked to be ${OPTIMISM_VERSION} (${why}), sha256 ${sum}`, isOther: false };
}

/** Version of optimism in what `go version -m` prints; null where that is of no release. */
export function moduleVersionIn(information: string): string | null {
  return OPTIMISM_MODULE.exec(information)?.[1] ?? null;
}

function run(program: string, words: readonly string[]): string | null {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
