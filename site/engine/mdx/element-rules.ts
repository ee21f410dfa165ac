/**
 * What authors may write in angle brackets: elements of HTML that carry text, and components, each with its
 * attributes. Whatever is not named here is refused: nothing of another site is ever fetched, no page has
 * scripts or styles of its own.
 */

/** Any text; a name that stands alone; or one of some texts. */
type AttributeKind = 'text' | 'flag' | readonly string[];

export interface ElementRule {
  readonly attributes: Readonly<Record<string, AttributeKind>>;
  /** Attributes that must be there, with words. */
  readonly required: readonly string[];
  /** Takes other attributes too, of any literal value. */
  readonly isOpen?: true;
  /** HTML knows no content of it. */
  readonly isEmpty?: true;
}

/** The rule for an element or component; undefined when there is none of that name for authors. */
export function elementRule(name: string): ElementRule | undefined {
  return RULES.get(name);
}

/** Names of components that authors may use. */
export function authorsComponents(): string[] {
  return Object.keys(COMPONENTS);
}

const COMPONENTS: Readonly<Record<string, ElementRule>> = {
  Badges: { attributes: { since: 'text', own: 'flag', href: 'text' }, required: [] },
  Callout: { attributes: { kind: ['note', 'warning', 'danger'], title: 'text' }, required: ['kind'] },
  Card: { attributes: { href: 'text', title: 'text' }, required: ['href', 'title'] },
  Cards: { attributes: {}, required: [] },
  Figure: { attributes: { name: 'text' }, required: [] },
  Island: {
    attributes: { name: 'text', when: ['visible', 'use'], start: 'text', fragment: 'text' },
    required: [],
    isOpen: true,
  },
  // A step without a title is noticed where its anchor is made.
  Step: { attributes: { title: 'text', slug: 'text' }, required: [] },
  Steps: { attributes: { id: 'text', perServer: 'flag' }, required: ['id'] },
  Tab: { attributes: { label: 'text' }, required: ['label'] },
  TableFilter: { attributes: { label: 'text', fold: 'flag' }, required: ['label'] },
  Tabs: { attributes: { sync: 'text' }, required: [] },
  Term: { attributes: { id: 'text' }, required: ['id'] },
};

/** Attributes of every element of HTML. */
const COMMON: ElementRule['attributes'] = {
  id: 'text',
  title: 'text',
  lang: 'text',
  dir: ['ltr', 'rtl', 'auto'],
  'aria-label': 'text',
};

const CELL: ElementRule['attributes'] = { colSpan: 'text', rowSpan: 'text', headers: 'text' };

/** Elements with attributes of their own. */
const WITH_ATTRIBUTES: Readonly<Record<string, ElementRule['attributes']>> = {
  a: { href: 'text', hrefLang: 'text' },
  col: { span: 'text' },
  colgroup: { span: 'text' },
  del: { dateTime: 'text' },
  details: { open: 'flag' },
  img: { src: 'text', alt: 'text', width: 'text', height: 'text', loading: ['lazy', 'eager'] },
  ins: { dateTime: 'text' },
  li: { value: 'text' },
  ol: { start: 'text', reversed: 'flag' },
  td: CELL,
  th: { ...CELL, scope: ['col', 'row', 'colgroup', 'rowgroup'], abbr: 'text' },
  time: { dateTime: 'text' },
};

const PLAIN = [
  ...['abbr', 'b', 'bdi', 'bdo', 'blockquote', 'caption', 'cite', 'code', 'dd', 'dfn', 'div', 'dl', 'dt', 'em'],
  ...['figcaption', 'figure', 'h2', 'h3', 'h4', 'i', 'kbd', 'mark', 'p', 'pre', 'q', 's', 'samp', 'small', 'span'],
  ...['strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'u', 'ul', 'var'],
];

const EMPTY = ['br', 'col', 'hr', 'img', 'wbr'];

function htmlRules(): [string, ElementRule][] {
  const names = new Set([...PLAIN, ...EMPTY, ...Object.keys(WITH_ATTRIBUTES)]);
  return Array.from(names, (name) => {
    const attributes = { ...WITH_ATTRIBUTES[name], ...COMMON };
    return [name, { attributes, required: [], ...(EMPTY.includes(name) ? { isEmpty: true } : {}) }];
  });
}

const RULES: ReadonlyMap<string, ElementRule> = new Map([...Object.entries(COMPONENTS), ...htmlRules()]);
