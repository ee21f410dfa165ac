/**
 * Links within the site lead to a page, a heading, a file, a redirect or a run of the simulator that exists.
 */
import { runFromText } from '#simulator/run-value';
import GithubSlugger from 'github-slugger';
import type { ContentGraph } from '../content-graph.ts';
import type { Problem } from '../problems.ts';

/** As site/islands/live-cluster/link.ts reads it. */
const RUN = /^run=([^&]*)/;
/** A method of the reference that is to be run at once. */
const CALL = /^([\w.]+)=run$/;
const EXTERNAL = /^(?:https?:\/\/|mailto:)/;

/** `files` are served beside the pages: `/icon.svg`, `/llms.txt`; `address` is the site's own. */
export function checkLinks(graph: ContentGraph, files: ReadonlySet<string>, address: string): Problem[] {
  const redirects = new Set(graph.tree.redirects.map(({ from }) => from));
  const problems: Problem[] = [];
  for (const { page, images } of graph.pages.values()) {
    for (const { href, line } of page.links) {
      const message = complaint(href, page.route, { graph, files, redirects, address });
      if (message !== null) problems.push({ file: page.file, line, message });
    }
    for (const { href, line } of images) {
      if (!files.has(href)) {
        problems.push({
          file: page.file,
          line,
          message: `There is no picture ${href}; pictures are files of site/public, named from there: /pictures/name.svg.`,
        });
      }
    }
  }
  return problems;
}

interface Targets {
  readonly graph: ContentGraph;
  readonly files: ReadonlySet<string>;
  readonly redirects: ReadonlySet<string>;
  readonly address: string;
}

function complaint(href: string, from: string, targets: Targets): string | null {
  const { graph, files, redirects, address } = targets;
  if (EXTERNAL.test(href)) return addressComplaint(href, address);
  if (!/^[/#]/.test(href) || href.startsWith('//')) {
    return `The link ${href === '' ? '' : `${href} `}must be a route from the top such as /chain/networks, an anchor such as #fees, or an address with https://.`;
  }
  const [path = '', anchor] = href.split('#', 2).map((part) => part.replace(/\?.*$/, ''));
  const route = path === '' ? from : path;
  if (route !== '/' && route.endsWith('/'))
    return `The link ${href} must not end in a slash: routes are written ${route.slice(0, -1)}.`;
  const target = graph.pages.get(route);
  if (target === undefined) {
    if (anchor === undefined && (files.has(route) || redirects.has(route))) return null;
    return `The link ${href} leads nowhere: there is no page ${route}${nearest(route, graph)}.`;
  }
  if (anchor === undefined || !target.isRead || target.anchors.has(decoded(anchor))) return null;
  const run = RUN.exec(anchor)?.[1];
  if (run !== undefined && target.components.some(({ names }) => names === 'LiveCluster')) return runComplaint(run);
  const method = CALL.exec(anchor)?.[1];
  if (method !== undefined && target.components.some(({ names }) => names === 'RunMethod'))
    return complaint(`${route}#${new GithubSlugger().slug(method)}`, from, targets);
  return anchor === ''
    ? `The link ${href} has an empty anchor.`
    : `The link ${href} leads nowhere: ${target.page.file} has no heading #${anchor}.`;
}

/** A run of the simulator that the page plays. */
function runComplaint(text: string): string | null {
  try {
    const { opConductors } = runFromText(text).configuration;
    return opConductors === 0 ? null : `The link to the run ${text} cannot be played: pages bring no op-conductors.`;
  } catch (error) {
    return `The link to the run ${text} cannot be played: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Hosts that readers run themselves, which speak no TLS. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

function addressComplaint(href: string, own: string): string | null {
  const address = URL.parse(href);
  if (address === null) return `${href} is not an address.`;
  if (address.host === new URL(own).host) {
    const route = address.pathname + address.search + address.hash;
    return `The link ${href} leads to this site; write ${route}, which is checked and works wherever the site is.`;
  }
  if (address.protocol !== 'http:' || OWN_HOSTS.includes(address.hostname)) return null;
  return `The link ${href} leads to another site without encryption; write https://.`;
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

/** A page of the same name elsewhere, for pages that moved. */
function nearest(route: string, graph: ContentGraph): string {
  const name = route.slice(route.lastIndexOf('/'));
  const candidates = [...graph.pages.keys()].filter((other) => other.endsWith(name));
  return name.length > 1 && candidates.length > 0 ? `; did you mean ${candidates.slice(0, 3).join(' or ')}` : '';
}
