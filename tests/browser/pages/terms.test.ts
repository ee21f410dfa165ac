/**
 * What readers type leads to the page that explains it: `searches` of content/data/reader-terms.yaml, and the questions of
 * the pages that are newer than the map, asked of the built site.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { find } from '../../../site/search/find.ts';
import { useBuiltIndex } from '../built-index.ts';

const root = join(import.meta.dirname, '../../..');
const routes = z.array(z.string().startsWith('/')).nonempty();
const schema = z.object({ searches: z.record(z.string().min(2), routes) });
const { searches } = schema.parse(parse(readFileSync(join(root, 'content/data/reader-terms.yaml'), 'utf8')));

const beside = z
  .object({ beside: routes })
  .parse(parse(readFileSync(join(root, 'content/data/extra-pages.yaml'), 'utf8'))).beside;
const questions = z.array(z.object({ question: z.string() })).min(5);

const FIRST = 3;
const FIRST_SHARE_MIN = 0.95;
const LAST = 10;
/** On a machine that does much else. */
const MS_MAX = 120_000;

const built = useBuiltIndex();

test('expected pages exist', () => {
  const known = new Set(built.index.sections.map(({ route }) => route));
  expect(Object.values(searches).flatMap((expected) => expected.filter((route) => !known.has(route)))).toEqual([]);
});

test(
  `terms lead to their page, ${FIRST_SHARE_MIN * 100} % of them within the first ${FIRST}, all within the first ${LAST}`,
  async () => {
    const places: { readonly query: string; readonly place: number }[] = [];
    for (const [query, expected] of Object.entries(searches)) {
      const { results } = await find(built.index, { query });
      places.push({ query, place: results.findIndex(({ route }) => expected.includes(route)) });
    }
    expect(places.filter(({ place }) => place < 0 || place >= LAST)).toEqual([]);
    const late = places.filter(({ place }) => place >= FIRST);
    expect(1 - late.length / places.length, JSON.stringify(late)).toBeGreaterThanOrEqual(FIRST_SHARE_MIN);
  },
  MS_MAX,
);

test.each(beside)(
  'the questions of %s find it among the first five',
  async (route) => {
    const asked = questions.parse(parse(readFileSync(join(root, `content/questions${route}.yaml`), 'utf8')));
    const missed: string[] = [];
    for (const { question } of asked) {
      const { results } = await find(built.index, { query: question });
      if (!results.slice(0, 5).some((result) => result.route === route)) missed.push(question);
    }
    expect(missed).toEqual([]);
  },
  MS_MAX,
);
