/**
 * The answers around JSON-RPC: the page for people, the probes' paths, redirects, and the headers that
 * let any browser page call; forms and headers as the server we replace.
 */
import type { HttpReply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** What the pages say about this process. */
export interface PageFacts {
  readonly version: string;
  /** Rule 25: '' when ready, else why not. */
  readonly readiness: () => string;
}

/** The reply to any other path than the root. */
export function elsewhere(facts: PageFacts, head: RequestHead): HttpReply {
  const { path } = head;
  if (path === '/healthz' || path === '/healthz/') return healthz(facts);
  if (path === '/readyz') return readyz(facts);
  const clean = cleanPath(path);
  if (clean !== path && head.method !== 'CONNECT') return redirect(head, clean);
  return text(404, '404 page not found\n', 'X-Content-Type-Options: nosniff\r\n');
}

/** Any origin and any header may call, as there; POST and GET only. */
export function preflight({ fields }: RequestHead): HttpReply {
  let headers = 'Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers\r\n';
  const method = fields.get('access-control-request-method') ?? '';
  if (fields.has('origin') && (method === 'POST' || method === 'GET')) {
    headers += `Access-Control-Allow-Methods: ${method}\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Max-Age: 600\r\n`;
    const asked = fields.get('access-control-request-headers');
    if (asked !== undefined) headers += `Access-Control-Allow-Headers: ${asked}\r\n`;
  }
  return { status: 204, headers, body: '' };
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

function redirect({ method, query }: RequestHead, path: string): HttpReply {
  const place = query === '' ? path : `${path}?${query}`;
  const isPage = method === 'GET' || method === 'HEAD';
  const type = isPage ? 'Content-Type: text/html; charset=utf-8\r\n' : '';
  const body = isPage ? `<a href="${Bun.escapeHTML(place)}">Temporary Redirect</a>.\n\n` : '';
  return { status: 307, headers: `${type}Location: ${place}\r\n`, body };
}

/** What somebody sees who looks with a browser. */
export function landing(facts: PageFacts, head: RequestHead): HttpReply {
  const page = `conductor ${facts.version}: JSON-RPC is answered here by POST; /healthz and /readyz are for probes\n`;
  return text(200, page, `Vary: Origin\r\n${allowOrigin(head)}`);
}

function healthz(facts: PageFacts): HttpReply {
  return { status: 200, headers: jsonType, body: `${JSON.stringify({ version: facts.version })}\n` };
}

function readyz(facts: PageFacts): HttpReply {
  const reason = facts.readiness();
  return reason === '' ? text(200, 'ready\n', '') : text(503, `not ready: ${reason}\n`, '');
}

const jsonType = 'Content-Type: application/json\r\n';

/** An answer of JSON-RPC; '' when nothing is to be said. */
export function json(head: RequestHead, body: string): HttpReply {
  return { status: 200, headers: `${jsonType}Vary: Origin\r\n${allowOrigin(head)}`, body };
}

function allowOrigin({ fields }: RequestHead): string {
  return fields.has('origin') ? 'Access-Control-Allow-Origin: *\r\n' : '';
}

/** A refusal in words. */
export function plain(status: number, body: string): HttpReply {
  return text(status, body, 'Vary: Origin\r\nX-Content-Type-Options: nosniff\r\n');
}

function text(status: number, body: string, headers: string): HttpReply {
  return { status, headers: `Content-Type: text/plain; charset=utf-8\r\n${headers}`, body };
}
