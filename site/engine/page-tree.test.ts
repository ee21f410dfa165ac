import { describe, expect, it } from 'vitest';
import { readMenu } from './menu.ts';
import { buildPageTree } from './page-tree.ts';
import type { PageTree } from './page-tree.ts';

function tree(menus: Readonly<Record<string, string>>, routes: readonly string[]): PageTree {
  return buildPageTree({
    menus: new Map(Object.entries(menus).map(([path, text]) => [path, readMenu(`pages${path}/menu.yaml`, text)])),
    pages: new Map(routes.map((route) => [route, `pages${route === '/' ? '/index' : route}.mdx`])),
  });
}

const complaints = ({ problems }: PageTree): string[] =>
  problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);

const routesOf = ({ readings }: PageTree): string[][] => readings.map((reading) => reading.map(({ route }) => route));

describe('the page tree', () => {
  const small = tree(
    {
      '': '- page: index\n  label: Home\n  hidden: true\n- folder: a\n  label: A\n- page: z\n  label: Z\n',
      '/a': '- page: one\n  label: One\n- link: https://example.org/\n  name: out\n  label: Out\n- folder: b\n  label: B\n',
      '/a/b': '- page: two\n  label: Two\n',
    },
    ['/', '/z', '/a/one', '/a/b', '/a/b/two'],
  );

  it('is read depth first, without hidden pages and folders that have no page', () => {
    expect(complaints(small)).toEqual([]);
    expect(routesOf(small)).toEqual([['/a/one', '/a/b', '/a/b/two', '/z']]);
  });

  it('has a reading order for every folder that stands apart', () => {
    const apart = tree(
      {
        '': '- page: x\n  label: X\n- folder: a\n  label: A\n  apart: true\n- page: z\n  label: Z\n',
        '/a': '- page: one\n  label: One\n- page: two\n  label: Two\n',
      },
      ['/x', '/z', '/a', '/a/one', '/a/two'],
    );
    expect(complaints(apart)).toEqual([]);
    expect(routesOf(apart)).toEqual([
      ['/x', '/z'],
      ['/a', '/a/one', '/a/two'],
    ]);
  });

  it('knows the way to every page', () => {
    expect(small.trails.get('/a/b/two')).toEqual([
      { label: 'A', route: null },
      { label: 'B', route: '/a/b' },
    ]);
    expect(small.trails.get('/')).toEqual([]);
  });

  it('sends readers of named links and of folders without a page on', () => {
    expect(small.redirects).toEqual([
      { from: '/a/out', to: 'https://example.org/' },
      { from: '/a', to: '/a/one' },
    ]);
  });

  it('wants every page in a menu and every entry a page', () => {
    const broken = tree({ '': '- page: a\n  label: A\n- page: b\n  label: B\n' }, ['/a', '/c']);
    expect(complaints(broken)).toEqual([
      'pages/menu.yaml:3: There is no page b.mdx beside this menu.',
      'pages/c.mdx:1: No menu lists this page; add it to pages/menu.yaml.',
    ]);
  });

  it('wants pages and folders called what they are, once', () => {
    const broken = tree(
      {
        '': '- page: a\n  label: A\n- page: f\n  label: F\n- folder: a\n  label: A\n- page: a\n  label: A\n',
        '/f': '',
      },
      ['/a'],
    );
    expect(complaints(broken)).toEqual([
      'pages/f/menu.yaml:1: A menu is a list of entries, each on a line that begins with a dash.',
      'pages/menu.yaml:3: f is a folder; write `folder: f`.',
      'pages/menu.yaml:5: a is in the menu twice.',
      'pages/menu.yaml:7: a is in the menu twice.',
    ]);
  });

  it('lists the page of a folder in the menu above', () => {
    const broken = tree({ '': '- folder: a\n  label: A\n', '/a': '- page: index\n  label: A\n' }, ['/a']);
    expect(complaints(broken)).toEqual([
      'pages/a/menu.yaml:1: index is the page of the folder itself; the menu above lists it with `folder: a`.',
    ]);
  });

  it('does not let a link take the place of a page', () => {
    const broken = tree({ '': '- page: a\n  label: A\n- link: https://example.org/\n  name: a\n  label: A\n' }, ['/a']);
    expect(complaints(broken)).toEqual([
      'pages/menu.yaml:3: /a is a page and cannot lead to https://example.org/, too.',
    ]);
  });

  it('does not blame pages for a menu that cannot be read', () => {
    const broken = tree({ '': '- folder: a\n  label: A\n', '/a': '- page: [\n' }, ['/a/one']);
    expect(broken.problems.every(({ file }) => file === 'pages/a/menu.yaml')).toBe(true);
    expect(broken.problems.length).toBeGreaterThan(0);
  });

  it.each([
    ['- page: a', /needs a label/],
    ['- page: a\n  folder: b\n  label: A', /exactly one of/],
    ['- label: A', /exactly one of/],
    ['- link: /a\n  label: A', /whole address/],
    ['- page: ../a\n  label: A', /name of a file or folder/],
    ['- page: 404\n  label: A', /text in quotes/],
    ['- page: a\n  label: 404', /put it into quotes/],
    ['- page: a\n  label: A\n  hidden: yes please', /either true or false/],
    ['- page: a\n  label: A\n  icon: x', /no such key/],
    ['page: a', /is a list of entries/],
  ])('says what is wrong with an entry: %j', (text, message) => {
    const { problems } = readMenu('menu.yaml', text);
    expect(problems).toEqual([expect.objectContaining({ file: 'menu.yaml', message: expect.stringMatching(message) })]);
  });

  it('reads separators with and without words', () => {
    const { entries } = tree({ '': '- separator: EXPERIMENTAL\n- separator:\n' }, []);
    expect(entries).toEqual([
      { type: 'separator', label: 'EXPERIMENTAL' },
      { type: 'separator', label: null },
    ]);
  });
});
