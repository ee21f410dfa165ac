import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveContent } from './live-content.ts';

const page = (title: string, body: string): string =>
  `---\ntitle: ${title}\ndescription: A page for the test of content that is edited.\nkind: concept\n---\n\n${body}\n`;

test('an edit changes its page and those that show its text, and no other', async () => {
  const root = mkdtempSync(join(tmpdir(), 'live-content-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  write('menu.yaml', ['one', 'two', 'three'].map((name) => `- page: ${name}\n  label: ${name}\n`).join(''));
  write('one.mdx', page('One', 'The first text.'));
  write('two.mdx', page('Two', '<Generated from="page/text" of="/one" />'));
  write('three.mdx', page('Three', 'Another text.'));
  const textOfOne = (): string => readFileSync(join(root, 'one.mdx'), 'utf8').split('---\n')[2] ?? '';
  const content = await openLiveContent({ root, pages: root }, () => Promise.resolve({ 'page/text': textOfOne }));
  const shown = (route: string): string | undefined => content.graph().pages.get(route)?.page.markdown;
  expect([content.graph().problems, shown('/two')]).toEqual([[], '# Two\n\nThe first text.\n']);

  const codeOf = (route: string): unknown => content.graph().pages.get(route)?.code;
  const before = ['/one', '/two', '/three'].map(codeOf);
  write('one.mdx', page('One', 'The second text.'));
  await content.update(join(root, 'one.mdx'));
  expect(['/one', '/two', '/three'].map(codeOf).map((code, at) => code === before[at])).toEqual([false, false, true]);
  expect([shown('/one'), shown('/two')]).toEqual(['# One\n\nThe second text.\n', '# Two\n\nThe second text.\n']);

  rmSync(join(root, 'three.mdx'));
  await content.update(join(root, 'three.mdx'));
  expect(content.graph().pages.has('/three')).toBe(false);
});

test('a text that is shown by way of another page changes with it, and so does the list of records', async () => {
  const root = mkdtempSync(join(tmpdir(), 'live-content-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  const names = ['source', 'shows', 'shows-shown', 'list', '0001-record'];
  write('menu.yaml', names.map((name) => `- page: ${name}\n  label: ${name}\n`).join(''));
  const bodyOf = (name: string): string => readFileSync(join(root, `${name}.mdx`), 'utf8').split('---\n')[2] ?? '';
  write('source.mdx', page('Source', 'The first text.'));
  write('shows.mdx', page('Shows', '<Generated from="page/text" of="/source" />'));
  write('shows-shown.mdx', page('Shows shown', '<Generated from="page/text" of="/shows" />'));
  write('0001-record.mdx', page('A record', 'Decided.'));
  write('list.mdx', page('List', '<Generated from="decision-records" />'));
  const content = await openLiveContent({ root, pages: root }, () =>
    Promise.resolve({
      'page/text': ({ of = '' }) => bodyOf(of.slice(1)),
      'decision-records': () => bodyOf('0001-record'),
    }),
  );
  const shown = (route: string): string | undefined => content.graph().pages.get(route)?.page.markdown;
  write('source.mdx', page('Source', 'The second text.'));
  await content.update(join(root, 'source.mdx'));
  expect(['/shows', '/shows-shown', '/list'].map(shown)).toEqual([
    '# Shows\n\nThe second text.\n',
    '# Shows shown\n\nThe second text.\n',
    '# List\n\nDecided.\n',
  ]);
  write('0001-record.mdx', page('A record', 'Replaced.'));
  await content.update(join(root, '0001-record.mdx'));
  expect(shown('/list')).toBe('# List\n\nReplaced.\n');
});
