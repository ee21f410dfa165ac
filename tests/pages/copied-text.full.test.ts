/**
 * No page shares a sentence or a piece of a program with the documentation whose facts it tells: the pages as built
 * against ethereum-optimism/docs. OPTIMISM_DOCS names a clone of it (or its .git).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILD_MS_MAX, siteFolder } from '../browser/site-folder.ts';
import { findCopies, type NamedText } from './copied-text.ts';

/** The state of those pages that the content map describes. */
const COMMIT = '47b9bfbe29a1ccc84e813246304bf96dc95cc9d1';
const clone = process.env['OPTIMISM_DOCS'];

function git(...words: readonly string[]): string {
  const run = Bun.spawnSync(['git', '-C', clone ?? '', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (run.exitCode !== 0) throw new Error(`git ${words.join(' ')} in OPTIMISM_DOCS: ${run.stderr}`);
  return run.stdout.toString();
}

function theirPages(): NamedText[] {
  const names = git('ls-tree', '-r', '--name-only', COMMIT).split('\n');
  return names.filter((name) => /\.mdx?$/.test(name)).map((name) => ({ name, text: git('show', `${COMMIT}:${name}`) }));
}

function ourPages(): NamedText[] {
  const folder = siteFolder();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

test(
  'no sentence and no two lines of code are copied',
  (context) => {
    if (clone === undefined) return context.skip('OPTIMISM_DOCS names no clone of ethereum-optimism/docs');
    const theirs = theirPages();
    expect(theirs.length).toBeGreaterThan(150);
    expect(findCopies(ourPages(), theirs)).toEqual([]);
  },
  BUILD_MS_MAX,
);
