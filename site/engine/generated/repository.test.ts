import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changelog, decisionRecords, pageText } from './repository.ts';

const records = join(import.meta.dirname, '../../../content/pages/conductor/decisions');

test('every decision record has a row with a link to its page, in the order of their numbers', () => {
  const links = [...decisionRecords({}).matchAll(/^\| (\d{4}) \| .*\]\(\/conductor\/decisions\/([\w-]+)\)/gm)];
  const files = readdirSync(records).filter((name) => /^\d/.test(name));
  expect(links.map(([, , page]) => `${page}.mdx`)).toEqual(files.toSorted());
  expect(links.every(([, number, page]) => page?.startsWith(`${number}-`))).toBe(true);
});

test('a record that does not say when it was accepted is named', () => {
  expect(() => decisionRecords({ folder: 'site/engine/testdata/records' })).toThrow(/^0001-no-day\.mdx does not begin/);
});

test('the changelog is the file without its title, from its newest version on', () => {
  const text = changelog({});
  expect(text).toMatch(/^## (Unreleased|\d+\.\d+\.\d+)/m);
  expect(text).not.toMatch(/^# /m);
});

test('the text of a page is what stands below its head', () => {
  expect(pageText({ of: '/chain/networks' })).toMatch(/^To connect a wallet[^]*\n## OP Mainnet\n/);
  expect(pageText({ of: '/builders/tools' })).toMatch(/^These pages/);
});

test.each(['', '/', '/chain/none', '/../README', 'chain/networks'])('there is no text of %j', (of) => {
  expect(() => pageText({ of })).toThrow(/needs `of`/);
});
