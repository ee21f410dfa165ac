/** "Rule 14" in a comment resolves: every rule that is named anywhere is on the page, and every rule of the page is used. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAST_RETRY_MS, JITTER_MS, RANDOM_TIMEOUT_PART, RANK_MS } from '../../conductor/core/raft/timing.ts';
import { subjects } from '../../mutants/subjects.ts';
import { rulesNamed } from './rules.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'content/pages/conductor/rules.mdx'), 'utf8');
const onPage = [...page.matchAll(/^### Rule (\d+)$/gm)].map(([, number]) => Number(number));
const files = globSync('{conductor,simulator,mutants,tests,bench,site,infra,scripts}/**/*.{ts,tsx,md,mutant}', {
  cwd: root,
});
const named = new Map(files.map((file) => [file, rulesNamed(readFileSync(join(root, file), 'utf8'))]));

test('the page has every rule once, in order', () => {
  expect(onPage.length).toBeGreaterThan(30);
  expect(onPage).toEqual(Array.from(onPage, (_, at) => at + 1));
});

test('every rule that code, tests, mutants and readmes name is on the page', () => {
  const unknown = [...named].flatMap(([file, rules]) =>
    rules.filter((rule) => !onPage.includes(rule)).map((rule) => `${file}: rule ${rule}`),
  );
  expect(unknown).toEqual([]);
});

test('every rule of the page is named by the product', () => {
  const isProduct = (file: string): boolean => file.startsWith('conductor/') && !/\.test\.ts$|\/testing\//.test(file);
  const product = new Set([...named].filter(([file]) => isProduct(file)).flatMap(([, rules]) => rules));
  expect(onPage.filter((rule) => !product.has(rule))).toEqual([]);
});

// mutants/patches.test.ts demands one of each subject, and who catches it.
test('every rule of the page is one that a mutant has to break', () => {
  expect(onPage.filter((rule) => !Object.hasOwn(subjects, `rule ${rule}`))).toEqual([]);
});

const { min: retryMinMs, max: retryMaxMs } = FAST_RETRY_MS;
const parts: Readonly<Record<number, string>> = {
  3: 'third',
  4: 'quarter',
  5: 'fifth',
  6: 'sixth',
  8: 'eighth',
  10: 'tenth',
};

test.each([
  [12, `a random part of up to a ${parts[Math.round(1 / RANDOM_TIMEOUT_PART)]} of it`],
  [13, `Voters take turns, ${RANK_MS} ms apart plus up to ${JITTER_MS} ms at random`],
  [13, `A failed election is repeated after ${retryMinMs} to ${retryMaxMs} ms`],
])('rule %d tells the times of conductor/core/raft/timing.ts', (rule, words) => {
  const [text] = page.split(`### Rule ${rule}\n`)[1]!.split('\n### ');
  expect(text).toContain(words);
});

test.each([
  ['(rules 9, 10 and 12) and rule 3.', [9, 10, 12, 3]],
  ['Rules 16 to 19 of the design', [16, 17, 18, 19]],
  ['rule 6, L1; 12 rules, ruler 7, rule of 5', [6]],
  ['a rule 1\n * comment, rules 2\n// and 4', [1, 2]],
])('what is read of %j', (text, rules) => {
  expect(rulesNamed(text)).toEqual(rules);
});
