/**
 * The site while authors write: documents rendered when they are asked for, and the changes of files
 * that make them different.
 */
import type { ServerResponse } from 'node:http';
import { relative, sep } from 'node:path';
import type { ViteDevServer } from 'vite';
import type * as IslandRegistry from '../../islands/registry.ts';
import { rendererNames } from '../build.ts';
import { buildBootScript } from '../bundle.ts';
import type { PageRenderer } from '../bundle.ts';
import { checkSite } from '../checks/check-site.ts';
import type * as GeneratorRegistry from '../generated/registry.ts';
import { readLastUpdated } from '../last-updated.ts';
import { createPageCompiler } from '../mdx/compile-page.ts';
import type { PageCompiler } from '../mdx/compile-page.ts';
import { createCodeHighlighter } from '../mdx/highlight.ts';
import { makeSiteOutputs } from '../outputs/site-outputs.ts';
import type { SiteOutputs } from '../outputs/site-outputs.ts';
import { renderPage } from '../prerender.ts';
import type { Problem } from '../problems.ts';
import type { SiteSettings } from '../settings.ts';
import { BODIES, BODY_PREFIX, styleFiles } from '../site-plugin.ts';
import type { LiveContent } from './live-content.ts';
import { problemDocument, withProblems } from './problem-page.ts';

export interface AuthoringRequest {
  /** The repository, absolute. */
  readonly root: string;
  /** The folder of pages and menus, absolute. */
  readonly pages: string;
  readonly settings: SiteSettings;
}

const CLIENT_SCRIPTS = ['/@vite/client', '/site/engine/authoring/client.ts'];
export const PAGE_SCRIPT = '/site/page/main.ts';

/** Generators come from Vite's module graph, so that an edit of a table is seen. */
export async function loadCompiler(vite: ViteDevServer): Promise<PageCompiler> {
  const registry = await vite.ssrLoadModule('/site/engine/generated/registry.ts');
  const { generators } = registry as unknown as typeof GeneratorRegistry;
  return createPageCompiler(await createCodeHighlighter(), generators);
}

/** The documents, and what changes them. */
export class AuthoringSite {
  readonly #request: AuthoringRequest;
  readonly #vite: ViteDevServer;
  readonly #content: LiveContent;
  readonly #lastUpdated: ReadonlyMap<string, string>;
  /** Counts changes: a page that loads while one happens can tell that it is behind. */
  #version = 0;
  /** One change is taken in after the other; documents wait for the last. */
  #settled: Promise<void> = Promise.resolve();

  constructor(request: AuthoringRequest, vite: ViteDevServer, content: LiveContent) {
    this.#request = request;
    this.#vite = vite;
    this.#content = content;
    this.#lastUpdated = readLastUpdated(request.root, relative(request.root, request.pages));
    vite.watcher.add(request.pages);
    vite.watcher.on('all', (event, path) => {
      if (event !== 'addDir' && event !== 'unlinkDir')
        this.#settled = this.#settled.then(() => this.#takeIn(path)).catch(report);
    });
  }

