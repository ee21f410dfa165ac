/** What a release is made of: the version, the commit and its time, and whether the files are those of the commit. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReleaseState {
  /** As in package.json, without v. */
  readonly version: string;
  /** The full hash; '' outside of a repository. */
  readonly commit: string;
  /** Unix time that stands in everything made: the commit's, or SOURCE_DATE_EPOCH. */
  readonly timeSeconds: number;
  readonly isDirty: boolean;
}

export interface StateOptions {
  readonly mayBeDirty: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How many changed files are named. */
const NAMED_MAX = 5;

/** Throws an Error for a tree that differs from its commit, or has none, unless it may. */
export function readState(root: string, { mayBeDirty, env }: StateOptions): ReleaseState {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const git = (...words: string[]): string | null => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const head = git('log', '-1', '--format=%H %ct');
  const given = env['SOURCE_DATE_EPOCH'];
  if (head === null) {
    if (!mayBeDirty)
      throw new Error(
        'this is no git repository with a commit, so nobody could tell what was released; -- --allow-dirty all the same',
      );
    if (given === undefined) throw new Error('there is no commit to take the time from: set SOURCE_DATE_EPOCH');
    return { version, commit: '', timeSeconds: secondsIn(given), isDirty: true };
  }
  const [commit = '', committed = ''] = head.split(' ');
  const changed = (git('status', '--porcelain') ?? '').split('\n').filter((line) => line !== '');
  if (changed.length > 0 && !mayBeDirty) {
    const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
    const names = changed.slice(0, NAMED_MAX).map((line) => line.replace(/^.. ?/, ''));
    throw new Error(
      `files differ from the commit, so nobody could make the same again: ${names.join(', ')}${more}. Commit them, or -- --allow-dirty to try`,
    );
  }
  return { version, commit, timeSeconds: secondsIn(given ?? committed), isDirty: changed.length > 0 };
}

/** One line for people. */
export function describeState({ version, commit, timeSeconds, isDirty }: ReleaseState): string {
  const from = commit === '' ? 'no commit' : `commit ${commit.slice(0, 12)}`;
  const warning = isDirty ? ' and changes: not for publication' : '';
  return `Release ${version} from ${from} of ${new Date(timeSeconds * 1000).toISOString()}${warning}`;
}

function secondsIn(text: string): number {
  // Eleven octal digits of a tar archive, and a date that can be printed.
  if (/^\d{1,10}$/.test(text) && Number(text) < 0o77777777777) return Number(text);
  throw new Error(`SOURCE_DATE_EPOCH is ${JSON.stringify(text)}: want seconds since 1970, a whole number`);
}
