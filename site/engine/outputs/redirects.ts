/**
 * Routes that lead elsewhere: `_redirects` for hosts that read it, and a document for each that sends
 * readers on where the host does not.
 */
import type { PageTree } from '../page-tree.ts';
import { escapeXml, type OutputFile, type OutputInput } from './output-file.ts';

export function redirectFiles({ graph, settings }: OutputInput): OutputFile[] {
  const { redirects } = graph.tree;
  const rules = redirects.flatMap(({ from, to }) => [`${from} ${to} 302`, `${from}/ ${to} 302`]);
  const documents = redirects.map(({ from, to }) => ({
    path: `${from.slice(1)}/index.html`,
    text: redirectDocument(to.startsWith('/') ? settings.address + to : to, to),
  }));
  return [{ path: '_redirects', text: `${rules.join('\n')}\n` }, ...documents];
}

/** Routes that leave the site. */
export function leavingRoutes(tree: PageTree): string[] {
  return tree.redirects.filter(({ to }) => !to.startsWith('/')).map(({ from }) => from);
}

function redirectDocument(canonical: string, to: string): string {
  const target = escapeXml(to);
  return `<!DOCTYPE html>
<html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moved</title><meta name="robots" content="noindex"><link rel="canonical" href="${escapeXml(canonical)}">
<meta http-equiv="refresh" content="0; url=${target}"></head>
<body><main><h1>Moved</h1><p>This address leads to <a href="${target}">${target}</a>.</p></main></body></html>
`;
}
