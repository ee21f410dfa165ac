/** What is not on the list is refused with its line, and is not in the module that renders the page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createPageCompiler } from './compile-page.ts';
import type { PageCompiler } from './compile-page.ts';
import { createCodeHighlighter } from './highlight.ts';

const HEAD = '---\ntitle: Page\ndescription: A page on which elements are tried out.\nkind: concept\n---\n';
const HEAD_LINES = 5;

let compiler: PageCompiler;
beforeAll(async () => {
  compiler = createPageCompiler(await createCodeHighlighter(), {});
});

async function compiled(body: string): Promise<{ complaints: string[]; code: string }> {
  const { problems, code } = await compiler({ file: 'a.mdx', route: '/a', text: HEAD + body });
  const complaints = problems.map(({ line, message }) => `${line - HEAD_LINES}: ${message}`);
  return { complaints, code: code.join('\n') };
}

describe('refused', () => {
  const elements = [
    '<script src="https://evil.example/a.js"></script>',
    '<iframe src="https://evil.example" />',
    '<video src="https://evil.example/a.mp4" />',
    '<object data="https://evil.example" />',
    '<form action="https://evil.example">x</form>',
    '<style>x</style>',
    '<foobar data="evil" />',
    '<site-island data-name="evil" />',
    '<a.b title="evil" />',
    '<h1 title="evil">x</h1>',
    '<>x</>',
  ];
  it.each(elements)('the element %s', async (element) => {
    const { complaints, code } = await compiled(`Words.\n\n${element}`);
    expect(complaints).toEqual([expect.stringMatching(/^3: A page holds no </)]);
    expect(code).not.toMatch(/evil/);
  });

  const attributes: readonly [element: string, complaint: RegExp][] = [
    ['<img srcSet="https://evil.example/a.png" src="/a.png" alt="a" />', /^1: <img> takes no srcSet, only src, alt/],
    ['<div style="color:evil">x</div>', /^1: <div> takes no style/],
    ['<p onClick="evil()">x</p>', /^1: <p> takes no onClick/],
    ['<p data-copy="evil">x</p>', /^1: <p> takes no data-copy/],
    ['<p dangerouslySetInnerHTML={{ __html: "evil" }} />', /^1: <p> takes no dangerouslySetInnerHTML/],
    ['<p {...evil}>x</p>', /^1: <p> takes no \{…\}/],
    ['<p\n  lang="en"\n  title={evil}\n>x</p>', /^3: title of <p> must be written out/],
    ['<p title={`${evil}`}>x</p>', /^1: title of <p> must be written out/],
    ['<p title="a" title="evil">x</p>', /^1: <p> has title twice/],
    ['<p dir="evil">x</p>', /^1: dir of <p> must be one of ltr, rtl, auto, not "evil"/],
    ['<details open="evil">x</details>', /^1: open of <details> stands alone/],
    ['<br>evil</br>', /^1: <br \/> holds nothing/],
    ['<Callout kind="evil">x</Callout>', /^1: kind of <Callout> must be one of note, warning, danger, not "evil"/],
    ['<Callout>x</Callout>', /^1: <Callout> needs kind="…"/],
    ['<Tabs><Tab label=" ">x</Tab></Tabs>', /^1: <Tab> needs label="…"/],
    ['<Card href="/a" title={[1]}>x</Card>', /^1: title of <Card> must be a text in double quotes/],
    ['<Cards evil="x" />', /^1: <Cards> takes no evil\./],
    ['<Island name="X" when="evil" />', /^1: when of <Island> must be one of visible, use, not "evil"/],
    ['<Island name="X" rows={evil()} />', /^1: rows of <Island> must be written out/],
    ['<Island name="X" rows={[...evil]} />', /^1: rows of <Island> must be written out/],
    ['<Island name="X" rows={{ [evil]: 1 }} />', /^1: rows of <Island> must be written out/],
    ['<Island name="X" key="evil" />', /^1: <Island> takes no key/],
  ];
  it.each(attributes)('what %s says', async (element, complaint) => {
    const { complaints, code } = await compiled(element);
    expect(complaints).toEqual([expect.stringMatching(complaint)]);
    expect(code).not.toMatch(/evil/);
  });

  it.each(['{process.env.evil}', 'Words {evil} here.', '## A {evil}', '- {"evil"}', '| a |\n| - |\n| {evil} |'])(
    'the expression of %s',
    async (body) => {
      const { complaints, code } = await compiled(body);
      expect(complaints).toEqual([expect.stringMatching(/: A page computes nothing/)]);
      expect(code).not.toMatch(/evil/);
    },
  );
});

describe('allowed', () => {
  const bodies = [
    '<details open>\n<summary>More</summary>\n\nWords <sup>1</sup> and <abbr title="a">b</abbr>.<br />x\n\n</details>',
    '<table><tbody><tr><th scope="row">a</th><td colSpan={2}>b</td></tr></tbody></table>',
    '<img src={"/a.svg"} alt={`A drawing`} width={20} />',
    '<ol start={3} reversed={false}><li>x</li></ol>',
    '<Island name="X" when="use" rows={[1, -2, "a", null, true, { a: { "b": [] } }]} wide>x</Island>',
    '<a href="/b" lang="de">x</a>{/* a comment */}\n\n{/* another */}',
    '<Tabs sync="anything">\n<Tab label="a">x</Tab>\n</Tabs>',
    String.raw`Braces \{ and \}, brackets \[a]\[b] and ${'`[a][b]`'}, [this][x] too.[^1]` +
      '\n\n[x]: https://example.org\n[^1]: A note.',
  ];
  it.each(bodies)('%s', async (body) => {
    expect((await compiled(body)).complaints).toEqual([]);
  });

  it('literals reach islands as what they are, and elements as text', async () => {
    expect((await compiled('<Island name="X" rows={[1, -2]} />')).code).toContain('rows: [1, -2]');
    expect((await compiled('<td colSpan={2} />')).code).toContain('colSpan: "2"');
    expect((await compiled('<ol reversed={false} />')).code).not.toContain('reversed');
  });
});
