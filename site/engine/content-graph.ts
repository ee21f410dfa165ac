/**
 * Everything the site knows of its content: every page compiled once, the menus put together, and
 * what is wrong with either. Build, authoring server and tests all start here.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { CompiledPage, PageCompiler } from './mdx/compile-page.ts';
import { readMenu } from './menu.ts';
import type { Page } from './page.ts';
import { buildPageTree, type PageTree } from './page-tree.ts';
import type { Problem } from './problems.ts';

export interface ContentGraph {
  /** By route, in the order of the files. */
  readonly pages: ReadonlyMap<string, CompiledPage>;
  readonly tree: PageTree;
  readonly problems: readonly Problem[];
}

export interface ContentFolder {
  /** Absolute path that files are named from in problems and edit links. */
  readonly root: string;
  /** Absolute path of the folder with pages and menus. */
  readonly pages: string;
}

/** Reads and compiles everything. */
export async function readContentGraph(folder: ContentFolder, compile: PageCompiler): Promise<ContentGraph> {
  const compiled: CompiledPage[] = [];
  for (const file of pageFiles(folder)) compiled.push(await compilePageFile(folder, file, compile));
  return joinContent(folder, compiled);
}

/** Compiles the page of one file, absolute path. */
export function compilePageFile(folder: ContentFolder, path: string, compile: PageCompiler): Promise<CompiledPage> {
  const route = routeOf(relative(folder.pages, path));
  return compile({ file: nameOf(folder, path), route, text: readFileSync(path, 'utf8') });
}

/** Menus are read anew, pages are taken as they are: cheap enough to do after every edit. */
export function joinContent(folder: ContentFolder, compiled: readonly CompiledPage[]): ContentGraph {
  const problems: Problem[] = [];
  const files = new Map<string, string>();
  for (const { page } of compiled) {
    const other = files.get(page.route);
    if (other === undefined) files.set(page.route, page.file);
    else
      problems.push({
        file: page.file,
        line: 1,
        message: `${other} has the route ${page.route}, too; remove one of them.`,
      });
  }
  const menus = new Map(
    filesBelow(folder.pages)
      .filter((path) => path.endsWith(`${sep}menu.yaml`))
      .map((path) => {
        const below = relative(folder.pages, path).split(sep).slice(0, -1);
        return [below.map((part) => `/${part}`).join(''), readMenu(nameOf(folder, path), readFileSync(path, 'utf8'))];
      }),
  );
  const tree = buildPageTree({ menus, pages: files });
  const pages = new Map(compiled.map((item) => [item.page.route, { ...item, page: withTrail(item.page, tree) }]));
  problems.push(...tree.problems, ...compiled.flatMap((item) => item.problems));
  return { pages, tree, problems };
}

/** Throws a sentence when there is no folder of pages, before anything is begun that would have to be undone. */
export function requirePages({ pages }: ContentFolder): void {
  if (!existsSync(pages) || !statSync(pages).isDirectory())
    throw new Error(`${pages} is no folder of pages; name one with -- --pages.`);
}

/** All MDX files, absolute paths, sorted. */
export function pageFiles(folder: ContentFolder): string[] {
  return filesBelow(folder.pages).filter((path) => path.endsWith('.mdx'));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(folder, name));
}

function nameOf(folder: ContentFolder, path: string): string {
  return relative(folder.root, path).split(sep).join('/');
}

/** `/` for `index.mdx`, `/a/b` for `a/b.mdx` and `a/b/index.mdx`. */
function routeOf(path: string): string {
  const parts = path.slice(0, -'.mdx'.length).split(sep);
  if (parts.at(-1) === 'index') parts.pop();
  return `/${parts.join('/')}`;
}

function withTrail(page: Page, tree: PageTree): Page {
  const trail = (tree.trails.get(page.route) ?? []).map(({ label }) => label);
  return { ...page, sections: page.sections.map((section) => ({ ...section, trail })) };
}
