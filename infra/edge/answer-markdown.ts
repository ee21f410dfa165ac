/** An answer of the search as Markdown: for tools, and for whoever prefers it to a page. */
import type { Hit, SearchAnswer, Span } from '../../site/search/answer.ts';

/** Addresses are below `origin`. */
export function answerMarkdown({ query, results, pages, respellings }: SearchAnswer, origin: string): string {
  const asked = `“${query.replaceAll(/\s+/g, ' ').trim()}”`;
  if (results.length === 0)
    return `Nothing on this site answers ${asked}. Try fewer words, or a name as it is written in code.\n`;
  const read = respellings.map(({ typed, read: meant }) => ` “${typed}” was read as “${meant}”.`).join('');
  const shown = pages > results.length ? `, the best ${results.length} of which follow` : '';
  const lines = [`${pages} ${pages === 1 ? 'page answers' : 'pages answer'} ${asked}${shown}.${read}`];
  for (const { trail, pageTitle, hits } of results) {
    lines.push('', `## ${[...trail, pageTitle].join(' › ')}`, '', ...hits.map((hit) => lineOf(hit, origin)));
  }
  return `${lines.join('\n')}\n`;
}

function lineOf({ heading, href, kind, fragment }: Hit, origin: string): string {
  const name = kind === 'page' || kind === 'section' ? '' : ` (${kind})`;
  const passage = fragment === null ? '' : `: ${plainText(fragment.spans)}`;
  return `- [${heading}](${origin}${href})${name}${passage}`;
}

/** Without marks, on one line. */
export function plainText(spans: readonly Span[]): string {
  return spans
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ');
}
