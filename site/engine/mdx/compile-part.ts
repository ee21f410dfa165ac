/**
 * Compiles a part of a page in two steps, because anchors depend on the whole page: first it is parsed and
 * read, then, with the anchors of its headings, drawn and made a module.
 */
import { createHash } from 'node:crypto';
import { createProcessor } from '@mdx-js/mdx';
import remarkGfm from 'remark-gfm';
import { checkElements } from './check-elements.ts';
import { checkReferences } from './check-references.ts';
import { drawCode } from './draw-code.ts';
import type { DrawingProblem } from './draw-code.ts';
import type { Highlighter } from './highlight.ts';
import type { Node } from './nodes.ts';
import { readPart, writeAnchors } from './read-part.ts';
import type { PartReading } from './read-part.ts';
import { markdownTwin } from './twin.ts';
import { unravel } from './unravel.ts';

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
  /** The same for the same text with the same anchors, and only then. */
  readonly id: string;
  /** An ES module whose default export renders the part. */
  readonly code: string;
  readonly drawing: readonly DrawingProblem[];
}

export interface PartCompiler {
  /** Throws what MDX throws. */
  parse(text: string): ParsedPart;
  compile(part: ParsedPart, slugs: readonly string[]): Promise<CompiledPart>;
}

export function createPartCompiler(highlighter: Highlighter): PartCompiler {
  const processor = createProcessor({ format: 'mdx', remarkPlugins: [remarkGfm] });
  return {
    parse(text) {
      const tree = processor.parse(text) as Node;
      unravel(tree);
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
      const drawing = await drawCode(tree, highlighter);
      // Refused when it was read; Vite would look for what they name.
      tree.children = (tree.children ?? []).filter(({ type }) => type !== 'mdxjsEsm');
      const program = await processor.run(tree as Parameters<typeof processor.run>[0]);
      const code = processor.stringify(program);
      const id = createHash('sha256')
        .update(JSON.stringify([text, slugs]))
        .digest('hex')
        .slice(0, 16);
      return { text, markdown, reading, slugs, id, code: String(code), drawing };
    },
  };
}
