/**
 * Where the parts of Conductor's reference are: the notes of flags and methods link to each other by anchor alone, and the
 * pages that show them are several.
 */

export const conductorRoutes = {
  main: '/builders/chain-operators/tools/op-conductor',
  flags: '/conductor/flags',
  rpc: '/conductor/rpc',
} as const;

/** Anchors of the reference pages that are neither flags nor methods. */
const sections: Readonly<Record<string, string>> = {
  'who-may-call-admin-methods': conductorRoutes.rpc,
  'tls-between-conductors': '/conductor/securing',
  metrics: '/conductor/metrics',
};
const anchorsElsewhere: Readonly<Record<string, string>> = {
  'tls-between-conductors': 'mutual-tls-between-conductors',
  metrics: '',
};

/** The page and anchor that `#anchor` of a note means, as a link for the page at `from`. */
export function referenceLink(anchor: string, from: string): string {
  const route = homeOf(anchor);
  const target = anchorsElsewhere[anchor] ?? anchor;
  const hash = target === '' ? '' : `#${target}`;
  return route === from ? hash : `${route}${hash}`;
}

/** MDX with all its links to anchors leading to the pages that have them. */
export function relinked(mdx: string, from: string): string {
  return mdx.replaceAll(/\]\(#([^)]+)\)/g, (_, anchor: string) => `](${referenceLink(anchor, from)})`);
}

function homeOf(anchor: string): string {
  if (anchor.startsWith('--')) return conductorRoutes.flags;
  if (/^(?:conductor|eth|miner|optimism|admin|health|rpc)_|^rpcdiscover$/.test(anchor)) return conductorRoutes.rpc;
  return sections[anchor] ?? conductorRoutes.main;
}
