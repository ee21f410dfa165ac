import { beforeAll, describe, expect, it } from 'vitest';
import { createPageCompiler } from './compile-page.ts';
import type { CompiledPage, PageCompiler } from './compile-page.ts';
import { createCodeHighlighter } from './highlight.ts';

const HEAD = ['---', 'title: Page', 'description: A page on which the compiler is tried.', 'kind: concept', '---'];
const FIRST_LINE = HEAD.length + 1;

let compiler: PageCompiler;
beforeAll(async () => {
  compiler = createPageCompiler(await createCodeHighlighter(), {
    words: () => '## Made\n\nMade [words](#made).\n\n```sh\nmade\n```',
  });
});

const compile = (...body: string[]): Promise<CompiledPage> =>
  compiler({ file: 'a.mdx', route: '/a', text: [...HEAD, ...body].join('\n') });

const compiledCode = async (...body: string[]): Promise<string> => (await compile(...body)).code.join('\n');

const complaints = ({ problems }: CompiledPage): string[] =>
  problems.map(({ line, message }) => `${line - FIRST_LINE + 1}: ${message}`);

describe('a page, read', () => {
  it('has headings with slugs, of Markdown, HTML and steps alike', async () => {
    const { page, anchors } = await compile(
      '## Fees & `gas`',
      '',
      '### conductor_addServerAsVoter',
      '',
      '<h2>Raw</h2>',
      '',
      '<Steps id="s">',
      '  <Step title="Do it">',
      '    Now.',
      '  </Step>',
      '</Steps>',
    );
    expect(page.headings.map(({ depth, text, slug }) => [depth, text, slug])).toEqual([
      [1, 'Page', 'page'],
      [2, 'Fees & gas', 'fees--gas'],
      [3, 'conductor_addServerAsVoter', 'conductor_addserverasvoter'],
      [2, 'Raw', 'raw'],
      [4, 'Do it', 'do-it'],
    ]);
    expect(anchors).toEqual(new Set(['fees--gas', 'conductor_addserverasvoter', 'raw', 'do-it']));
  });

  it('gives steps the level below the heading above them, whatever headings they hold', async () => {
    const steps = [
      '<Steps id="s">',
      '<Step title="One">',
      '',
      '#### Inside',
      '',
      '</Step>',
      '<Step title="Two">',
      '</Step>',
      '</Steps>',
    ];
    const levels = async (heading: string): Promise<unknown> =>
      (await compiledCode(heading, '', ...steps)).match(/level: "\d"/g);
    expect(await levels('## Fees')).toEqual(['level: "3"', 'level: "3"']);
    expect(await levels('### Fees')).toEqual(['level: "4"', 'level: "4"']);
    expect(await levels('#### Fees')).toEqual(['level: "4"', 'level: "4"']);
    expect(await levels('Words.')).toEqual(['level: "2"', 'level: "2"']);
  });

  it('has no anchor that the frame has', async () => {
    const { page } = await compile('## Menu', '', '## Text');
    expect(page.headings.map(({ slug }) => slug)).toEqual(['page', 'menu-1', 'text-1']);
  });

  it('writes the slugs into what it renders', async () => {
    const code = await compiledCode(
      '## Fees',
      '',
      '<Steps id="s">',
      '<Step title="Do it">',
      'Now.',
      '</Step>',
      '</Steps>',
    );
    expect(code).toMatch(/id: "fees"/);
    expect(code).toMatch(/slug: "do-it"/);
  });

  it('treats what is generated like what is written', async () => {
    const { page } = await compile('<Generated from="words" />');
    expect(page.headings.map(({ slug, line }) => [slug, line])).toEqual([
      ['page', 1],
      ['made', FIRST_LINE],
    ]);
    expect(page.links).toEqual([{ href: '#made', line: FIRST_LINE }]);
    expect(page.markdown).toContain('Made [words](#made).');
    expect(page.sections.at(-1)).toMatchObject({ heading: 'Made', prose: 'Made words.', code: ['made'] });
  });

  it('is cut into sections for search, words and code apart', async () => {
    const { page } = await compile(
      'First **words**.',
      '',
      '| a | b |',
      '|---|---|',
      '| c | `d` |',
      '',
      '## Second',
      '',
      'More.',
      '',
      '```sh',
      'curl x',
      '```',
    );
    expect(page.sections.map(({ slug, heading, prose, code }) => ({ slug, heading, prose, code }))).toEqual([
      { slug: '', heading: 'Page', prose: 'First words. a b c d', code: [] },
      { slug: 'second', heading: 'Second', prose: 'More.', code: ['curl x'] },
    ]);
    expect(page.words).toBe(7);
  });

  it('gathers links of Markdown, headings, cards and terms', async () => {
    const { page } = await compile(
      '[a](/a)',
      '',
      '## [b](/b)',
      '',
      '<Card href="/c" title="C">c</Card>',
      '',
      '<Term id="l2">L2</Term>',
    );
    expect(page.links.map(({ href }) => href)).toEqual(['/a', '/b', '/c', '/connect/resources/glossary#l2']);
  });

  it('has tables, footnotes and struck words, and no link that is not written as one', async () => {
    const { page } = await compile('See https://a.example, www.b.example and c@d.example, not [e](/e).');
    expect(page.links.map(({ href }) => href)).toEqual(['/e']);
    const code = await compiledCode(
      '| A |',
      '| --- |',
      '| ~~one~~ |',
      '',
      'A note.[^n]',
      '',
      '- [x] done',
      '',
      '[^n]: Why.',
    );
    for (const element of ['table', 'del', 'sup', 'section', 'input']) expect(code).toContain(`_components.${element}`);
  });

  it('colours code by classes and keeps what must not be HTML as text', async () => {
    const code = await compiledCode('```sh title="a.sh" {2} prompt', 'echo "<b>" # 1', 'true', '```');
    expect(code).toContain('title: "a.sh"');
    expect(code).toContain('prompt: true');
    expect(code).toContain('&lt;b>'.replace('>', '&gt;'));
    expect(code).toContain('line marked');
    expect(code).toContain('sx-comment');
    expect(code).not.toContain('style=');
  });
});

