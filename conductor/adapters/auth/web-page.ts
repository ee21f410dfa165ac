/**
 * What tells a request of a web page from one of a tool. A browser sends an Origin header with every POST, and a
 * page cannot take it away; tools and op-node send none. A page whose own name was made to resolve to this machine
 * (DNS rebinding) is known by the Host header, which says that name. With a GET, as for an image, no Origin comes;
 * there Sec-Fetch-Site says that the page is another site's.
 */
import { isLoopback, isLoopbackHost } from '../system/loopback.ts';

/** What of a request tells. */
export interface Headers {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** Sec-Fetch-Site. */
  readonly site: string | undefined;
}

/** Sites of which somebody looks by hand, or our own page. */
const ownSites: ReadonlySet<string> = new Set(['none', 'same-origin']);

/** Longest piece of a header that is quoted, characters. */
const quotedLengthMax = 200;

/** Makes the judge of a server that listens at `hostname`: why a request is taken for a web page's, or null. */
export function pageDetector(hostname: string): (headers: Headers) => string | null {
  const isLocal = isLoopback(hostname);
  return ({ origin, host, site }) => {
    if (origin !== undefined) return `a web page (${quoted(origin)}) sends it`;
    if (site !== undefined && !ownSites.has(site)) return `a web page (${quoted(site)}) sends it`;
    if (!isLocal || host === undefined || isLoopbackHost(host)) return null;
    return `it is for ${quoted(host)}, which is no name of this machine, as a web page's can be`;
  };
}

/** The same of a request. */
export function headersOf({ headers }: Request): Headers {
  const of = (name: string): string | undefined => headers.get(name) ?? undefined;
  return { origin: of('origin'), host: of('host'), site: of('sec-fetch-site') };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, quotedLengthMax));
}
