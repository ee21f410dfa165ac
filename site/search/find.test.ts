import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Section } from '../engine/page.ts';
import { HITS_PER_PAGE, QUERY_LENGTH_MAX, RESULTS_MAX, type SearchAnswer } from './answer.ts';
import { find } from './find.ts';
import { openInMemory } from './memory-source.ts';

/** On a machine that does much else. */
const MS_MAX = 120_000;

function page(route: string, pageTitle: string, ...rest: Partial<Section>[]): Section[] {
  const trail = route.split('/').slice(1, -1);
  return [{}, ...rest].map((section, position) => ({
    route,
    pageTitle,
    trail,
    heading: pageTitle,
    slug: '',
    prose: '',
    code: [],
    ...(position === 0 ? (rest[0]?.slug === undefined ? rest.shift() : {}) : section),
  }));
}

const filler = Array.from({ length: 30 }, (_, position) =>
  page(`/stack/filler-${position}`, `Chapter ${position}`, {
    prose: 'Blocks are built, batches are posted, nodes derive them.',
  }),
).flat();

function searched(sections: readonly Section[]): (query: string, area?: string) => Promise<SearchAnswer> {
  const index = openInMemory([...sections, ...filler]);
  return async (query, area) => find(await index, { query, area });
}

function routesOf({ results }: SearchAnswer): string[] {
  return results.map(({ route }) => route);
}

describe('what counts more comes first', () => {
  const search = searched([
    ...page('/a/prose', 'One', { slug: 'x', heading: 'Elsewhere', prose: 'Call node_pauseLoop when it rains.' }),
    ...page('/a/code', 'Two', { slug: 'x', heading: 'Elsewhere', code: ['curl --data node_pauseLoop'] }),
    ...page('/a/heading', 'Three', { slug: 'about-node_pauseloop', heading: 'About node_pauseLoop' }),
    ...page('/a/title', 'node_pauseLoop and others', { prose: 'Everything on it.' }),
    ...page('/a/named', 'Methods', { slug: 'node_pauseloop', heading: 'node_pauseLoop', prose: 'Pauses the loop.' }),
  ]);

  test('an identifier: its own heading, then a page’s title, another heading, code, prose', async () => {
    const routes = routesOf(await search('node_pauseLoop'));
    expect(routes[0]).toBe('/a/named');
    expect(routes.slice(1, 3).toSorted()).toEqual(['/a/heading', '/a/title']);
    expect(new Set(routes.slice(3))).toEqual(new Set(['/a/code', '/a/prose']));
  });

  test.each([
    'NODE_PAUSELOOP',
    'pauseLoop',
    'pauseloop',
    'pause loop',
    'node_pause',
    '"method":"node_pauseLoop"',
    'nodePauseLoop',
  ])('%s finds it, too', async (query) =>
    expect((await search(query)).results[0]?.href).toBe('/a/named#node_pauseloop'),
  );
});

describe('addresses', () => {
  const addressOf = (end: string): string => `0x42${end.padStart(38, '0')}`;
  const search = searched([
    ...page('/a/guide', 'Guide', { slug: 'x', heading: 'Call it', code: [`cast call ${addressOf('0F')}`] }),
    ...page('/a/list', 'Contracts', {
      slug: 'all',
      heading: 'All of them',
      prose: ['06', '07', '0F', '10', '15', '16'].map((end) => `Contract ${addressOf(end)} does something.`).join(' '),
    }),
  ]);

  test.each([addressOf('0F'), addressOf('0f'), '0x4200…000F', '0x42...0f', '0x4200..00F'])(
    '%s leads to where many are listed',
    async (query) => {
      expect((await search(query)).results.map(({ href }) => href)).toEqual(['/a/list#all', '/a/guide#x']);
    },
  );
});

