/**
 * The field's words, in names, comments and logs alike. What pages say is held to content/data/vocabulary.yaml by the
 * build; this is for everything else. A word of a table that comes back is named with its file and line.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** What is not written, as a pattern, and what is written instead. */
const words: readonly (readonly [avoid: RegExp, use: string])[] = [
  [/\bheirs?\b/i, 'transfer target'],
  [/patience/i, 'election timeout, or what is waited for and how long'],
  [/\blost rounds?\b/i, 'failed elections'],
  [/\bsuspicions?\b/i, 'suspected failure'],
  [/\bheard from\b/i, 'contact, last contact'],
  [/\b(founders|founding)\b(?!-)/i, 'initial members, bootstrap'],
  [/\bvouched (hash|block)/i, 'trusted hash'],
  [/\bhints\b/, 'peer status'],
  [/\blast words\b/i, 'what is logged at the end'],
  [/\bnudges?\b/i, 'reconcile'],
  [/\bwitness(es)?\b/i, 'observer'],
  [/chronicle/i, 'event log'],
  [/\bas there\b(?=[.,;:)])/i, 'as op-conductor, as in Go'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, restore'],
  [/\bquarrels?\b/i, 'dispute'],
  [/\bshall\b/i, 'must'],
  [/\breckon(s|ed|ing)?\b/i, 'compute, count'],
  [/\banother than\b/i, 'a different one'],
];

/** Whose own words these are: this table, and a network's tools that histories call by their names. */
const exempt = /^tests\/architecture\/words\.test\.ts$|^bench\/histories\//;

const files = globSync('{conductor,simulator,tests,bench,site,infra,scripts}/**/*.{ts,tsx,mjs,css,md}', { cwd: root })
  .concat('README.md', 'CONTRIBUTING.md', 'mutants/README.md')
  .filter((file) => !/\/testdata\/|^bench\/results\/|\/generated\/.*\.json$/.test(file) && !exempt.test(file));

/** `file:line: word: what to write`, for each place. */
function found(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) =>
    words.flatMap(([avoid, use]) => {
      const word = avoid.exec(line)?.[0];
      return word === undefined ? [] : [`${file}:${at + 1}: “${word}”: write ${use}`];
    }),
  );
}

test('code, comments, logs and readmes use the words of the field', () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => found(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  ['const electionPatienceMs = 5;', ['Patience']],
  ['// What shall be true, as there; lost rounds', ['lost rounds', 'as there', 'shall']],
  ['// as there is no heirloom', []],
])('in %j the words are %j', (line, expected) => {
  expect(found('f', line).map((text) => /“(.*)”/.exec(text)?.[1])).toEqual(expected);
});