  /** `path` as requestPath gives it. */
  async answer(path: string, response: ServerResponse): Promise<void> {
    try {
      await this.#settled;
      const { status, type, body, location } = await this.#document(path.length > 1 ? path.replace(/\/$/, '') : path);
      response.writeHead(status, {
        'Content-Type': type,
        'Cache-Control': 'no-store',
        ...(location === undefined ? {} : { Location: location }),
      });
      response.end(body);
    } catch (error) {
      report(error);
      response.writeHead(500, { 'Content-Type': HTML });
      response.end(
        withVersion(
          problemDocument('This page cannot be shown', [this.#failure(path, error)], CLIENT_SCRIPTS),
          this.#version,
        ),
      );
    }
  }

  async #document(path: string): Promise<Answer> {
    if (path === VERSION_PATH) return { status: 200, type: 'text/plain', body: String(this.#version) };
    const version = this.#version;
    const renderer = await this.#load<PageRenderer>('/site/engine/server-entry.tsx');
    const { islands } = await this.#load<typeof IslandRegistry>('/site/islands/registry.ts');
    const { root, settings } = this.#request;
    const graph = this.#content.graph();
    const bootScript = await buildBootScript(root);
    const lastUpdated = this.#lastUpdated;
    const outputs = makeSiteOutputs({ graph, settings, lastUpdated, bootScript, figures: renderer.figureTexts });
    const file = outputs.files.find((output) => `/${output.path}` === path);
    if (file !== undefined) return { status: 200, type: typeOf(file.path), body: file.text };
    const redirect = graph.tree.redirects.find(({ from }) => from === path);
    if (redirect !== undefined) return { status: 302, type: HTML, body: '', location: redirect.to };
    const page = (graph.pages.get(path) ?? graph.pages.get('/404'))?.page;
    if (page === undefined) throw new Error(`there is no page ${path}, and no page /404`);
    const problems = checkSite(
      root,
      graph,
      { ...rendererNames(renderer), islands: Object.keys(islands) },
      outputs.files,
    );
    const html = await renderPage(renderer, page, {
      graph,
      settings,
      lastUpdated,
      socialImage: () => '',
      assets: this.#assets(outputs, bootScript),
    });
    const body = withVersion(withProblems(html, problems, page.file), version);
    return { status: page.route === path ? 200 : 404, type: HTML, body };
  }

  /** Styles as links, so that the first paint has them; no policy, because Vite's client needs inline styles. */
  #assets({ assets }: SiteOutputs, bootScript: string): Parameters<typeof renderPage>[2]['assets'] {
    return {
      styles: styleFiles(this.#request.root).map((file) => `/${file}?direct`),
      scripts: [...CLIENT_SCRIPTS, PAGE_SCRIPT],
      fonts: [],
      bootScript,
      searchSections: assets.searchSections,
      speculationRules: '',
      contentSecurityPolicy: '',
    };
  }

  async #load<T>(module: string): Promise<T> {
    return (await this.#vite.ssrLoadModule(module)) as T;
  }

  /** A changed file of content, or of what renders it. */
  async #takeIn(path: string): Promise<void> {
    const { root, pages } = this.#request;
    const name = relative(root, path).split(sep).join('/');
    const isContent = path.startsWith(pages + sep) && /\.(?:mdx|yaml)$/.test(path);
    const isTable = TABLES.test(name);
    if (!isContent && !isTable && !COMPONENTS.test(name)) return;
    this.#version += 1;
    if (isContent) {
      const file = await this.#content.update(path);
      this.#forget(`\0${BODIES}`, ...(file === null ? [] : [`\0${BODY_PREFIX}${file}`]));
    } else if (isTable) {
      await this.#content.recompile(await loadCompiler(this.#vite));
      this.#forget(...Array.from(this.#content.files(), (file) => `\0${BODY_PREFIX}${file}`));
    }
    this.#vite.ws.send({ type: 'custom', event: 'site:changed', data: {} });
  }

  #forget(...ids: readonly string[]): void {
    const { moduleGraph } = this.#vite.environments.ssr;
    for (const id of ids) {
      const module = moduleGraph.getModuleById(id);
      if (module !== undefined) moduleGraph.invalidateModule(module);
    }
  }

  #failure(path: string, error: unknown): Problem {
    const file = this.#content.graph().pages.get(path)?.page.file ?? path;
    return {
      file,
      line: 1,
      message: `This page cannot be rendered: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
}

/** Where client.ts asks for the number of the newest change. */
const VERSION_PATH = '/authoring/version';

function withVersion(html: string, version: number): string {
  return html.replace('<head>', `<head><meta name="authoring-version" content="${version}">`);
}

/** What generated parts of pages are made from. */
const TABLES = /^(?:site\/engine\/generated|conductor|content\/data)\/.*\.(?:ts|json|yaml)$/;
const COMPONENTS = /^site\/(?:layout|mdx)\/.*\.tsx?$/;

const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  html: HTML,
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  xml: 'application/xml',
};

function typeOf(path: string): string {
  return TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}

function report(error: unknown): void {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
}