describe('a page and its sections', () => {
  const search = searched([
    ...page(
      '/a/runbook',
      'Runbook',
      { tags: ['chain halt'], prose: 'What to do at a chain halt.' },
      { slug: 'no-block', heading: 'NoBlock', prose: 'After a chain halt look at the leader.' },
    ),
    ...page('/a/flag', 'Flags', {
      slug: '--overridegranite',
      heading: '--override.granite',
      prose: 'When Granite begins.',
      code: ['OVERRIDE_GRANITE=1'],
    }),
    ...page('/a/upgrade', 'Network upgrades', {
      tags: 'jovian holocene granite fjord delta'.split(' '),
      prose: 'When Granite began.',
    }),
    ...page('/a/error', 'Starting', { slug: 'x', heading: 'Errors', prose: 'It says: the sequencer is not enabled.' }),
    ...page('/a/words', 'Nodes', { slug: 'x', heading: 'Sequencer', prose: 'Whether it is enabled or not.' }),
  ]);

  test('a page that answers by its tags still shows the section to read', async () => {
    expect((await search('chain halt')).results[0]?.hits.map(({ slug }) => slug)).toContain('no-block');
  });

  test('a name of its own goes before a piece of an identifier', async () => {
    expect(routesOf(await search('granite')).slice(0, 2)).toEqual(['/a/upgrade', '/a/flag']);
  });

  test('a long phrase as it stands in a page goes before a heading with its words', async () => {
    expect((await search('the sequencer is not enabled')).results[0]?.href).toBe('/a/error#x');
  });
});

describe('finding what was meant', () => {
  const search = searched([
    ...page(
      '/node/conductor',
      'Conductor',
      { tags: ['failover'], prose: 'Keeps a sequencer running.' },
      {
        slug: '--raftbootstrap',
        heading: '--raft.bootstrap',
        prose: 'Variable: OP_CONDUCTOR_RAFT_BOOTSTRAP. Create a cluster.',
      },
    ),
    ...page('/node/snap-sync', 'Using snap sync', { prose: 'Downloads the newest state first.' }),
    ...page('/app/withdrawals', 'Withdrawal flow', { prose: 'Proving and finalizing after the challenge period.' }),
    ...page('/app/fees', 'Transaction fees', { prose: 'Estimating what is paid for data.' }),
  ]);

  test.each([
    ['OP_CONDUCTOR_RAFT_BOOTSTRAP=true', '/node/conductor#--raftbootstrap'],
    ['raft-bootstrap', '/node/conductor#--raftbootstrap'],
    ['condcutor', '/node/conductor'],
    ['failover', '/node/conductor'],
    ['snapsync', '/node/snap-sync'],
    ['withdrawl', '/app/withdrawals'],
    ['flwos', '/app/withdrawals'],
    ['clsutre', '/node/conductor#--raftbootstrap'],
    ['how do I withdraw after 7 days?', '/app/withdrawals'],
    ['prove a withdrawal', '/app/withdrawals'],
    ['tx fee', '/app/fees'],
    ['estimate fees', '/app/fees'],
    ['trans', '/app/fees'],
  ])('%s', async (query, href) => expect((await search(query)).results[0]?.href).toBe(href));

  test('a slip is looked for only when the words as typed find little, and is said', async () => {
    expect(await search('conductor')).toMatchObject({ pass: 'exact', respellings: [] });
    expect(await search('condcutor')).toMatchObject({
      pass: 'fuzzy',
      respellings: [{ typed: 'condcutor', read: 'conductor' }],
    });
  });

  test('British spelling is no slip', async () => {
    expect(await search('finalising')).toMatchObject({ pass: 'exact', results: [{ href: '/app/withdrawals' }] });
  });

  test('a pasted log line finds the page that knows most of it', async () => {
    const log =
      't=2026-01-01T00:00:00+0000 lvl=error msg="failed to start" err="raft.bootstrap: cluster exists" pid=4711 attempt=3';
    expect((await search(log)).results[0]?.route).toBe('/node/conductor');
  });

  test('a part of the site: only its pages, with the counts of all', async () => {
    const everywhere = await search('conductor withdrawal fees');
    const answer = await search('conductor withdrawal fees', 'app');
    expect(routesOf(answer).every((route) => route.startsWith('/app/'))).toBe(true);
    expect(answer.areas).toEqual(everywhere.areas);
    expect(answer.areas.find(({ key }) => key === 'app')?.pages).toBe(answer.pages);
  });

  test.each(['', '   ', '?!', '--', '«»'])('%j asks for nothing and gets nothing', async (query) => {
    expect((await search(query)).results).toEqual([]);
  });

  test.each(['constructor', '__proto__', 'toString hasOwnProperty', 'valueOf'])(
    '%s is a word like others',
    async (query) => {
      expect((await search(query)).results).toEqual([]);
    },
  );
});

