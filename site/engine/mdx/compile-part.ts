/**
 * Compiles a part of a page in two steps, because anchors depend on the whole page: first it is parsed and
 * read, then, with the anchors of its headings, drawn and made code.
 */
import { createProcessor } from '@mdx-js/mdx';
import { setApostrophes } from './apostrophes.ts';
import { checkElements } from './check-elements.ts';
import { checkReferences } from './check-references.ts';
import { drawCode, type DrawingProblem } from './draw-code.ts';
import { gfmOfPages } from './gfm-of-pages.ts';
import type { Highlighter } from './highlight.ts';
import { writeCards } from './link-cards.ts';
import type { Node } from './nodes.ts';
import { readPart, writeAnchors, type PartReading } from './read-part.ts';
import { markdownTwin } from './twin.ts';
import { unravel } from './unravel.ts';
import { keepNamesWhole } from './whole-names.ts';

export interface ParsedPart {
  readonly text: string;
  readonly reading: PartReading;
  readonly markdown: string;
  /** Can be compiled once; compiling changes it. */
  readonly tree: Node;
}

export interface CompiledPart extends Omit<ParsedPart, 'tree'> {
  /** Of its headings, in order. */
  readonly slugs: readonly string[];
  /** A function body of MDX (`outputFormat: 'function-body'`): given the JSX runtime, it returns the part's component. */
  readonly code: string;
  readonly drawing: readonly DrawingProblem[];
}

export interface PartCompiler {
  /** Throws what MDX throws. */
  parse(text: string): ParsedPart;
  compile(part: ParsedPart, slugs: readonly string[]): Promise<CompiledPart>;
}

export function createPartCompiler(highlighter: Highlighter): PartCompiler {
  const processor = createProcessor({ format: 'mdx', outputFormat: 'function-body', remarkPlugins: [gfmOfPages] });
  return {
    parse(text) {
      const tree = processor.parse(text) as Node;
      unravel(tree);
      setApostrophes(tree);
      const refused = [...checkElements(tree), ...checkReferences(text, tree)];
      const reading = readPart(tree, highlighter.knows);
      return {
        text,
        tree,
        markdown: markdownTwin(text, tree),
        reading: { ...reading, problems: [...refused, ...reading.problems] },
      };
    },
    async compile({ text, tree, markdown, reading }, slugs) {
      writeAnchors(reading.headingNodes, slugs);
      writeCards(tree);
      keepNamesWhole(tree);
      const drawing = await drawCode(tree, highlighter);
      // Refused when it was read; a draft would look for what they name.
      tree.children = (tree.children ?? []).filter(({ type }) => type !== 'mdxjsEsm');
      const program = await processor.run(tree as Parameters<typeof processor.run>[0]);
      const code = processor.stringify(program);
      return { text, markdown, reading, slugs, code: String(code), drawing };
    },
  };
}