describe('the Markdown twin', () => {
  const twin = async (...body: string[]): Promise<string> =>
    (await compile(...body)).page.markdown.replace('# Page\n\n', '');

  it('says in Markdown what components say', async () => {
    expect(await twin('<Callout kind="danger" title="Stop">Now.</Callout>')).toBe('> **Danger: Stop**\n>\n> Now.\n');
    expect(
      await twin(
        '<Cards>',
        '<Card title="A" href="/a">First.</Card>',
        '<Card title="B" href="/b">Second.</Card>',
        '</Cards>',
      ),
    ).toBe('- [A](/a): First.\n- [B](/b): Second.\n');
    expect(await twin('One<br />two')).toBe('One two\n');
    expect(await twin('A <Term id="l2">layer two</Term>, and {/* nothing */}more.')).toBe('A layer two, and more.\n');
    expect(await twin('<Island name="X">', 'A table.', '</Island>')).toBe('A table.\n');
    expect(
      await twin(
        '<Tabs>',
        '  <Tab label="curl">',
        '    ```sh run="a/b" prompt',
        '    x',
        '      y',
        '    ```',
        '  </Tab>',
        '</Tabs>',
      ),
    ).toBe('**curl**\n\n```sh prompt\nx\n  y\n```\n');
  });

  it('keeps elements in their list', async () => {
    const list = ['1. one', '', '   <Callout>', '   Careful.', '', '   Very.', '   </Callout>', '', '2. two'];
    expect(await twin(...list)).toBe('1. one\n\n   > **Note**\n   >\n   > Careful.\n   >\n   > Very.\n\n2. two\n');
  });

  it('says nothing of recordings, however deep the fence stands, and changes no code', async () => {
    const fenced = (indent: string, meta: string): string[] =>
      ['```sh' + meta, 'a run="kept"', '', '  b', '```'].map((line) => (line === '' ? line : indent + line));
    const list = (meta: string): string[] => [
      '1. one',
      '',
      ...fenced('   ', meta),
      '',
      '   - two',
      '',
      ...fenced('     ', meta),
    ];
    expect(await twin(...list(' run="a/b" prompt'))).toBe(`${list(' prompt').join('\n')}\n`);
    expect(await twin(...fenced('> ', '  run="a/b"'))).toBe(`${fenced('> ', '').join('\n')}\n`);
    expect(await twin(...fenced('', ''))).toBe(`${fenced('', '').join('\n')}\n`);
  });

  it('leaves Markdown as it was written', async () => {
    const body = [
      '* star',
      '',
      '1. one',
      '   - two',
      '',
      '```text',
      'a',
      '',
      '',
      '',
      'b',
      '```',
      '',
      '| a |',
      '|-|',
      '| b |',
    ];
    expect(await twin(...body)).toBe(`${body.join('\n')}\n`);
  });
});

