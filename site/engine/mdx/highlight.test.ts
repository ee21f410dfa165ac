import { expect, test } from 'vitest';
import { createCodeHighlighter } from './highlight.ts';

const NOTHING_MARKED = new Set<number>();

test('code inside of code has its colours from the first block on, whatever was coloured before', async () => {
  const text = '```sh\ncurl -s https://example.com\n```\n';
  const highlighter = await createCodeHighlighter();
  const first = await highlighter.highlight(text, 'mdx', NOTHING_MARKED);
  expect(first).toContain('<span class="sx-function">curl');
  await highlighter.highlight('true', 'sh', NOTHING_MARKED);
  expect(await highlighter.highlight(text, 'mdx', NOTHING_MARKED)).toBe(first);
});

test('a line that takes long has its colours to the end', async () => {
  const highlighter = await createCodeHighlighter();
  // More than the half second after which the library would stop.
  const words = Array.from({ length: 100_000 }, (_, at) => `${at}`).join(', ');
  expect(await highlighter.highlight(`[${words}, true]`, 'json', NOTHING_MARKED)).toMatch(/>true<\/span>.{0,60}\n/);
});
