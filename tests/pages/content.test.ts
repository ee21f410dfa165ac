/**
 * What a page needs beside its text, told from the sources: questions of all pages, and whether those of the product's
 * folder are answered and as long as their kind may be. ../browser/pages/content.test.ts holds all pages as built to it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isOfFolder, readExtraPages } from '../../site/engine/extra-pages.ts';
import { filesByRoute, type BuiltPage } from './built-pages.ts';
import { lengthComplaints } from './lengths.ts';
import { answeringRoutes, questionComplaints, readQuestions } from './questions.ts';
import { readWrittenPage } from './written-pages.ts';

/** On a machine that does much else; alone it is one or two seconds. */
const READ_MS_MAX = 60_000;

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'content/pages');
const extras = readExtraPages(root);
const files = filesByRoute(folder);
const questions = readQuestions(join(root, 'content/questions'));
const isOfProduct = (route: string): boolean => isOfFolder(extras, route);
const isAsked = (route: string): boolean => !route.startsWith(`${extras.records}/`);

test('every page has a file in content/questions, and every such file its page', () => {
  const unasked = [...files.keys()].filter((route) => isAsked(route) && !questions.has(route));
  const unknown = [...questions.keys()].filter((route) => !files.has(route));
  expect({ unasked, unknown }).toEqual({ unasked: [], unknown: [] });
});

describe(`the pages of ${extras.folder}, from their sources`, () => {
  const pages = new Map<string, BuiltPage>();
  beforeAll(() => {
    const routes = [...files.keys()].filter(isOfProduct);
    for (const route of [...routes, ...routes.flatMap((one) => answeringRoutes(questions.get(one)))]) {
      const file = files.get(route);
      if (file !== undefined && !pages.has(route)) pages.set(route, readWrittenPage(folder, file, route));
    }
  }, READ_MS_MAX);

  test('answer five questions or more each, under a heading of their own or of a page they link to', () => {
    const ofProduct = new Map([...questions].filter(([route]) => isOfProduct(route)));
    const complaints = questionComplaints(pages, ofProduct, (route) => isOfProduct(route) && isAsked(route));
    expect(complaints).toEqual([]);
  });

  test('are as long as their kind needs', () => {
    const lengths = parse(readFileSync(join(root, 'content/data/page-lengths.yaml'), 'utf8')) as Lengths;
    const exceptions = lengths.exceptions.filter(({ page }) => isOfProduct(page));
    const written = [...pages.values()].filter(({ route }) => isOfProduct(route));
    expect(lengthComplaints(written, { ...lengths, exceptions })).toEqual([]);
  });
});

interface Lengths {
  readonly exceptions: readonly { readonly page: string }[];
}
