/**
 * Log lines as geth writes them: t, lvl, msg first, then the fields in the order given; quoting and
 * padding as op-conductor's, so that existing log pipelines go on parsing. Pure text.
 */

/** Levels by their words in the lines. */
export type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'crit';
export type LogFormat = 'text' | 'terminal' | 'logfmt' | 'logfmtms' | 'json' | 'jsonms';

export interface Line {
  readonly unixMs: number;
  readonly level: LineLevel;
  readonly message: string;
  readonly fields: readonly (readonly [key: string, value: unknown])[];
}

/** Writes one line, without line feed. */
export type LineFormatter = (line: Line) => string;

/** Longest width a value is padded to in the terminal form. */
const paddingMax = 40;
const messageWidth = 40;
/** Whole numbers from here on have separators in the terminal form. */
const separatedFrom = 100_000;

/** The formatter of a --log.format. Colours are for the terminal form only. */
export function lineFormatter(format: LogFormat, hasColor: boolean): LineFormatter {
  switch (format) {
    case 'json':
    case 'jsonms':
      return formatJson;
    case 'terminal':
      return terminalFormatter(hasColor);
    case 'text':
      // As op-conductor: a text that may be coloured is for a terminal.
      return hasColor ? terminalFormatter(true) : (line) => formatLogfmt(line, false);
    case 'logfmtms':
      return (line) => formatLogfmt(line, true);
    default:
      return (line) => formatLogfmt(line, false);
  }
}

function formatLogfmt(line: Line, hasMs: boolean): string {
  const head = `t=${localTime(line.unixMs, hasMs)} lvl=${line.level} msg=${quoteLogfmt(line.message)}`;
  const fields = line.fields.map(([key, value]) => ` ${quoteLogfmt(key)}=${quoteLogfmt(textOf(value))}`);
  return head + fields.join('');
}

function formatJson(line: Line): string {
  const time = new Date(line.unixMs).toISOString();
  const fields = line.fields.map(([key, value]) => [key, jsonValue(value)] as const);
  return JSON.stringify(Object.fromEntries([['t', time], ['lvl', line.level], ['msg', line.message], ...fields]));
}

const colors: Readonly<Record<LineLevel, number>> = { trace: 34, debug: 36, info: 32, warn: 33, error: 31, crit: 35 };

/** Keeps the widest value per key, so that columns line up from line to line. */
function terminalFormatter(hasColor: boolean): LineFormatter {
  const widths = new Map<string, number>();
  return (line) => {
    const name = line.level.toUpperCase().padEnd(5);
    const colored = (text: string): string => (hasColor ? `\u001b[${colors[line.level]}m${text}\u001b[0m` : text);
    const message = quoteMessage(line.message);
    const head = `${colored(name)}[${shortTime(line.unixMs)}] ${message}`;
    if (line.fields.length === 0) return head;
    const padding = ' '.repeat(Math.max(0, messageWidth - Buffer.byteLength(message)));
    const fields = line.fields.map(([key, value], position) => {
      const text = terminalValue(value);
      const length = [...text].length;
      const width = Math.max(widths.get(key) ?? 0, length);
      if (width <= paddingMax) widths.set(key, width);
      const isLast = position === line.fields.length - 1;
      return ` ${colored(quoteTerminal(key))}=${isLast || width > paddingMax ? text : text + ' '.repeat(width - length)}`;
    });
    return `${head}${padding}${fields.join('')}`;
  };
}

/** Large whole numbers with separators, others with three decimals; texts quoted where needed. */
function terminalValue(value: unknown): string {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) {
    const digits = String(value);
    const isLarge = value >= separatedFrom || value <= -separatedFrom;
    return isLarge ? digits.replaceAll(/\B(?=(\d{3})+$)/g, ',') : digits;
  }
  if (typeof value === 'number') return value.toFixed(3);
  return quoteTerminal(textOf(value));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof Error) return value.message;
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`;
  return typeof value === 'object'
    ? JSON.stringify(value, plainJson)
    : String(value as string | number | boolean | bigint);
}

function jsonValue(value: unknown): unknown {
  if (value instanceof Error) return value.message;
  if (typeof value === 'bigint') return value.toString();
  return value === undefined ? null : value;
}

function plainJson(_key: string, value: unknown): unknown {
  return jsonValue(value);
}

/** Quoted when empty or when it holds space, quote, equals sign or something not printable. */
function quoteLogfmt(text: string): string {
  return text === '' || /[\s"=\p{Cc}\p{Zs}]/u.test(text) ? quote(text) : text;
}

/** Here also everything beyond ASCII is quoted, but an empty value is not. */
function quoteTerminal(text: string): string {
  return /[^!-~]|["=]/.test(text) ? quote(text) : text;
}

/** Quoted when it holds a control character, something beyond ASCII or an equals sign; lines may break. */
function quoteMessage(text: string): string {
  return /[^ -~\r\n\t]|=/.test(text) ? quote(text) : text;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

function quote(text: string): string {
  const escaped = text.replace(
    /["\\\p{Cc}]/gu,
    (found) => shortEscapes[found] ?? `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

/** 2006-01-02T15:04:05-0700 in local time, with milliseconds if asked. */
function localTime(unixMs: number, hasMs: boolean): string {
  const date = new Date(unixMs);
  const offset = -date.getTimezoneOffset();
  const shifted = new Date(unixMs + offset * 60_000).toISOString();
  const sign = offset < 0 ? '-' : '+';
  const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  return `${shifted.slice(0, hasMs ? 23 : 19)}${zone}`;
}

/** 01-02|15:04:05.000 in local time. */
function shortTime(unixMs: number): string {
  const text = localTime(unixMs, true);
  return `${text.slice(5, 10)}|${text.slice(11, 23)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
