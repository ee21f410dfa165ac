/** An answer as text for a terminal of 80 columns: pages, their sections, a line of each. */
import type { SearchAnswer, Span } from './answer.ts';

const COLUMNS = 80;
const BOLD = '\u001b[1m';
const NORMAL = '\u001b[22m';

export interface ListOptions {
  /** No terminal sequences: found words are not set off. */
  readonly isPlain: boolean;
}

export function listAnswer(answer: SearchAnswer, options: ListOptions): string {
  if (answer.results.length === 0) {
    return `Nothing on this site answers “${answer.query}”. Try fewer words, or a name as it is written in code.`;
  }
  const read = answer.respellings.map(({ typed, read: meant }) => `“${typed}” read as “${meant}”`);
  const pages = `${answer.pages} ${answer.pages === 1 ? 'page answers' : 'pages answer'} “${answer.query}”`;
  const lines = [[pages, ...read].join('; ')];
  for (const { rank, pageTitle, trail, hits } of answer.results) {
    lines.push('', `${String(rank).padStart(2)}  ${[...trail, pageTitle].join(' › ')}`);
    for (const hit of hits) {
      lines.push(`    ${hit.slug === '' ? hit.href : `${shown(hit.headingSpans, options)}  ${hit.href}`}`);
      if (hit.fragment !== null) lines.push(`      ${shown(shortened(hit.fragment.spans, COLUMNS - 6), options)}`);
    }
  }
  return lines.join('\n');
}

function shortened(spans: readonly Span[], columns: number): Span[] {
  const kept: Span[] = [];
  let left = columns;
  for (const span of spans) {
    if (span.text.length > left) {
      kept.push({ ...span, text: `${span.text.slice(0, Math.max(0, left - 1))}…` });
      break;
    }
    kept.push(span);
    left -= span.text.length;
  }
  return kept;
}

function shown(spans: readonly Span[], { isPlain }: ListOptions): string {
  return spans.map(({ text, isMatch }) => (isMatch && !isPlain ? BOLD + text + NORMAL : text)).join('');
}
