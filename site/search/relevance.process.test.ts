/**
 * What readers type finds what they want, in the index that the built site ships: 95 % of the relevance set within the first
 * three pages, and 96 % of those that were set aside before any weight was chosen. An expectation names a
 * section that must be among those shown of its page; where a page has no such section yet, the page counts.
 */
import { flagTable } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { methodTable } from '#conductor/core/rpc/methods';
import { describe, expect, test } from 'vitest';
import { useBuiltIndex } from '../../tests/browser/built-index.ts';
import type { SearchAnswer } from './answer.ts';
import { find } from './find.ts';
import relevance from './relevance.json' with { type: 'json' };

interface Case {
  readonly query: string;
  /** Routes or `route#slug`s, any of which answers. */
  readonly expect: readonly string[];
  /** Set aside: no weight and no word of the site was chosen by it. */
  readonly heldOut?: boolean;
  /** Of a query set aside: the page that answers got the words that it lacked after this was read. */
  readonly fixed?: boolean;
}

const cases: readonly Case[] = relevance;
const SHARE_MIN = 0.95;
/** Of those set aside: what readers will type counts for more than what the search was made with. */
const HELD_OUT_SHARE_MIN = 0.96;
const FIRST = 3;
/** On a machine that does much else. */
const MS_MAX = 300_000;

const built = useBuiltIndex();

describe('the first three pages have the answer', () => {
  test('there are enough queries, each once, and all expectations are pages that exist', () => {
    expect(cases.length).toBeGreaterThanOrEqual(140);
    expect(new Set(cases.map(({ query }) => query)).size).toBe(cases.length);
    const routes = new Set(built.index.sections.map(({ route }) => route));
    const expected = cases.flatMap((item) => item.expect.map((href) => href.split('#')[0]!));
    expect(expected.filter((route) => !routes.has(route))).toEqual([]);
  });

  test.each([
    ['queries that the search was made with', false],
    ['queries set aside', true],
  ])(
    '%s',
    async (_, heldOut) => {
      const asked = cases.filter((item) => (item.heldOut ?? false) === heldOut);
      const misses: string[] = [];
      for (const item of asked) {
        const answer = await find(built.index, { query: item.query });
        if (!isAnswered(item, answer)) misses.push(missOf(item, answer));
      }
      const share = 1 - misses.length / asked.length;
      console.log(`${asked.length - misses.length} of ${asked.length} (${(100 * share).toFixed(1)} %)`, ...misses);
      expect(share, misses.join('\n')).toBeGreaterThanOrEqual(heldOut ? HELD_OUT_SHARE_MIN : SHARE_MIN);
    },
    MS_MAX,
  );
});

describe('every flag, variable and method of the conductor leads to its own heading', () => {
  test.each(flagTable.map(({ name }) => name))('--%s', async (name) => {
    const variable = envNameOf(name);
    for (const query of [`--${name}`, variable, `${variable}=1`, variable.toLowerCase()]) {
      expect((await find(built.index, { query })).results[0]?.href, query).toBe(
        `/conductor/flags#--${name.replaceAll('.', '')}`,
      );
    }
  });

  test.each(methodTable.map(({ name }) => name).filter((name) => name.startsWith('conductor_')))(
    '%s',
    async (method) => {
      for (const query of [method, method.toLowerCase(), `"method":"${method}","params":[]`, `curl ${method}`]) {
        expect((await find(built.index, { query })).results[0]?.href, query).toBe(
          `/conductor/rpc#${method.toLowerCase()}`,
        );
      }
    },
  );
});

function isAnswered(item: Case, answer: SearchAnswer): boolean {
  const shown = answer.results.slice(0, FIRST);
  return item.expect.some((href) => {
    const [route, slug] = href.split('#');
    const isThere = built.index.sections.some((section) => section.route === route && section.slug === (slug ?? ''));
    const result = shown.find((page) => page.route === route);
    if (result === undefined) return false;
    return slug === undefined || !isThere || result.hits.slice(0, FIRST).some((hit) => hit.slug === slug);
  });
}

function missOf(item: Case, answer: SearchAnswer): string {
  const shown = answer.results.slice(0, FIRST).map(({ href }) => href);
  return `\n“${item.query}” wants ${item.expect.join(' or ')}, got ${shown.join(', ') || 'nothing'}`;
}
