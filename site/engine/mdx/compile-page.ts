/**
 * Compiles one page: expands generated parts, parses once, reads the tree, writes the Markdown twin,
 * colours code and draws diagrams, and makes the JavaScript module that renders it. Everything wrong
 * comes back as problems with lines of the file.
 */
import { createProcessor } from '@mdx-js/mdx';
import remarkGfm from 'remark-gfm';
import { readPageHead } from '../front-matter.ts';
import type { Generator } from '../generated/generator.ts';
import type { Page } from '../page.ts';
import type { Problem } from '../problems.ts';
import { drawCode } from './draw-code.ts';
import { expandGenerated } from './expand-generated.ts';
import type { Highlighter } from './highlight.ts';
import type { Node } from './nodes.ts';
import { readPage } from './read-page.ts';
import type { ComponentUse, PageReading } from './read-page.ts';
import { markdownTwin } from './twin.ts';

export interface PageSource {
  /** Path within the repository. */
  readonly file: string;
  readonly route: string;
  readonly text: string;
}

export interface CompiledPage {
  /** Sections have no trail yet: menus are not known here. */
  readonly page: Page;
  readonly components: readonly ComponentUse[];
  /** An ES module whose default export renders the body. */
  readonly code: string;
  readonly problems: readonly Problem[];
}

export type PageCompiler = (source: PageSource) => Promise<CompiledPage>;

const EMPTY_MODULE = 'export default function MDXContent() { return null; }\n';
const NOTHING_READ: PageReading = { headings: [], links: [], code: [], sections: [], components: [], problems: [] };

interface Work {
  readonly title: string;
  reading: PageReading;
  markdown: string;
}

/** A compiler for any number of pages; they share the highlighter and the parser. */
export function createPageCompiler(
  highlighter: Highlighter,
  generators: Readonly<Record<string, Generator>>,
): PageCompiler {
  const works = new Map<string, Work>();
  function onePass() {
    return async (tree: Node, file: { readonly path: string; readonly value: unknown }): Promise<void> => {
      const work = works.get(file.path);
      if (work === undefined) return;
      work.markdown = markdownTwin(work.title, String(file.value), tree);
      const reading = readPage(tree, work.title, highlighter.knows);
      const drawing = await drawCode(tree, highlighter);
      work.reading = { ...reading, problems: [...reading.problems, ...drawing] };
    };
  }
  const processor = createProcessor({ format: 'mdx', remarkPlugins: [remarkGfm, onePass] });

  return async ({ file, route, text }) => {
    const head = readPageHead(file, text);
    const expanded = expandGenerated(file, head.body, generators);
    const work: Work = { title: head.frontMatter.title, reading: NOTHING_READ, markdown: '' };
    const problems = [...head.problems, ...expanded.problems];
    const toSource = <T extends { readonly line: number }>(item: T): T => ({
      ...item,
      line: expanded.sourceLine(item.line),
    });
    let code = EMPTY_MODULE;
    works.set(file, work);
    try {
      code = String(await processor.process({ path: file, value: expanded.text }));
    } catch (error) {
      problems.push(toSource({ file, ...placeOf(error) }));
    } finally {
      works.delete(file);
    }
    const { reading } = work;
    problems.push(...reading.problems.map((problem) => toSource({ file, ...problem })));
    const { tags, description } = head.frontMatter;
    const sections = reading.sections.map((section, position) => {
      const placed = { route, pageTitle: work.title, trail: [], ...section };
      return position === 0 ? { ...placed, tags, description } : placed;
    });
    return {
      page: {
        route,
        file,
        frontMatter: head.frontMatter,
        headings: reading.headings.map(toSource),
        links: reading.links.map(toSource),
        code: reading.code.map(toSource),
        sections,
        words: sections.reduce((sum, { prose }) => sum + (prose === '' ? 0 : prose.split(' ').length), 0),
        markdown: work.markdown,
      },
      components: reading.components.map(toSource),
      code,
      problems,
    };
  };
}

function placeOf(error: unknown): { line: number; message: string } {
  const { line, reason } = error as { line?: number; reason?: string };
  const message = reason ?? (error instanceof Error ? error.message : String(error));
  return { line: line ?? 1, message: `This is not MDX: ${message.split('\n')[0] ?? ''}` };
}
