/**
 * What the platform's static assets do not do by themselves: the Markdown twin for whoever prefers it, and errors with
 * the site's own pages that no cache keeps. Everything else, headers and redirects too, is theirs.
 */
import { Hono } from 'hono';
import { prefersMarkdown } from './prefers-markdown.ts';

export interface Environment {
  /** The built site. It answers by `_headers` and `_redirects`, and by wrangler.jsonc. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> };
}

const METHODS = ['GET', 'HEAD'];
/** What errors are answered with is no page by itself. */
const ERROR_PAGE = /^\/(?:404|500)(?:\/|\.html|\.md)?$/;

const app = new Hono<{ readonly Bindings: Environment }>();

app.use(async ({ req }, next) => {
  if (METHODS.includes(req.raw.method)) return next();
  return plain(405, 'These are documents, to be read by GET and HEAD.', { Allow: METHODS.join(', ') });
});

app.get('*', async ({ req, env: { ASSETS } }) => {
  const request = req.raw;
  const wantsMarkdown = prefersMarkdown(request.headers.get('Accept'));
  if (ERROR_PAGE.test(new URL(request.url).pathname))
    return errorPage(404, wantsMarkdown ? '/404.md' : '/404', request, ASSETS);
  const response = (wantsMarkdown ? await twinOf(request, ASSETS) : null) ?? (await answer(request, ASSETS));
  if (response.status < 400) return varying(response);
  const status = response.status < 500 ? 404 : 500;
  return errorPage(status, wantsMarkdown ? `/${status}.md` : `/${status}`, request, ASSETS);
});

export default app;

/** A failure is an answer, too. */
async function answer(request: Request, assets: Environment['ASSETS']): Promise<Response> {
  try {
    return await assets.fetch(request);
  } catch (error) {
    console.error(error);
    return new Response(null, { status: 500 });
  }
}

/** The Markdown of a page, also when its address ends with a slash; null for what is no page. */
async function twinOf(request: Request, assets: Environment['ASSETS']): Promise<Response | null> {
  const url = new URL(request.url);
  const route = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  url.pathname = `${route === '' ? '/index' : route}.md`;
  const twin = await answer(new Request(url.href, request), assets);
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
async function errorPage(
  status: 404 | 500,
  path: string,
  { url, method }: Request,
  assets: Environment['ASSETS'],
): Promise<Response> {
  // Without what the request asks of another document: conditions, ranges.
  const page = await answer(new Request(new URL(path, url).href, { method }), assets);
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
