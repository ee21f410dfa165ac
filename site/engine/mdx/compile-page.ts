/**
 * Compiles one page: expands generated parts, parses once, reads the tree, writes the Markdown twin,
 * colours code and draws diagrams, and makes the JavaScript module that renders it. Everything wrong
 * comes back as problems with lines of the file.
 */
import { createProcessor } from '@mdx-js/mdx';
import remarkGfm from 'remark-gfm';
import { readPageHead } from '../front-matter.ts';
import type { Generator } from '../generated/generator.ts';
import type { Link, Page } from '../page.ts';
import type { Problem } from '../problems.ts';
import { drawCode } from './draw-code.ts';
import type { DrawingProblem } from './draw-code.ts';
import { expandGenerated } from './expand-generated.ts';
import type { Highlighter } from './highlight.ts';
import type { Node } from './nodes.ts';
import { readPage } from './read-page.ts';
import type { ComponentUse, PageReading, ReadingContext } from './read-page.ts';
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
  readonly images: readonly Link[];
  readonly anchors: ReadonlySet<string>;
  /** An ES module whose default export renders the body. */
  readonly code: string;
  readonly problems: readonly Problem[];
}

export type PageCompiler = (source: PageSource) => Promise<CompiledPage>;

const EMPTY_MODULE = 'export default function MDXContent() { return null; }\n';
const NOTHING_READ: PageReading = {
  headings: [],
  links: [],
  code: [],
  sections: [],
  components: [],
  images: [],
  anchors: new Set(),
  problems: [],
};

interface Work extends ReadingContext {
  reading: PageReading;
  drawing: readonly DrawingProblem[];
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
      work.reading = readPage(tree, work);
      work.drawing = await drawCode(tree, highlighter);
      // Refused above; Vite would look for what they name.
      tree.children = (tree.children ?? []).filter(({ type }) => type !== 'mdxjsEsm');
    };
  }
  const processor = createProcessor({ format: 'mdx', remarkPlugins: [remarkGfm, onePass] });

  return async ({ file, route, text }) => {
    const head = readPageHead(file, text);
    const expanded = expandGenerated(file, head.body, generators);
    const { sourceLine } = expanded;
    const { title } = head.frontMatter;
    const work: Work = {
      title,
      knowsLanguage: highlighter.knows,
      sourceLine,
      reading: NOTHING_READ,
      drawing: [],
      markdown: '',
    };
    const problems = [...head.problems, ...expanded.problems];
    let code = EMPTY_MODULE;
    works.set(file, work);
    try {
      code = String(await processor.process({ path: file, value: expanded.text }));
    } catch (error) {
      const { line, message } = placeOf(error);
      problems.push({ file, line: sourceLine(line), message });
    } finally {
      works.delete(file);
    }
    const { reading, drawing } = work;
    problems.push(...reading.problems.map((problem) => ({ file, ...problem })));
    problems.push(...drawing.map(({ line, message }) => ({ file, line: sourceLine(line), message })));
    const { tags, description } = head.frontMatter;
    const sections = reading.sections.map((section, position) => {
      const placed = { route, pageTitle: title, trail: [], ...section };
      return position === 0 ? { ...placed, tags, description } : placed;
    });
    return {
      page: {
        route,
        file,
        frontMatter: head.frontMatter,
        headings: reading.headings,
        links: reading.links,
        code: reading.code,
        sections,
        words: sections.reduce((sum, { prose }) => sum + (prose === '' ? 0 : prose.split(' ').length), 0),
        markdown: work.markdown,
      },
      components: reading.components,
      images: reading.images,
      anchors: reading.anchors,
      code,
      problems,
    };
  };
}

/** Some errors say where only in their words: `… (7:1-7:10)`. */
const WORDED_PLACE = /\s*\((\d+):\d+(?:-\d+:\d+)?\)/;

function placeOf(error: unknown): { line: number; message: string } {
  const { line, reason } = error as { line?: number; reason?: string };
  const message = (reason ?? (error instanceof Error ? error.message : String(error))).split('\n')[0] ?? '';
  const worded = WORDED_PLACE.exec(message)?.[1];
  return {
    line: line ?? Number(worded ?? 1),
    message: `This is not MDX: ${message.replace(WORDED_PLACE, '')}.`,
  };
}
