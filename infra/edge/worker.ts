/**
 * What the platform's static assets do not do by themselves: the Markdown twin for whoever prefers it, and errors with
 * the site's own pages that no cache keeps. Everything else, headers and redirects too, is theirs.
 */
import { prefersMarkdown } from './prefers-markdown.ts';

export interface Environment {
  /** The built site. It answers by `_headers` and `_redirects`, and by wrangler.jsonc. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> };
}

const METHODS = ['GET', 'HEAD'];

export default {
  async fetch(request: Request, { ASSETS }: Environment): Promise<Response> {
    const wantsMarkdown = prefersMarkdown(request.headers.get('Accept'));
    /** An error with the page of that name. */
    const failed = async (status: 404 | 500): Promise<Response> => {
      const url = new URL(wantsMarkdown ? `/${status}.md` : `/${status}`, request.url).href;
      const page = await ASSETS.fetch(new Request(url, { method: request.method }));
      return new Response(page.body, { status, headers: errorHeaders(page.headers) });
    };
    if (!METHODS.includes(request.method)) return refusal();
    try {
      const response = (wantsMarkdown ? await twinOf(request, ASSETS) : null) ?? (await ASSETS.fetch(request));
      return response.status === 404 ? await failed(404) : varying(response);
    } catch (error) {
      console.error(error);
      return await failed(500).catch(unreadable);
    }
  },
};

/** The Markdown of a page, also when its address ends with a slash; null for what is no page. */
async function twinOf(request: Request, assets: Environment['ASSETS']): Promise<Response | null> {
  const url = new URL(request.url);
  const route = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  url.pathname = `${route === '' ? '/index' : route}.md`;
  const twin = await assets.fetch(new Request(url.href, request));
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

/** Those of a page that explains an error: it is not what is usually found at this address. */
function errorHeaders(page: Headers): Headers {
  const headers = new Headers(page);
  headers.set('Cache-Control', 'no-store');
  headers.set('Vary', 'Accept');
  headers.delete('ETag');
  return headers;
}

function refusal(): Response {
  return plain(405, 'These are documents, to be read by GET and HEAD.', { Allow: METHODS.join(', ') });
}

function unreadable(): Response {
  return plain(500, 'The site cannot be read at the moment. Please try again later.', {});
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>>): Response {
  const fixed = {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(`${text}\n`, { status, headers: { ...fixed, ...headers } });
}
