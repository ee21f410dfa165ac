/**
 * The site while authors write: documents rendered when they are asked for, and the changes of files
 * that make them different.
 */
import type { ServerResponse } from 'node:http';
import { relative, sep } from 'node:path';
import type { ViteDevServer } from 'vite';
import type * as IslandRegistry from '../../islands/registry.ts';
import { rendererNames } from '../build.ts';
import { buildBootScript, type PageRenderer } from '../bundle.ts';
import { checkSite } from '../checks/check-site.ts';
import { readLastUpdated } from '../last-updated.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { makeTextFiles } from '../outputs/site-outputs.ts';
import { renderPage } from '../prerender.ts';
import type { Problem } from '../problems.ts';
import { searchFilesOf } from '../search-sections.ts';
import type { SiteSettings } from '../settings.ts';
import { tellLastSaves } from './last-saves.ts';
import type { LiveContent } from './live-content.ts';
import { LiveStyles, STYLES_PATH } from './live-styles.ts';
import { problemDocument, problemPanel } from './problem-page.ts';

export interface AuthoringRequest {
  /** The repository, absolute. */
  readonly root: string;
  /** The folder of pages and menus, absolute. */
  readonly pages: string;
  readonly settings: SiteSettings;
}

const CLIENT_SCRIPTS = ['/@vite/client', '/site/engine/authoring/client.ts'];
export const PAGE_SCRIPT = '/site/page/main.ts';

// What client.ts and the pages ask for beside documents and styles: the number of the newest change, the problems of a
// route, the files of the search index.
const VERSION_PATH = '/authoring/version';
const PROBLEMS_PATH = '/authoring/problems';
const SEARCH_PATH = '/authoring/search/';

/** No policy, because Vite's client needs inline styles. */
const ASSETS = {
  scripts: [...CLIENT_SCRIPTS, PAGE_SCRIPT],
  fonts: [],
  searchIndex: `${SEARCH_PATH}head.json`,
  speculationRules: '',
  contentSecurityPolicy: '',
};

/** The documents, and what changes them. */
export class AuthoringSite {
  readonly #request: AuthoringRequest;
  readonly #vite: ViteDevServer;
  readonly #content: LiveContent;
  readonly #styles: LiveStyles;
  readonly #lastUpdated: ReadonlyMap<string, string>;
  /** Counts changes: a page that loads while one happens can tell that it is behind. */
  #version = 0;
  /** Kept until one of its files changes. */
  #boot: Promise<string> | null = null;
  /** One change is taken in after the other; documents wait for the last. */
  #settled: Promise<void> = Promise.resolve();

  constructor(request: AuthoringRequest, vite: ViteDevServer, content: LiveContent) {
    this.#request = request;
    this.#vite = vite;
    this.#content = content;
    this.#styles = new LiveStyles(request.root, vite);
    this.#lastUpdated = readLastUpdated(request.root, relative(request.root, request.pages));
    vite.watcher.add(request.pages);
    tellLastSaves(vite.watcher);
    vite.watcher.on('all', (event, path) => {
      if (event !== 'addDir' && event !== 'unlinkDir')
        this.#settled = this.#settled.then(() => this.#takeIn(path)).catch(report);
    });
  }

