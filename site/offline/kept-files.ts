/**
 * What the site's service worker does with the files that a reader keeps: a cache for each version of the site, filled
 * as a whole or not at all, and the network before it for everything that may have changed. It has no other sources than
 * its arguments, so that tests play network and browser.
 */

/** Made by the build (site/engine/outputs/offline.ts): paths from the first slash, pages without one at their end. */
export interface KeptFiles {
  /** Changes with any of the files. */
  readonly version: string;
  readonly paths: readonly string[];
}

export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** The parts of the browser that are used. */
export interface Shelf {
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>;
  /** As `fetch`. Rejects without a network. */
  fetch(request: Request | string, options?: RequestInit): Promise<Response>;
}

const PREFIX = 'site-';
/** Files have a hash in their name, and never change. */
const UNCHANGING = '/assets/';
/** Requests at the same time: what is being read has to go on. */
const AT_ONCE = 8;
const IGNORED: CacheQueryOptions = { ignoreSearch: true, ignoreVary: true };

/** Whether an address is one of the site's own that a reader may have kept: tools and Markdown are not. */
export function mayBeKept(method: string, address: string, origin: string): boolean {
  const url = new URL(address);
  return method === 'GET' && url.origin === origin && url.pathname !== '/offline.js';
}

/** Puts all files of a version into its cache. Rejects when one cannot be had: the version before stays in use then. */
export async function keepAll(kept: KeptFiles, shelf: Shelf, tell: (progress: Progress) => void): Promise<void> {
  const cache = await shelf.caches.open(PREFIX + kept.version);
  const waiting = [...kept.paths];
  let done = 0;
  const keepSome = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const old = path.startsWith(UNCHANGING) ? await shelf.caches.match(path) : undefined;
      await cache.put(path, old ?? (await fetched(path, shelf)));
      done += 1;
      tell({ done, all: kept.paths.length });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepSome));
}

async function fetched(path: string, shelf: Shelf): Promise<Response> {
  const response = await shelf.fetch(path, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  // Some hosts lead `/a` to `/a/`, and a browser takes no answer for a page that says it was led on.
  return response.redirected ? new Response(await response.blob(), { headers: response.headers }) : response;
}

/** Forgets all versions but this one; without one, all. */
export async function forgetOthers(version: string | null, { caches }: Pick<Shelf, 'caches'>): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== `${PREFIX}${version ?? ''}`);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The answer to a request: from the network wherever there is one, so that no page is older than what is served. */
export async function answerFor(request: Request, shelf: Shelf): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(UNCHANGING)) {
    return (await shelf.caches.match(pathname, IGNORED)) ?? (await shelf.fetch(request));
  }
  try {
    return await shelf.fetch(request);
  } catch (error) {
    const route = pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '') || '/';
    const kept = await shelf.caches.match(route, IGNORED);
    if (kept !== undefined) return kept;
    if (request.mode === 'navigate') return notKept();
    throw error;
  }
}

function notKept(): Response {
  const text = `<!DOCTYPE html><html lang="en-US"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not kept</title><h1>Not kept</h1><p>There is no network, and this address is not among the pages that are kept here.</p>
<p><a href="/">Front page</a>, <a href="/search">all titles and headings</a></p></html>`;
  return new Response(text, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}
