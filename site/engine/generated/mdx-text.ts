/**
 * From texts of the tables to MDX: what would be markup is escaped, and what is an identifier (flags,
 * variables, methods, error codes) is set as code, so that search and readers see it as one.
 */

/** Flags, methods, variables, error codes and metric names within a sentence. */
const IDENTIFIER =
  /(--[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*(?:\.\*)?(?:=[\w/:.-]+)?|\b(?:conductor|admin|eth|miner|optimism|opp2p|net|op_conductor)_\w+|\bOP_(?:CONDUCTOR|NODE)_\w+|(?<![\w.])-32\d{3}\b|-40100\b|\/(?:ws|healthz|readyz)\b)/g;

/** A sentence of a table as MDX. */
export function prose(text: string): string {
  return text
    .split(IDENTIFIER)
    .map((part, at) => (at % 2 === 1 ? code(part) : escapeMarkup(part)))
    .join('');
}

/** A code span, whatever the text holds. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Rows of cells as a table; a pipe inside of a cell does not end it. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A fenced block whose fence is longer than any in the text. */
export function fence(info: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${info}\n${text}\n${ticks}`;
}

/** The sentence with a capital letter and a full stop. */
export function sentence(text: string): string {
  const ended = /[.?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function escapeMarkup(text: string): string {
  return text.replace(/[\\`*_{}[\]<>]/g, (mark) => `\\${mark}`);
}

/** In groups of three from five digits on, with spaces that do not break. */
export function grouped(value: number): string {
  return value < 10_000 ? String(value) : String(value).replaceAll(/\B(?=(\d{3})+$)/g, '\u00A0');
}
