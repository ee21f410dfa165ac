/**
 * JSON of other servers, read and written without changing a number: integers that JavaScript would round become
 * bigint, by the source text that the engine's parser shows (ES2026). Written again, keys are in alphabetical order and
 * texts escaped as Go does, which is what a proxied answer looks like after op-conductor has passed it through a map.
 */
import { escapeHtml } from './message.ts';
import { endOfValue, skipSpace } from './raw-json.ts';

/** Deepest nesting read; a block's deepest is four. */
const NESTING_MAX = 256;
/** Longest integer kept exactly, in digits; longer ones make the text unreadable. 256 bits have 78. */
const DIGITS_MAX = 128;
/** A number that JavaScript may not keep: long, or with an exponent. Inside of a text it only costs time. */
const UNUSUAL_NUMBER = /(?:^|[:,[\s])-?\d(?:[\d.]{14}|[\d.]*[eE])/;
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;

/** `context.source` is the text of a value that is neither list nor object; the types of ES2024 lack it. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseJson = JSON.parse as (text: string, reviver?: Reviver) => unknown;

/** A JSON value whose integers are exact; of equal keys the last one counts. */
export type ExactJson = null | boolean | string | number | bigint | readonly ExactJson[] | ExactObject;
export interface ExactObject {
  readonly [key: string]: ExactJson;
}

/** The value of a text, or undefined when it is no JSON, nests too deep or holds a number out of bounds. */
export function parseExact(text: string): ExactJson | undefined {
  if (endOfValue(text, skipSpace(text, 0), NESTING_MAX) === -1) return undefined;
  try {
    return parseJson(text, UNUSUAL_NUMBER.test(text) ? exactNumber : undefined) as ExactJson;
  } catch {
    return undefined; // Not JSON, or a number out of bounds.
  }
}

/** The text of a value, with the keys of objects in order. */
export function writeExact(value: ExactJson): string {
  return escapeHtml(write(value));
}

/** Whether a value is an object. */
export function isObject(value: ExactJson): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const exactNumber: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  const isLong = /^-?[1-9]\d{15,}$/.test(source);
  if (isLong ? source.length > DIGITS_MAX : !Number.isFinite(value)) throw new RangeError('a number out of bounds');
  return isLong ? BigInt(source) : value;
};

function write(value: ExactJson): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return value.toString();
  if (isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${quoted(key)}:${write(value[key] ?? null)}`).join(',')}}`;
}

/** Most texts are hex, which needs no escapes. */
function quoted(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text.toWellFormed());
}

function isArray(value: ExactJson): value is readonly ExactJson[] {
  return Array.isArray(value);
}
