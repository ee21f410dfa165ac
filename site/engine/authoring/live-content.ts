/**
 * The content graph while authors write: one page is compiled anew per edit, menus and checks run
 * over everything, and whoever asks gets the newest state.
 */
import { existsSync, readFileSync } from 'node:fs';
import { compilePageFile, joinContent, pageFiles } from '../content-graph.ts';
import type { ContentFolder, ContentGraph } from '../content-graph.ts';
import type { Generator } from '../generated/generator.ts';
import { createPageCompiler } from '../mdx/compile-page.ts';
import type { CompiledPage } from '../mdx/compile-page.ts';
import { createCodeHighlighter } from '../mdx/highlight.ts';

export interface LiveContent {
  graph(): ContentGraph;
  /**
   * Takes in a file that was written, added or removed, absolute path: compiles anew its page, if it is one, and those
   * that show text of other pages.
   */
  update(path: string): Promise<void>;
  /** Generates anew what pages hold of tables and data, and compiles what has become different. */
  recompile(): Promise<void>;
}

/** A page that shows text of other pages is compiled anew with any of them. */
const SHOWS_PAGES = /<Generated from="(?:page\/text|decision-records)"/;

type Generators = Readonly<Record<string, Generator>>;

export async function openLiveContent(
  folder: ContentFolder,
  loadGenerators: () => Promise<Generators>,
): Promise<LiveContent> {
  const generators: Record<string, Generator> = {};
  const takeGenerators = async (): Promise<void> => {
    const loaded = await loadGenerators();
    for (const name of Object.keys(generators)) delete generators[name];
    Object.assign(generators, loaded);
  };
  await takeGenerators();
  // One for all edits: it keeps the parts of pages that stay the same.
  const compile = createPageCompiler(await createCodeHighlighter(), generators);
  const pages = new Map<string, CompiledPage>();
  const compileAll = async (): Promise<ContentGraph> => {
    pages.clear();
    for (const path of pageFiles(folder)) pages.set(path, await compilePageFile(folder, path, compile));
    return joinContent(folder, [...pages.values()]);
  };
  let graph = await compileAll();
  return {
    graph: () => graph,
    async update(path) {
      const isPage = path.endsWith('.mdx');
      const shown = isPage
        ? pageFiles(folder).filter((other) => other !== path && SHOWS_PAGES.test(readFileSync(other, 'utf8')))
        : [];
      const changed = isPage ? [path, ...shown] : [];
      if (isPage && !existsSync(path)) pages.delete(path);
      for (const file of changed) if (existsSync(file)) pages.set(file, await compilePageFile(folder, file, compile));
      graph = joinContent(folder, [...pages.values()]);
    },
    async recompile() {
      await takeGenerators();
      graph = await compileAll();
    },
  };
}
