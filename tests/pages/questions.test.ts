import { describe, expect, test } from 'vitest';
import type { BuiltPage } from './built-pages.ts';
import { lengthComplaints } from './lengths.ts';
import { questionComplaints } from './questions.ts';

function page(route: string, changes: Partial<BuiltPage> = {}): BuiltPage {
  return { route, kind: 'concept', headings: new Set(['here']), links: new Set(['/b']), words: 300, ...changes };
}

const isAsked = (route: string): boolean => !route.startsWith('/records/');

const answers = (...given: readonly string[]): unknown =>
  given.map((answer, index) => ({ question: `Question ${index}?`, answer }));

describe('what is said of questions', () => {
  const pages = new Map([page('/a'), page('/b'), page('/records/1')].map((one) => [one.route, one]));
  const full = answers('#here', '#here', '#here', '#here', '#here');
  const complaints = (a: unknown): string[] =>
    questionComplaints(
      pages,
      new Map([
        ['/a', a],
        ['/b', full],
      ]),
      isAsked,
    );

  test('nothing where five are answered on the page or on one it links to, under a heading or above the first', () => {
    expect(complaints(answers('#here', '/b#here', '#', '/b#', '#here'))).toEqual([]);
  });

  test.each([
    [answers('#here'), '/a: 1 different questions instead of 5'],
    [
      Array.from({ length: 5 }, () => ({ question: 'Same?', answer: '#here' })),
      '/a: 1 different questions instead of 5',
    ],
    [answers('#none', '#here', '#here', '#here', '#here'), '/a: /a has no heading #none'],
    [answers('/b#none', '#here', '#here', '#here', '#here'), '/a: /b has no heading #none'],
    [answers('/c#here', '#here', '#here', '#here', '#here'), '/a: there is no page /c that could answer'],
    [answers('/c#', '#here', '#here', '#here', '#here'), '/a: there is no page /c that could answer'],
    [answers('/b', '#here', '#here', '#here', '#here'), '/a: an answer is #heading, or /route#heading'],
    [[{ question: 'No mark', answer: '#here' }], '/a: a question ends with a question mark'],
    [{}, expect.stringMatching(/^\/a: .*array/)],
  ])('what is wrong: %j', (given, complaint) => {
    expect(complaints(given)).toEqual([complaint]);
  });

  test('a page nobody links to from here, a page without questions, questions without a page', () => {
    const unlinked = new Map([page('/a', { links: new Set() }), page('/b')].map((one) => [one.route, one]));
    const asked = new Map([
      ['/a', answers('/b#here', '#here', '#here', '#here', '#here')],
      ['/gone', full],
    ]);
    expect(questionComplaints(unlinked, asked, isAsked)).toEqual([
      '/gone: there are questions, and no page',
      '/a: no link leads to /b#here',
      '/b: 0 different questions instead of 5',
    ]);
  });
});

describe('what is said of lengths', () => {
  const why = 'A page for this test alone.';
  const kinds = { concept: { min: 250, max: 1200 } };

  test.each([
    [249, '/a has 249 words; a page of the kind concept has 250 to 1200'],
    [1201, '/a has 1201 words; a page of the kind concept has 250 to 1200'],
  ])('%i words are named', (words, complaint) => {
    expect(lengthComplaints([page('/a', { words })], { kinds, exceptions: [] })).toEqual([complaint]);
    expect(lengthComplaints([page('/a', { words, kind: 'reference' })], { kinds, exceptions: [] })).toEqual([]);
  });

  test('an exception holds for its page or for all below it, and has to be needed', () => {
    const short = [page('/a', { words: 100 }), page('/d/1', { words: 100 }), page('/d', { words: 300 })];
    const exceptions = [
      { page: '/a', min: 90, why },
      { page: '/d/*', min: 90, why },
    ];
    expect(lengthComplaints(short, { kinds, exceptions })).toEqual([]);
    expect(lengthComplaints([page('/a')], { kinds, exceptions: [{ page: '/a', min: 90, why }] })).toEqual([
      '/a needs no exception: its length is usual',
    ]);
    expect(() => lengthComplaints([], { kinds, exceptions: [{ page: '/a' }] })).toThrow(/why/);
  });
});