describe('laws of every answer', () => {
  const words = fc.constantFrom(
    'raft',
    'OP_NODE_L1',
    'eth_call',
    'fees',
    'sync',
    'how',
    'to',
    '0xAbC',
    'l1.beacon',
    'é',
  );
  const section = fc.record({
    heading: fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
    prose: fc.array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 80 }).map((list) => list.join(' ')),
    code: fc.array(
      fc.array(words, { maxLength: 40 }).map((list) => list.join('\n')),
      { maxLength: 2 },
    ),
  });
  const site = fc.array(fc.array(section, { minLength: 1, maxLength: 8 }), { maxLength: 20 }).map((pages) =>
    pages.flatMap((list, number) =>
      list.map((content, position): Section => ({
        route: `/p/${number}`,
        pageTitle: `Page ${number}`,
        trail: ['p'],
        slug: position === 0 ? '' : `s${position}`,
        ...content,
      })),
    ),
  );
  const query = fc.oneof(
    fc.array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 8 }).map((list) => list.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 2 * QUERY_LENGTH_MAX }),
  );

  test(
    'bounded, in order, with addresses that exist and headings that read as they are',
    async () => {
      await fc.assert(
        fc.asyncProperty(site, query, async (sections, typed) => {
          const asked = { query: typed };
          const { results, pages, pagesEverywhere, areas } = await find(await openInMemory(sections), asked);
          expect(results.length).toBe(Math.min(pages, RESULTS_MAX));
          expect(pagesEverywhere).toBe(pages);
          expect(areas.reduce((sum, area) => sum + area.pages, 0)).toBe(pages);
          const scores = results.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          for (const result of results) {
            expect(result.hits.length).toBeLessThanOrEqual(HITS_PER_PAGE);
            expect(result.href).toBe(result.hits[0]!.href);
            expect(result.titleSpans.map(({ text }) => text).join('')).toBe(result.pageTitle);
            for (const hit of result.hits) {
              const found = sections.find(({ route, slug }) => hit.href === (slug === '' ? route : `${route}#${slug}`));
              expect(hit.headingSpans.map(({ text }) => text).join('')).toBe(hit.heading);
              expect(hit.heading).toBe(found?.slug === '' ? found.pageTitle : found?.heading);
              const shown = hit.fragment?.spans.map(({ text }) => text).join('') ?? '';
              const own = shown.replace(/^… /, '').replace(/ …$/, '').trim();
              expect([found?.prose, ...(found?.code ?? [])].some((text) => text?.includes(own))).toBe(true);
            }
          }
        }),
        { numRuns: 60 },
      );
    },
    MS_MAX,
  );

  test(
    'the order does not depend on what was asked before',
    async () => {
      await fc.assert(
        fc.asyncProperty(site, query, query, async (sections, first, second) => {
          const index = await openInMemory(sections);
          await find(index, { query: first });
          const fresh = await find(await openInMemory(sections), { query: second });
          expect(await find(index, { query: second })).toEqual(fresh);
        }),
        { numRuns: 30 },
      );
    },
    MS_MAX,
  );
});
