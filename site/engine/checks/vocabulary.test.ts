/** Words to avoid are found where readers read them, whole words only, and never in code. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodeHighlighter } from '../mdx/highlight.ts';
import { createPageCompiler } from '../mdx/compile-page.ts';
import type { PageCompiler } from '../mdx/compile-page.ts';
import { parseVocabulary, readVocabulary } from '../vocabulary.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { checkVocabulary } from './vocabulary.ts';

const entry = (avoid: string, use: string, exactCase = false) => ({
  avoid: [avoid] as [string],
  use,
  why: 'Because.',
  exactCase,
});
const vocabulary: Vocabulary = {
  source: 'a test',
  date: '2026-01-01',
  groups: [
    { title: 'All', entries: [entry('in order to', 'to'), entry('e.g.', 'such as'), entry('Viem', 'viem', true)] },
  ],
};

const HEAD = '---\ntitle: TITLE\ndescription: A page on which the words are tried out.\nkind: concept\n---\n';

let compile: PageCompiler;
beforeAll(async () => {
  compile = createPageCompiler(await createCodeHighlighter(), { made: () => 'Made\n\nin order to\n\nbe found.' });
});

/** `line: term` of everything found; line 1 is the first of the body. */
async function found(body: string, title = 'Page'): Promise<string[]> {
  const head = HEAD.replace('TITLE', title);
  const page = await compile({ file: 'a.mdx', route: '/a', text: head + body });
  expect(page.problems).toEqual([]);
  return checkVocabulary({ pages: new Map([['/a', page]]) }, vocabulary).map(
    ({ line, message }) => `${Math.max(0, line - 5)}: ${/“(.*)”/.exec(message)?.[1]}`,
  );
}

describe('words to avoid', () => {
  it('are found in any case, over the end of a line, and after punctuation', async () => {
    expect(await found('One.\nTwo, In Order\nto go (e.g. there).')).toEqual(['2: in order to', '3: e.g.']);
  });

  it('are found in titles, headings, tables, links, labels and alternative texts', async () => {
    const body = [
      '## In order to',
      '| a |\n| - |\n| in order to |',
      '[in order to](#x)',
      '![in order to](/a.svg)',
      '<Step title="In order to">\n\nDo it.\n\n</Step>',
    ].join('\n\n');
    expect(await found(body, 'In order to')).toEqual([
      '0: in order to',
      '1: in order to',
      '5: in order to',
      '7: in order to',
      '9: in order to',
      '11: in order to',
    ]);
  });

  it('are named where generated text is asked for', async () => {
    expect(await found('One.\n\n<Generated from="made" />\n\nTwo.')).toEqual(['3: in order to']);
  });

  it('may stand in code, in addresses and within other words', async () => {
    const body =
      '`in order to`\n\n```text\nin order to\n```\n\n[x](https://example.org/Viem) and aViem, Viem-like, viem.';
    expect(await found(body)).toEqual([]);
  });

  it('may stand on the pages that are excepted from their group, and nowhere else', async () => {
    const exceptions = [{ page: '/old/*', groups: ['All'], why: 'These pages are not edited any more.' }];
    const file = async (route: string) =>
      [route, await compile({ file: `${route}.mdx`, route, text: `${HEAD}Go in order to stay.` })] as const;
    const pages = new Map([await file('/old/a'), await file('/older')]);
    const problems = checkVocabulary({ pages }, { ...vocabulary, exceptions });
    expect(problems.map((problem) => problem.file)).toEqual(['/older.mdx']);
  });

  it('come with what to write', async () => {
    const page = await compile({ file: 'a.mdx', route: '/a', text: HEAD.replace('TITLE', 'Viem') });
    expect(checkVocabulary({ pages: new Map([['/a', page]]) }, vocabulary)).toEqual([
      { file: 'a.mdx', line: 1, message: '“Viem” is a word this site avoids. Instead: viem. Because.' },
    ]);
  });
});

describe('the list', () => {
  it('of the site is one, and recommends nothing that it avoids', () => {
    const { groups } = readVocabulary();
    const entries = groups.flatMap((group) => group.entries);
    const avoided = new Set(entries.filter(({ exactCase }) => !exactCase).flatMap(({ avoid }) => avoid));
    for (const { use } of entries) expect(avoided).not.toContain(use);
  });

  it('is refused with its place when it has another shape, or a term twice', () => {
    const wrong = { ...vocabulary, groups: [{ title: 'All', entries: [{ avoid: ['x y'], use: 'z' }] }] };
    expect(() => parseVocabulary(wrong as unknown as Vocabulary)).toThrow('groups.0.entries.0.why');
    const lost = {
      ...vocabulary,
      exceptions: [{ page: '/a', groups: ['None'], why: 'There is no group of this name.' }],
    };
    expect(() => parseVocabulary(lost as Vocabulary)).toThrow('excepts pages from None');
    const twice = { ...vocabulary, groups: [...vocabulary.groups, ...vocabulary.groups] };
    expect(() => parseVocabulary(twice)).toThrow('lists "in order to" twice');
  });
});
