/**
 * The content graph while authors write: one page is compiled anew per edit, menus and checks run
 * over everything, and whoever asks gets the newest state.
 */
import { existsSync, readFileSync } from 'node:fs';
import { compilePageFile, joinContent, pageFiles, type ContentFolder, type ContentGraph } from '../content-graph.ts';
import type { Generator } from '../generated/generator.ts';
import { createPageCompiler, type CompiledPage } from '../mdx/compile-page.ts';
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

/** A page that shows the text of another, or lists the decision records, is compiled anew with it or with any of them. */
const SHOWS_PAGE = /^\s*<Generated from="page\/text" of="([^"]*)"/gm;
const LISTS_RECORDS = /^\s*<Generated from="decision-records"/m;
const RECORD = /[\\/]\d{4}-[\w-]+\.mdx$/;

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
  const shown = new Map<string, Shown>();
  const take = async (path: string): Promise<void> => {
    pages.set(path, await compilePageFile(folder, path, compile));
    shown.set(path, shownIn(readFileSync(path, 'utf8')));
  };
  const compileAll = async (): Promise<ContentGraph> => {
    pages.clear();
    shown.clear();
    for (const path of pageFiles(folder)) await take(path);
    return joinContent(folder, [...pages.values()]);
  };
  let graph = await compileAll();
  return {
    graph: () => graph,
    async update(path) {
      if (path.endsWith('.mdx')) {
        const routeBefore = pages.get(path)?.page.route;
        if (existsSync(path)) await take(path);
        else for (const known of [pages, shown]) known.delete(path);
        const route = pages.get(path)?.page.route ?? routeBefore;
        for (const other of showing({ path, route }, pages, shown)) await take(other);
      }
      graph = joinContent(folder, [...pages.values()]);
    },
    async recompile() {
      await takeGenerators();
      graph = await compileAll();
    },
  };
}

/** What a page shows of others. */
interface Shown {
  readonly routes: ReadonlySet<string>;
  readonly records: boolean;
}

function shownIn(text: string): Shown {
  return {
    routes: new Set(Array.from(text.matchAll(SHOWS_PAGE), ([, route = '']) => route)),
    records: LISTS_RECORDS.test(text),
  };
}

/** Files of the pages that show the one that has changed, those that show them, and so on. */
function showing(
  changed: { readonly path: string; readonly route: string | undefined },
  pages: ReadonlyMap<string, CompiledPage>,
  shown: ReadonlyMap<string, Shown>,
): Set<string> {
  const found = new Set<string>();
  const isRecord = RECORD.test(changed.path);
  const waiting = [changed.route];
  for (const route of waiting) {
    for (const [path, { routes, records }] of shown) {
      const isShown = (route !== undefined && routes.has(route)) || (records && isRecord);
      if (!isShown || found.has(path) || path === changed.path) continue;
      found.add(path);
      waiting.push(pages.get(path)?.page.route);
    }
  }
  return found;
}
