import { expect, it } from 'vitest';
import { createPageCompiler } from './compile-page.ts';
import { createCodeHighlighter } from './highlight.ts';

const HEAD = '---\ntitle: Page\ndescription: A page that is not what its author meant.\nkind: concept\n---\n';
const LATIN = new TextDecoder().decode(Uint8Array.of(0x63, 0x61, 0x66, 0xe9));

it.each([
  ['is not UTF-8', `One.\n${LATIN}\n`, /^7: This line is not UTF-8/],
  ['has a heading with an id', '## Once\n\n## Twice {#same}\n', /^8: A heading takes no id: .* Take \{#same\} away\.$/],
])('a page that %s is refused with one sentence and its line', async (_what, body, sentence) => {
  const compile = createPageCompiler(await createCodeHighlighter(), {});
  const { problems } = await compile({ file: 'a.mdx', route: '/a', text: HEAD + body });
  expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([expect.stringMatching(sentence)]);
});
