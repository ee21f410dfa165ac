/** Numbers as people type them. What may mean two things, or nothing, is answered with what to write instead. */

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Groups of three digits with the same mark between all of them: a comma, a kind of space, `_` or an apostrophe. */
const GROUPED = /^\d{1,3}(?:([,\s_'’])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;

/** The number, finite; or a sentence on what is wrong. Only where `isWhole` is `1,000` sure to be a thousand. */
export function readNumber(text: string, isWhole: boolean): number | string {
  const typed = text.trim();
  if (typed === '') return 'Enter a number.';
  if (PLAIN.test(typed)) {
    const value = Number(typed);
    return Number.isFinite(value) ? value : 'Enter a number of fewer digits.';
  }
  if (/^\d+,\d+$/.test(typed)) return readOneComma(typed, isWhole);
  if (GROUPED.test(typed)) return Number(typed.replaceAll(/[,\s_'’]/g, ''));
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(typed)) {
    return `Enter a number without points between thousands: ${typed.replaceAll('.', '')}.`;
  }
  if (/^0x[0-9a-f]+$/i.test(typed)) return 'Enter a number in decimal digits, not in hexadecimal ones.';
  return 'Enter a number: digits, and a point before decimals.';
}

function readOneComma(typed: string, isWhole: boolean): number | string {
  const [whole = '', rest = ''] = typed.split(',');
  const isGroup = rest.length === 3 && whole.length <= 3 && !whole.startsWith('0');
  if (!isGroup) return `Enter a number with a point before decimals: ${whole}.${rest}.`;
  return isWhole ? Number(whole + rest) : `Enter a number without a comma: ${whole}${rest} or ${whole}.${rest}.`;
}
