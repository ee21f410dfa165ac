import { describe, expect, it } from 'vitest';
import { createPageCompiler } from './compile-page.ts';
import type { CompiledPage } from './compile-page.ts';
import { splitPage } from './split-page.ts';

describe('a page cut into parts', () => {
  it('is cut at headings of the second level, and nowhere else', () => {
    const text = 'a\n\n## b\n\n### c\n\n```sh\n## d\n```\n\n## e';
    expect(splitPage(text)).toEqual([
      { text: 'a\n', firstLine: 1 },
      { text: '## b\n\n### c\n\n```sh\n## d\n```\n', firstLine: 3 },
      { text: '## e', firstLine: 11 },
    ]);
  });

  it.each(['## a\n\n[x][1]\n\n## b\n\n[1]: /there', '## a[^1]\n\n## b\n\n[^1]: note'])(
    'stays whole where parts need each other: %j',
    (text) => {
      expect(splitPage(text)).toEqual([{ text, firstLine: 1 }]);
    },
  );
});

describe('the parts of a page, compiled', () => {
  const compile = createPageCompiler(
    { knows: () => true, highlight: (text) => Promise.resolve(text) },
    { list: () => '## Made\n\nwords' },
  );
  const page = (...body: string[]): Promise<CompiledPage> => {
    const head = ['---', 'title: T', 'description: A page that is cut and put together again.', 'kind: concept', '---'];
    return compile({ file: 'a.mdx', route: '/a', text: [...head, ...body].join('\n') });
  };

  it('are compiled anew when they change or their anchors do, and only then', async () => {
    const before = await page('x', '', '## A', '', '### Same', '', '## B', '', '### Same', '', '## C');
    const edited = await page('x', '', '## A', '', '### Same', '', 'more', '', '## B', '', '### Same', '', '## C');
    expect(edited.code.map((code, part) => code === before.code[part])).toEqual([true, false, true, true]);
    const renamed = await page('x', '', '## A', '', '### Other', '', '## B', '', '### Same', '', '## C');
    expect(renamed.code.map((code, part) => code === before.code[part])).toEqual([true, false, false, true]);
    expect(renamed.page.headings.map(({ slug }) => slug)).toEqual(['t', 'a', 'other', 'b', 'same', 'c']);
  });

  it('keep the lines of the file, wherever they moved', async () => {
    const wrong = ['## A', '', '![](/a.png)', '', '## B', '', '![](/b.png)'];
    const lines = ({ problems }: CompiledPage): number[] => problems.map(({ line }) => line);
    expect(lines(await page(...wrong))).toEqual([8, 12]);
    expect(lines(await page('', '', ...wrong))).toEqual([10, 14]);
    expect(lines(await page('<Generated from="list" />', '', ...wrong))).toEqual([10, 14]);
  });

  it('are one when an element spans a heading', async () => {
    const compiled = await page('<Callout kind="note">', '', '## Inside', '', '</Callout>', '', '## After');
    expect(compiled.problems).toEqual([]);
    expect(compiled.code.length).toBe(1);
    expect(compiled.page.sections.map(({ slug }) => slug)).toEqual(['', 'inside', 'after']);
  });

  it('are put together to the same page as one part would be', async () => {
    const body = ['First.', '', '## A', '', 'Text [a](/a).', '', '```sh', 'x', '```', '', '## B', '', '- b'];
    const cut = await page(...body);
    const whole = await page(...body, '', '[nobody]: /nowhere');
    expect([cut.code.length, whole.code.length]).toEqual([3, 1]);
    const facts = ({ page: { headings, sections, code, words } }: CompiledPage): unknown => ({
      headings,
      sections,
      code,
      words,
    });
    expect(facts(cut)).toEqual(facts(whole));
    expect(whole.page.markdown).toBe(`${cut.page.markdown}\n[nobody]: /nowhere\n`);
  });
});
