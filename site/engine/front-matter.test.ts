import { describe, expect, it } from 'vitest';
import { readPageHead } from './front-matter.ts';

const FILE = 'content/pages/a.mdx';
const DESCRIPTION = 'What is said here, in a sentence of thirty characters.';

function page(...lines: string[]): string {
  return ['---', ...lines, '---', '', 'Text.'].join('\n');
}

describe('the head of a page', () => {
  it('has defaults for language and tags', () => {
    const { frontMatter, problems } = readPageHead(
      FILE,
      page('title: A', `description: ${DESCRIPTION}`, 'kind: concept'),
    );
    expect(problems).toEqual([]);
    expect(frontMatter).toEqual({ title: 'A', description: DESCRIPTION, lang: 'en-US', kind: 'concept', tags: [] });
  });

  it('leaves the lines of the body where they were', () => {
    const source = page('title: A', `description: ${DESCRIPTION}`, 'kind: concept');
    expect(readPageHead(FILE, source).body.split('\n').indexOf('Text.')).toBe(source.split('\n').indexOf('Text.'));
  });

  it('is read from files with a byte order mark and Windows line ends', () => {
    const source = `\uFEFF${page('title: A', `description: ${DESCRIPTION}`, 'kind: concept').replaceAll('\n', '\r\n')}`;
    const head = readPageHead(FILE, source);
    expect([head.problems, head.frontMatter.title, head.body.trim()]).toEqual([[], 'A', 'Text.']);
  });

  const wrong: readonly [lines: string[], line: number, message: RegExp][] = [
    [[`description: ${DESCRIPTION}`, 'kind: concept'], 2, /title must be text/],
    [['title: 7', `description: ${DESCRIPTION}`, 'kind: concept'], 2, /title must be text/],
    [['title: A', 'kind: concept'], 2, /description must be text/],
    [['title: A', 'description: short', 'kind: concept'], 3, /30 characters or more/],
    [['title: A', `description: ${'long '.repeat(41)}`, 'kind: concept'], 3, /200 characters or fewer/],
    [['title: A', `description: ${DESCRIPTION}`], 2, /kind must be one of/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'tags: bridge'], 5, /tags must be a list/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'tags: [bridge, 7]'], 5, /a tag must be text/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'lang: no_such'], 5, /BCP 47/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'lang: klingon'], 5, /language that exists/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'date: 2026-13-01'], 5, /day of the calendar/],
    [
      ['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'canonical: https://x.org/'],
      5,
      /route of another page/,
    ],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'author: me'], 5, /There is no author/],
    [['title: A', `description: ${DESCRIPTION}`, 'kind: [concept'], 4, /not YAML/],
    [['title: A', 'title: B', `description: ${DESCRIPTION}`, 'kind: concept'], 3, /not YAML.*unique/],
    [['- title: A', `description: ${DESCRIPTION}`, 'kind: concept', 'tags: [a, b]'], 3, /not YAML/],
    [['title: *nothing', `description: ${DESCRIPTION}`, 'kind: concept'], 2, /not YAML: There is no anchor &nothing/],
    [['just words'], 2, /list of `key: value` lines/],
  ];
  it.each(wrong)('is refused with the line and a sentence: %j', (lines, line, message) => {
    const { problems } = readPageHead(FILE, page(...lines));
    expect(problems).toEqual([{ file: FILE, line, message: expect.stringMatching(message) }]);
  });

  it.each(['', 'Text only.', '---\ntitle: never closed'])('is missed: %j', (source) => {
    const { problems } = readPageHead(FILE, source);
    expect(problems).toEqual([{ file: FILE, line: 1, message: expect.stringMatching(/must begin with a head/) }]);
  });
});
