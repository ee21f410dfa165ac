/** What readers copy from the pages is of the language that its block names; the check itself sees mistakes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsedLanguages, snippetComplaints, snippetsOf } from '../../pages/snippets.ts';

const PAGES = join(import.meta.dirname, '../../../content/pages');
const hasBash = Bun.which('bash') !== null;

test('every block of shell, JSON, YAML, TOML and Solidity can be parsed', async (context) => {
  if (!hasBash) return context.skip('bash is not installed');
  const pages = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mdx'));
  const snippets = snippetsOf(PAGES, pages.toSorted());
  for (const language of parsedLanguages) {
    expect(snippets.filter(({ lang }) => lang === language).length, language).toBeGreaterThan(0);
  }
  expect(await snippetComplaints(snippets)).toEqual([]);
});

test.for([
  ['sh', 'if true; then echo'],
  ['sh', "echo 'open"],
  ['json', '{ "a": 1, }'],
  ['yaml', 'a: 1\na: 2'],
  ['yaml', 'a: [1'],
  ['toml', 'a = '],
  ['solidity', 'contract A { function f( external {} }'],
] as const)('a block of %s that is none is named by its place: %j', async ([lang, text], context) => {
  if (lang === 'sh' && !hasBash) return context.skip('bash is not installed');
  const complaints = await snippetComplaints([{ lang, text, place: 'page.mdx:7' }]);
  expect(complaints).toEqual([expect.stringMatching(/^page\.mdx:7: this is no /)]);
});