describe('mistakes', () => {
  const wrong: readonly [body: string[], complaint: RegExp][] = [
    [['', '# Title'], /^2: The title of the head is the only heading of the first level/],
    [['##### Deep'], /^1: “Deep” is a heading of level 5/],
    [['## …'], /^1: A heading needs words or digits/],
    [['## A', '', '## A'], /^3: “A” would have the anchor #a, like “A” in line 6/],
    [['```', 'x', '```'], /^1: This code block names no language/],
    [['```nolang', 'x', '```'], /^1: Nothing here can colour the language nolang/],
    [['```sh bold', 'x', '```'], /^1: A code block knows/],
    [['![](/a.png)'], /^1: This image has no alternative text/],
    [['<img src="/a.png" />'], /^1: This image has no alternative text/],
    [['![a](https://example.org/a.png)'], /^1: The picture .* would be fetched from another site/],
    [['import A from "./a"'], /^1: A page holds no import or export/],
    [['', '<Callout>', 'x'], /^2: This is not MDX/],
    [['{ 1 + }'], /^1: This is not MDX/],
    [['<Steps id="s">', '<Step>', 'x', '</Step>', '</Steps>'], /^2: A <Step> needs a title/],
    [['<img src="/a.png" alt=" " />'], /^1: This image has no alternative text/],
    [['![a][b]', '', '[b]: https://example.org/a.png'], /^1: The picture .* would be fetched from another site/],
    [['![][b]', '', '[b]: /a.png'], /^1: This image has no alternative text/],
    [['<img src={"https://example.org/a.png"} alt="a" />'], /^1: The picture .* would be fetched from another site/],
    [['Words', 'and [words][nope].'], /^2: The reference \[nope\] has no definition/],
    [['[`code`][nope]'], /^1: The reference \[nope\] has no definition/],
    [['Words.[^nope]'], /^1: The reference \[\^nope\] has no definition/],
    [['## Fees', '', '<div id="fees">x</div>'], new RegExp(`^3: The id fees is taken by line ${FIRST_LINE};`)],
    [['<p id="a">x</p>', '', '## B', '', '<p id="a">y</p>'], /^5: The id a is taken by line 6;/],
    [['Words [of][two', 'lines].'], /^1: The reference \[two lines\] has no definition/],
    [['<p id="menu">x</p>'], /^1: The id menu is the frame's own/],
    [['<h2 id="a b">x</h2>'], /^1: The id "a b" must be one word/],
    [['## A', '', '<h3 id="b-1">x</h3>', '', '## B', '', '## C', '', '### B'], /^9: “B” would have the anchor #b-1/],
    [['<p id="a b">x</p>'], /^1: The id "a b" must be one word/],
    [['<h2 id="fees">Cost</h2>', '', '### Else', '', '## Fees'], /^5: “Fees” would have the anchor #fees/],
    [['```mermaid', 'nonsense', 'accTitle: a', 'accDescr: b', '```'], /^1: This diagram cannot be drawn/],
    [['```mermaid', 'graph LR', 'a --> b', '```'], /^1: This diagram cannot be drawn: it needs a line `accTitle/],
  ];
  it.each(wrong)('are named with their line: %j', async (body, complaint) => {
    expect(complaints(await compile(...body))).toEqual([expect.stringMatching(complaint)]);
  });

  it('may be repeated words elsewhere, in steps, and empty alternatives of ornaments', async () => {
    const steps = (id: string): string[] => [
      `<Steps id="${id}">`,
      '<Step title="Check">',
      'x',
      '</Step>',
      '</Steps>',
      '',
    ];
    const compiled = await compile(
      '## A',
      '',
      '### Same',
      '',
      '## B',
      '',
      '### Same',
      '',
      ...steps('a'),
      ...steps('b'),
      '<img src="/a.svg" alt="" />',
    );
    expect(complaints(compiled)).toEqual([]);
    expect(compiled.page.headings.map(({ slug }) => slug)).toEqual([
      'page',
      'a',
      'same',
      'b',
      'same-1',
      'check',
      'check-1',
    ]);
  });

  it('are all named at once', async () => {
    expect(complaints(await compile('# One', '', '![](/a.png)', '', '```', 'x', '```'))).toHaveLength(3);
  });
});
