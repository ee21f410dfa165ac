/**
 * The answers around JSON-RPC: the page for people, the probes' paths, redirects, and the headers that
 * let any browser page call; forms and headers as the server we replace.
 */
import { Hono } from 'hono';
import { pathOf, queryOf, type HttpEnv } from './server.ts';

/** What the pages say about this process. */
export interface PageFacts {
  readonly version: string;
  /** Rule 25: '' when ready, else why not. */
  readonly readiness: () => string;
}

/** The answer to a path that is not served. */
export function elsewhere(request: Request): Response {
  const path = pathOf(request);
  const clean = cleanPath(path);
  if (clean !== path && request.method !== 'CONNECT') return redirect(request, clean);
  return text(404, '404 page not found\n', { 'X-Content-Type-Options': 'nosniff' });
}

/** Any origin and any header may call, as with op-conductor; POST and GET only. */
export function preflight({ headers: fields }: Request): Response {
  const headers: Record<string, string> = {
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
  const method = fields.get('access-control-request-method') ?? '';
  if (fields.has('origin') && (method === 'POST' || method === 'GET')) {
    headers['Access-Control-Allow-Methods'] = method;
    headers['Access-Control-Allow-Origin'] = '*';
    headers['Access-Control-Max-Age'] = '600';
    const asked = fields.get('access-control-request-headers');
    if (asked !== null) headers['Access-Control-Allow-Headers'] = asked;
  }
  return new Response(null, { status: 204, headers });
}

/** Double slashes and dots are taken out, as Go's router does before it answers. */
function cleanPath(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path;
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  const isFolder = /\/\.{0,2}$/.test(path) && kept.length > 0;
  return `/${kept.join('/')}${isFolder ? '/' : ''}`;
}

function redirect(request: Request, path: string): Response {
  const query = queryOf(request);
  const place = query === '' ? path : `${path}?${query}`;
  const isPage = request.method === 'GET' || request.method === 'HEAD';
  if (!isPage) return new Response(null, { status: 307, headers: { Location: place } });
  const body = `<a href="${Bun.escapeHTML(place)}">Temporary Redirect</a>.\n\n`;
  return new Response(body, { status: 307, headers: { 'Content-Type': 'text/html; charset=utf-8', Location: place } });
}

/** What somebody sees who looks with a browser. */
export function landing(facts: PageFacts, request: Request): Response {
  const page = `conductor ${facts.version}: JSON-RPC is answered here by POST; /healthz and /readyz are for probes\n`;
  return text(200, page, corsHeaders(request));
}

/** The paths of the probes, for every method. */
export function probes({ version, readiness }: PageFacts): Hono<HttpEnv> {
  const healthz = (): Response =>
    new Response(`${JSON.stringify({ version })}\n`, { headers: { 'Content-Type': 'application/json' } });
  const readyz = (): Response => {
    const reason = readiness();
    return reason === '' ? text(200, 'ready\n', {}) : text(503, `not ready: ${reason}\n`, {});
  };
  return new Hono<HttpEnv>().all('/healthz', healthz).all('/healthz/', healthz).all('/readyz', readyz);
}

const anyOrigin = { Vary: 'Origin', 'Access-Control-Allow-Origin': '*' };
const noOrigin = { Vary: 'Origin' };

function corsHeaders({ headers }: Request): Record<string, string> {
  return headers.has('origin') ? anyOrigin : noOrigin;
}

const json = { 'Content-Type': 'application/json' };
const jsonInit = { headers: new Headers({ ...json, ...noOrigin }) };
const jsonInitAnyOrigin = { headers: new Headers({ ...json, ...anyOrigin }) };

/** The headers of an answer of JSON-RPC; the same object for many, read into the runtime's form once, which makes answers cheap. */
export function jsonInitFor({ headers }: Request): { readonly headers: Headers } {
  return headers.has('origin') ? jsonInitAnyOrigin : jsonInit;
}

/** A refusal in words. */
export function plain(status: number, body: string): Response {
  return text(status, body, { Vary: 'Origin', 'X-Content-Type-Options': 'nosniff' });
}

function text(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });
}