  /** `path` as requestPath gives it. */
  async answer(path: string, response: ServerResponse): Promise<void> {
    try {
      await this.#settled;
      const answer = await this.#document(path.length > 1 ? path.replace(/\/$/, '') : path);
      const { status, type, body, location, isKept = false } = answer;
      response.writeHead(status, {
        'Content-Type': type,
        'Cache-Control': isKept ? 'max-age=31536000, immutable' : 'no-store',
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

  /** Only what is asked for is made: somebody waits for it. */
  async #document(path: string): Promise<Answer> {
    if (path === VERSION_PATH) return text(String(this.#version));
    if (path === STYLES_PATH) return { ...text(await this.#styles.text(), 'text/css; charset=utf-8'), isKept: true };
    if (path.startsWith(SEARCH_PATH)) {
      const file = searchFilesOf(this.#content.graph()).get(path.slice(SEARCH_PATH.length));
      if (file !== undefined) return text(file, 'application/json');
    }
    const renderer = await this.#load<PageRenderer>('/site/engine/server-entry.tsx');
    if (path.startsWith(PROBLEMS_PATH)) return this.#problems(path.slice(PROBLEMS_PATH.length) || '/', renderer);
    const graph = this.#content.graph();
    const redirect = graph.tree.redirects.find(({ from }) => from === path);
    if (redirect !== undefined) return { status: 302, type: HTML, body: '', location: redirect.to };
    const asked = graph.pages.get(path);
    const file = asked === undefined ? this.#files(renderer).find((output) => `/${output.path}` === path) : undefined;
    if (file !== undefined) return text(file.text, typeOf(file.path));
    const page = asked ?? graph.pages.get('/404');
    if (page === undefined) throw new Error(`there is no page ${path}, and no page /404`);
    const version = this.#version;
    const html = await renderPage(renderer, page, {
      graph,
      settings: this.#request.settings,
      lastUpdated: this.#lastUpdated,
      socialImage: () => '',
      // Styles as a link, so that the first paint has them.
      assets: {
        ...ASSETS,
        styles: [this.#styles.address],
        bootScript: await this.#bootScript(),
      },
    });
    return { status: asked === undefined ? 404 : 200, type: HTML, body: withVersion(html, version) };
  }

  /** What the build would refuse, for the page of a route: asked for when it is seen. */
  async #problems(route: string, renderer: PageRenderer): Promise<Answer> {
    const { islands } = await this.#load<typeof IslandRegistry>('/site/islands/registry.ts');
    const graph = this.#content.graph();
    const names = { ...rendererNames(renderer), islands: Object.keys(islands) };
    const problems = checkSite(this.#request, graph, names, this.#files(renderer));
    const file = (graph.pages.get(route) ?? graph.pages.get('/404'))?.page.file ?? '';
    return text(problemPanel(problems, file), HTML);
  }

  /** Without the search index, which takes longest to make: no link leads to it, and search asks for it by itself. */
  #files({ figureTexts: figures }: PageRenderer): readonly OutputFile[] {
    const { settings } = this.#request;
    return makeTextFiles({ graph: this.#content.graph(), settings, lastUpdated: this.#lastUpdated, figures });
  }

  #bootScript(): Promise<string> {
    return (this.#boot ??= buildBootScript(this.#request.root));
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
    if (PAGE_SCRIPTS.test(name)) this.#boot = null;
    if (this.#styles.takeIn(name)) this.#send('site:styles');
    if (!isContent && !isTable && !COMPONENTS.test(name)) return;
    this.#version += 1;
    // Browsers ask again while the change is taken in; `answer` waits for it.
    this.#send('site:changed');
    if (isContent) await this.#content.update(path);
    else if (isTable) await this.#content.recompile();
  }

  #send(event: string): void {
    this.#vite.ws.send({ type: 'custom', event, data: {} });
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
  /** Its address never means anything else. */
  readonly isKept?: boolean;
}

function withVersion(html: string, version: number): string {
  return html.replace('<head>', `<head><meta name="authoring-version" content="${version}">`);
}

/** What generated parts of pages are made from. */
const TABLES = /^(?:site\/engine\/generated|conductor|simulator|content\/data)\/.*\.(?:ts|json|yaml)$|^CHANGELOG\.md$/;
const COMPONENTS = /^site\/(?:layout|mdx)\/.*\.tsx?$/;
const PAGE_SCRIPTS = /^site\/page\//;

const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  html: HTML,
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  xml: 'application/xml',
};

function text(body: string, type = 'text/plain'): Answer {
  return { status: 200, type, body };
}

function typeOf(path: string): string {
  return TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}

function report(error: unknown): void {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
}
