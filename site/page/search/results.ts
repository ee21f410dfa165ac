/** What was found: the parts of the site to choose from, then pages with their sections as one list of options. */
import type { Fragment, Hit, PageResult, SearchAnswer, Span } from '../../search/answer.ts';
import { make } from '../make.ts';
import { codePieces } from './code-pieces.ts';

export interface ResultActions {
  readonly onArea: (area: string | null) => void;
  /** Asked for when a part of the site has nothing. */
  readonly onEverywhere: () => void;
}

export function optionId(position: number): string {
  return `search-option-${position}`;
}

export function drawAnswer(answer: SearchAnswer, actions: ResultActions): Node[] {
  const areas = drawAreas(answer, actions.onArea);
  if (answer.results.length === 0) return [areas, drawNothing(answer, actions.onEverywhere)];
  let position = 0;
  const results = make('div', {
    id: 'search-results',
    className: 'search-results',
    role: 'listbox',
    ariaLabel: 'Results',
  });
  for (const page of answer.results) {
    results.append(drawPage(page, position));
    position += page.hits.length;
  }
  return answer.respellings.length === 0 ? [areas, results] : [areas, drawRespellings(answer), results];
}

/** Radio buttons: Tab reaches the row, arrows change the part. */
function drawAreas(answer: SearchAnswer, onArea: ResultActions['onArea']): HTMLElement {
  const all = { key: null, label: 'All', pages: answer.pagesEverywhere };
  const field = make(
    'fieldset',
    { className: 'search-areas' },
    make('legend', { className: 'unseen' }, 'Part of the site'),
  );
  for (const { key, label, pages } of [all, ...answer.areas]) {
    const isChosen = answer.area === key;
    const radio = make('input', { className: 'unseen', type: 'radio', name: 'search-area', checked: isChosen });
    radio.addEventListener('change', () => onArea(key));
    const count = make('span', { className: 'search-count' }, String(pages));
    const of = make(
      'label',
      { className: pages === 0 ? 'search-none' : '' },
      radio,
      make('span', {}, label),
      ' ',
      count,
    );
    field.append(of);
  }
  return field;
}

function drawRespellings({ respellings }: SearchAnswer): HTMLElement {
  return make(
    'p',
    { className: 'search-remark' },
    ...respellings.flatMap(({ typed, read }) => [make('s', {}, typed), ' read as ', make('strong', {}, read), ' ']),
  );
}

function drawPage(page: PageResult, first: number): HTMLElement {
  const id = `search-page-${page.rank}`;
  const title = make(
    'div',
    { id, className: 'search-title' },
    make('span', { className: 'search-trail' }, page.trail.join(' › ')),
    make('span', { className: 'unseen' }, ': '),
    make('span', {}, ...drawSpans(page.titleSpans)),
  );
  title.dataset['pageHref'] = page.href.replace(/#.*$/, '');
  const group = make('div', { role: 'group', className: 'search-page' }, title);
  group.setAttribute('aria-labelledby', id);
  group.append(...page.hits.map((hit, offset) => drawHit(hit, first + offset)));
  return group;
}

function drawHit(hit: Hit, position: number): HTMLElement {
  const isTop = hit.slug === '';
  const option = make('a', {
    id: optionId(position),
    href: hit.href,
    role: 'option',
    tabIndex: -1,
    className: 'search-option',
  });
  option.dataset['kind'] = hit.kind;
  if (isTop && hit.fragment !== null) option.append(make('span', { className: 'unseen' }, `${hit.heading}: `));
  else {
    const words = isTop ? [hit.heading] : drawSpans(hit.headingSpans);
    option.append(make('span', { className: 'search-heading' }, ...words, ...drawKind(hit)));
  }
  if (hit.fragment !== null) option.append(drawFragment(hit.fragment));
  return option;
}

/** Said of names alone: that a section is one needs no word. */
function drawKind({ kind }: Hit): HTMLElement[] {
  return kind === 'page' || kind === 'section' ? [] : [make('span', { className: 'search-kind' }, ` ${kind}`)];
}

function drawFragment({ kind, spans }: Fragment): HTMLElement {
  const name = kind === 'code' ? 'code' : 'span';
  return make(name, { className: `search-${kind}` }, ...drawSpans(spans, kind === 'prose'));
}

/** What is written as code is set as code, if asked for. */
function drawSpans(spans: readonly Span[], setsCode = false): (Node | string)[] {
  const pieces = setsCode ? codePieces(spans) : spans.map((span) => ({ ...span, isCode: false }));
  return pieces.map(({ text, isMatch, isCode }) => {
    const drawn = isCode ? make('code', {}, text) : text;
    return isMatch ? make('mark', {}, drawn) : drawn;
  });
}

function drawNothing(answer: SearchAnswer, onEverywhere: () => void): HTMLElement {
  const where = answer.area === null ? 'on this site' : 'in this part of the site';
  const nothing = make(
    'div',
    { className: 'search-nothing' },
    make('p', {}, `Nothing ${where} answers “${answer.query}”.`),
  );
  if (answer.area !== null && answer.pagesEverywhere > 0) {
    const wider = make('button', { type: 'button' }, 'Look in the whole site');
    wider.addEventListener('click', onEverywhere);
    nothing.append(wider);
  } else {
    const advice =
      'Try fewer words, the name of a method, flag or metric as it is written, or part of an error message.';
    nothing.append(make('p', {}, advice));
  }
  return nothing;
}
