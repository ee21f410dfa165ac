/**
 * What the platform's static assets do not do by themselves: the Markdown twin for whoever prefers it, search for whoever
 * has no script, tools for models, and errors with the site's own pages that no cache keeps. Everything else, headers and
 * redirects too, is theirs.
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answerMarkdown } from './answer-markdown.ts';
import { answerPage } from './answer-page.ts';
import type { Assets } from './assets.ts';
import { siteTools } from './mcp-tools.ts';
import { answerMcp } from './mcp.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { searchSite } from './site-search.ts';

export interface Environment {
  /** The built site. */
  readonly ASSETS: Assets;
}

const METHODS = ['GET', 'HEAD'];
/** What errors are answered with is no page by itself. */
const ERROR_PAGE = /^\/(?:404|500)(?:\/|\.html|\.md)?$/;

/** Of a message to the tools. */
const MESSAGE_BYTES_MAX = 65_536;

const app = new Hono<{ readonly Bindings: Environment }>();

const tooLarge = (): Response => plain(413, `A message has at most ${MESSAGE_BYTES_MAX} bytes.`, {});
app.post('/mcp', bodyLimit({ maxSize: MESSAGE_BYTES_MAX, onError: tooLarge }), ({ req, env: { ASSETS } }) => {
  const instructions =
    'The documentation of the OP Stack and of Conductor. Look for pages with search, read them with read_page.';
  const tools = siteTools(ASSETS, new URL(req.url).origin);
  return answerMcp(req.raw, { name: 'conductor-docs', version: '1.0.0', instructions, tools });
});
app.all('/mcp', () => plain(405, 'Tools are asked here by POST.', { Allow: 'POST' }));

app.use(async ({ req }, next) => {
  if (METHODS.includes(req.raw.method)) return next();
  return plain(405, 'These are documents, to be read by GET and HEAD.', { Allow: METHODS.join(', ') });
});

app.get('/search', async ({ req, env: { ASSETS } }, next) => {
  const query = req.query('q')?.trim() ?? '';
  if (query === '') return next();
  const { origin } = new URL(req.url);
  try {
    const answer = await searchSite(ASSETS, origin, { query, area: req.query('area') });
    const unkept = { 'Cache-Control': 'no-store', Vary: 'Accept' };
    if (prefersMarkdown(req.header('Accept') ?? null)) {
      const headers = { ...unkept, 'Content-Type': 'text/markdown; charset=utf-8' };
      return new Response(answerMarkdown(answer, origin), { headers });
    }
    const page = await ASSETS.fetch(new Request(`${origin}/search`));
    const response = new Response(page.body, page);
    for (const [name, value] of Object.entries(unkept)) response.headers.set(name, value);
    response.headers.delete('ETag');
    return answerPage(response, answer);
  } catch (error) {
    console.error(error);
    return errorPage(500, '/500', req.raw, ASSETS);
  }
});

app.get('*', async ({ req, env: { ASSETS } }) => {
  const request = req.raw;
  const wantsMarkdown = prefersMarkdown(request.headers.get('Accept'));
  if (ERROR_PAGE.test(new URL(request.url).pathname))
    return errorPage(404, wantsMarkdown ? '/404.md' : '/404', request, ASSETS);
  const response = (wantsMarkdown ? await twinOf(request, ASSETS) : null) ?? (await assetFor(request, ASSETS));
  if (response.status < 400) return varying(response);
  const status = response.status < 500 ? 404 : 500;
  return errorPage(status, wantsMarkdown ? `/${status}.md` : `/${status}`, request, ASSETS);
});

export default app;

/** A failure is an answer, too. */
async function assetFor(request: Request, assets: Assets): Promise<Response> {
  try {
    return await assets.fetch(request);
  } catch (error) {
    console.error(error);
    return new Response(null, { status: 500 });
  }
}

/** The Markdown of a page, also when its address ends with a slash; null for what is no page. */
async function twinOf(request: Request, assets: Assets): Promise<Response | null> {
  const url = new URL(request.url);
  const route = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  url.pathname = `${route === '' ? '/index' : route}.md`;
  const twin = await assetFor(new Request(url.href, request), assets);
  if (twin.status !== 200 && twin.status !== 304) return null;
  const response = new Response(twin.body, twin);
  response.headers.set('Content-Location', url.pathname);
  // It says to search engines that the page is elsewhere; this is the page's own address.
  response.headers.delete('X-Robots-Tag');
  return response;
}

/** Pages and what leads to them depend on what the reader prefers; files do not. */
function varying(response: Response): Response {
  const isFile = response.ok && !/^text\/(html|markdown)\b/.test(response.headers.get('Content-Type') ?? '');
  if (isFile) return response;
  const varied = new Response(response.body, response);
  varied.headers.append('Vary', 'Accept');
  return varied;
}

/** The page at `path`, which explains an error: it is not what is usually found here, and nobody may keep it. */
async function errorPage(status: 404 | 500, path: string, { url, method }: Request, assets: Assets): Promise<Response> {
  // Without what the request asks of another document: conditions, ranges.
  const page = await assetFor(new Request(new URL(path, url).href, { method }), assets);
  if (!page.ok) return plain(status, 'The site cannot be read at the moment. Please try again later.', {});
  const response = new Response(page.body, { status, headers: page.headers });
  response.headers.set('Cache-Control', 'no-store');
  response.headers.set('Vary', 'Accept');
  response.headers.delete('ETag');
  return response;
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>>): Response {
  const fixed = {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(`${text}\n`, { status, headers: { ...fixed, ...headers } });
}
