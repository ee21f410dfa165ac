/** The content as a whole, as built: every page answers its readers' questions and is as long as its kind needs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readExtraPages } from '../../../site/engine/extra-pages.ts';
import { BUILD_MS_MAX, siteFolder } from '../site-folder.ts';
import { readBuiltPages, type BuiltPage } from '../../pages/built-pages.ts';
import { lengthComplaints } from '../../pages/lengths.ts';
import { questionComplaints, readQuestions } from '../../pages/questions.ts';

const root = join(import.meta.dirname, '../../..');

describe('the pages as built', () => {
  let pages: ReadonlyMap<string, BuiltPage>;
  beforeAll(() => {
    pages = readBuiltPages(join(root, 'content/pages'), siteFolder());
  }, BUILD_MS_MAX);

  test('answer five questions or more each, under a heading of their own or of a page they link to', () => {
    expect(pages.size).toBeGreaterThan(150);
    const { records } = readExtraPages(root);
    const isAsked = (route: string): boolean => !route.startsWith(`${records}/`);
    expect(questionComplaints(pages, readQuestions(join(root, 'content/questions')), isAsked)).toEqual([]);
  });

  test('the Conductor page can be read through: at most 6,000 words in its Markdown twin', () => {
    const twin = readFileSync(join(siteFolder(), 'builders/chain-operators/tools/op-conductor.md'), 'utf8');
    expect(twin.split(/\s+/).length).toBeLessThanOrEqual(6000);
  });

  test('are as long as their kind needs', () => {
    const lengths: unknown = parse(readFileSync(join(root, 'content/data/page-lengths.yaml'), 'utf8'));
    expect(lengthComplaints(pages.values(), lengths)).toEqual([]);
  });
});
