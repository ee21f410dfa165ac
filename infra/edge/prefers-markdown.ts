/**
 * Content negotiation between the two forms of a page (RFC 9110, section 12.5.1): what the `Accept` of a request gives
 * `text/markdown` and `text/html`, each by the most specific range that covers it.
 */

interface Preference {
  /** 0 (never) to 1. */
  readonly weight: number;
  /** 0: nothing covers the type; 1: any type; 2: any text; 3: the type by name. */
  readonly precision: 0 | 1 | 2 | 3;
}

const NONE: Preference = { weight: 0, precision: 0 };
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Whether Markdown is wanted more than HTML. A tie goes to the one that is named, and to HTML if both or none are. */
export function prefersMarkdown(accept: string | null): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',');
  const markdown = preferenceFor('text/markdown', ranges);
  const html = preferenceFor('text/html', ranges);
  if (markdown.weight !== html.weight) return markdown.weight > html.weight;
  return markdown.weight > 0 && markdown.precision > html.precision;
}

/** Ranges with a weight that is no weight are passed over. */
function preferenceFor(type: string, ranges: readonly string[]): Preference {
  const byPrecision = ['', '*/*', 'text/*', type];
  let found = NONE;
  for (const range of ranges) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const precision = byPrecision.indexOf(name);
    const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
    if (precision <= found.precision || !WEIGHT.test(written)) continue;
    found = { weight: Number(written), precision: precision as Preference['precision'] };
  }
  return found;
}
