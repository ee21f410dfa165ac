/**
 * Pages as their sources have them, generated text and all, without a build: parsed and read, neither drawn nor rendered.
 * A page takes some milliseconds, those of large tables a hundred. The words of figures are not counted.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPageHead } from '../../site/engine/front-matter.ts';
import { generators } from '../../site/engine/generated/registry.ts';
import { placeAnchors } from '../../site/engine/mdx/anchors.ts';
import { createPartCompiler, type ParsedPart } from '../../site/engine/mdx/compile-part.ts';
import { expandGenerated } from '../../site/engine/mdx/expand-generated.ts';
import { splitPage } from '../../site/engine/mdx/split-page.ts';
import { linksOf, wordsOf, type BuiltPage } from './built-pages.ts';

/** Nothing is coloured here, and which languages there are is for the build to say. */
const compiler = createPartCompiler({ knows: () => true, highlight: (text) => Promise.resolve(text) });

/** `file` is a path below `pages`. Throws where the page is no MDX. */
export function readWrittenPage(pages: string, file: string, route: string): BuiltPage {
  const { frontMatter, body } = readPageHead(file, readFileSync(join(pages, file), 'utf8'));
  const parts = parse(expandGenerated(file, body, generators).text);
  const found = parts.flatMap(({ reading }) => reading.headings);
  const [, ...below] = placeAnchors(frontMatter.title, found).headings;
  const twin = [`# ${frontMatter.title}`, ...parts.map(({ markdown }) => markdown)].join('\n\n');
  const headings = new Set(below.map(({ slug }) => slug));
  return { route, kind: frontMatter.kind, headings, links: linksOf(twin), words: wordsOf(twin) };
}

/** In parts, as the build does it, for what is within one is another's; whole where an element is open across a cut. */
function parse(text: string): ParsedPart[] {
  try {
    return splitPage(text).map((part) => compiler.parse(part.text));
  } catch {
    return [compiler.parse(text)];
  }
}
