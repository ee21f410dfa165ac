/**
 * `npm run docs`: serves the site from its sources on loopback. Vite's dev server brings scripts, styles
 * and islands; documents are rendered when they are asked for, from content that is compiled anew per
 * edit. What the build would refuse is shown in the page.
 */
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { createServer as createViteServer } from 'vite';
import type { ViteDevServer } from 'vite';
import type * as IslandRegistry from '../../islands/registry.ts';
import { rendererNames } from '../build.ts';
import { buildBootScript, viteConfig } from '../bundle.ts';
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
import { BODY_PREFIX, styleFiles } from '../site-plugin.ts';
import { openLiveContent } from './live-content.ts';
import type { LiveContent } from './live-content.ts';
import { problemDocument, withProblems } from './problem-page.ts';

export interface AuthoringRequest {
  /** The repository, absolute. */
  readonly root: string;
  /** The folder of pages and menus, absolute. */
  readonly pages: string;
  readonly settings: SiteSettings;
  /** 0 for any that is free. */
  readonly port: number;
}

export interface AuthoringServer {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const CLIENT_SCRIPTS = ['/@vite/client', '/site/engine/authoring/client.ts'];
const PAGE_SCRIPT = '/site/page/main.ts';

export async function startAuthoringServer(request: AuthoringRequest): Promise<AuthoringServer> {
  const { root } = request;
  let content: LiveContent | null = null;
  const bodies = { files: () => content?.files() ?? [], code: (file: string) => content?.code(file) };
  const http = createHttpServer();
  const config = viteConfig(root, bodies);
  const vite = await createViteServer({
    ...config,
    appType: 'custom',
    cacheDir: join(root, '.cache', 'vite'),
    server: {
      middlewareMode: { server: http },
      ws: { server: http },
      watch: { ignored: ['**/dist/**', '**/.cache/**', '**/.tools/**', '**/bench/**', '**/tests/**'] },
    },
    optimizeDeps: { entries: [PAGE_SCRIPT.slice(1)] },
  });
  content = await openLiveContent(request, await loadCompiler(vite));
  const site = new AuthoringSite(request, vite, content);
  http.on('request', (incoming, response) => {
    vite.middlewares(incoming, response, () => void site.answer(incoming, response));
  });
  const port = await listen(http, request.port);
  return {
    url: `http://${HOST}:${port}/`,
    async close() {
      await vite.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Generators come from Vite's module graph, so that an edit of a table is seen. */
async function loadCompiler(vite: ViteDevServer): Promise<PageCompiler> {
  const registry = await vite.ssrLoadModule('/site/engine/generated/registry.ts');
  const { generators } = registry as unknown as typeof GeneratorRegistry;
  return createPageCompiler(await createCodeHighlighter(), generators);
}

async function listen(http: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, HOST, resolve);
  });
  const address = http.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** The documents, and what changes them. */
class AuthoringSite {
  readonly #request: AuthoringRequest;
  readonly #vite: ViteDevServer;
  readonly #content: LiveContent;
  readonly #lastUpdated: ReadonlyMap<string, string>;
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

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(incoming.url ?? '/', 'http://localhost').pathname);
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
      response.end(problemDocument('This page cannot be shown', [this.#failure(path, error)], CLIENT_SCRIPTS));
    }
  }

  async #document(path: string): Promise<Answer> {
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
    return { status: page.route === path ? 200 : 404, type: HTML, body: withProblems(html, problems, page.file) };
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
    if (isContent) {
      const file = await this.#content.update(path);
      if (file !== null) this.#forget(`\0${BODY_PREFIX}${file}`);
    } else if (/^(?:site\/engine\/generated|conductor|content\/data)\//.test(name)) {
      await this.#content.recompile(await loadCompiler(this.#vite));
      for (const file of this.#content.files()) this.#forget(`\0${BODY_PREFIX}${file}`);
    } else if (!/^site\/(?:layout|mdx)\/.*\.tsx?$/.test(name)) {
      return;
    }
    this.#vite.ws.send({ type: 'custom', event: 'site:changed', data: {} });
  }

  #forget(id: string): void {
    const { moduleGraph } = this.#vite.environments.ssr;
    const module = moduleGraph.getModuleById(id);
    if (module !== undefined) moduleGraph.invalidateModule(module);
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
