/**
 * An answer of the search as a document: written into the site's own page `/search`, which has the field and, for when
 * nothing was asked, a list of all headings. It needs no script, and has none.
 */
import type { Area, Hit, PageResult, SearchAnswer, Span } from '../../site/search/answer.ts';

/** `page` is `/search` of the built site. */
export function answerPage(page: Response, answer: SearchAnswer): Response {
  return new HTMLRewriter()
    .on('title', { element: (title) => void title.prepend(`${answer.query} · `) })
    .on('[data-search-field]', { element: (field) => void field.setAttribute('value', answer.query) })
    .on('[data-search-answer]', { element: (place) => void place.setInnerContent(drawAnswer(answer), { html: true }) })
    .on('[data-search-listing]', { element: (listing) => void listing.remove() })
    .transform(page);
}

function drawAnswer(answer: SearchAnswer): string {
  const { results, query } = answer;
  const read = answer.respellings
    .map(({ typed, read: meant }) => ` <s>${escaped(typed)}</s> was read as <strong>${escaped(meant)}</strong>.`)
    .join('');
  if (results.length === 0) {
    const where = answer.area === null ? 'on this site' : 'in this part of the site';
    return `<p>Nothing ${where} answers “${escaped(query)}”.${read}</p>${drawAreas(answer)}
<p>Try fewer words, the name of a method, flag or metric as it is written, or part of an error message.</p>`;
  }
  const count = answer.pages === 1 ? 'One page answers' : `${answer.pages} pages answer`;
  const shown = answer.pages > results.length ? `; these are the best ${results.length}` : '';
  return `<p>${count} “${escaped(query)}”${shown}.${read}</p>${drawAreas(answer)}
<ol class="found">${results.map(drawPage).join('')}</ol>`;
}

function drawAreas({ query, area, areas, pagesEverywhere }: SearchAnswer): string {
  const all: Area = { key: '', label: 'All', pages: pagesEverywhere };
  const items = [all, ...areas].map(({ key, label, pages }) => {
    const words = new URLSearchParams(key === '' ? { q: query } : { q: query, area: key });
    const current = key === (area ?? '') ? ' aria-current="true"' : '';
    return `<li><a href="/search?${escaped(words.toString())}"${current}>${escaped(label)}</a> ${pages}</li>`;
  });
  return `<nav class="found-areas" aria-label="Part of the site"><ul class="found-parts">${items.join('')}</ul></nav>`;
}

function drawPage({ route, titleSpans, trail, hits }: PageResult): string {
  const way = trail.length === 0 ? '' : `<p class="found-trail">${escaped(trail.join(' › '))}</p>`;
  return `<li>${way}<h2><a href="${escaped(route)}">${drawSpans(titleSpans)}</a></h2>
<ul class="found-hits">${hits.map(drawHit).join('')}</ul></li>`;
}

function drawHit({ slug, href, kind, headingSpans, fragment }: Hit): string {
  const name = kind === 'page' || kind === 'section' ? '' : ` <span class="found-kind">${kind}</span>`;
  const isName = ['method', 'flag', 'metric'].includes(kind);
  const words = isName ? `<code>${drawSpans(headingSpans)}</code>` : drawSpans(headingSpans);
  const heading = slug === '' ? '' : `<a href="${escaped(href)}">${words}</a>${name}`;
  if (fragment === null) return heading === '' ? '' : `<li>${heading}</li>`;
  const passage = drawSpans(fragment.spans);
  return `<li>${heading}<p>${fragment.kind === 'code' ? `<code>${passage}</code>` : passage}</p></li>`;
}

function drawSpans(spans: readonly Span[]): string {
  return spans.map(({ text, isMatch }) => (isMatch ? `<mark>${escaped(text)}</mark>` : escaped(text))).join('');
}

/** For text and for attributes in double quotes. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
