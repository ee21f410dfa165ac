/**
 * JSON of other servers, read and written without changing a number: integers that JavaScript would
 * round become bigint. Written again, keys are in alphabetical order and texts escaped as Go does,
 * which is what a proxied answer looks like after op-conductor has passed it through a map.
 */
import { encodeText } from './message.ts';
import { endOfValue, skipSpace } from './raw-json.ts';

/** Deepest nesting read; a block's deepest is four. */
const nestingMax = 256;
/** Longest integer kept exactly, in digits; longer ones make the text unreadable. 256 bits have 78. */
const digitsMax = 128;

/** A JSON value whose integers are exact and whose objects keep the order of their keys. */
export type ExactJson =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly ExactJson[]
  | ReadonlyMap<string, ExactJson>;

/** The value of a text, or undefined when it is no JSON, nests too deep or holds a number out of bounds. */
export function parseExact(text: string): ExactJson | undefined {
  const reader: Reader = { text, at: 0 };
  const value = readValue(reader, 0);
  return value !== undefined && skipSpace(text, reader.at) === text.length ? value : undefined;
}

/** The text of a value, with the keys of objects in order. */
export function writeExact(value: ExactJson): string {
  if (typeof value === 'string') return encodeText(value);
  if (typeof value === 'bigint') return value.toString();
  if (isObject(value)) {
    const keys = [...value.keys()].toSorted();
    return `{${keys.map((key) => `${encodeText(key)}:${writeExact(value.get(key) ?? null)}`).join(',')}}`;
  }
  if (isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  return JSON.stringify(value);
}

/** Whether a value is an object. */
export function isObject(value: ExactJson): value is ReadonlyMap<string, ExactJson> {
  return value instanceof Map;
}

function isArray(value: ExactJson): value is readonly ExactJson[] {
  return Array.isArray(value);
}

interface Reader {
  readonly text: string;
  at: number;
}

function readValue(reader: Reader, depth: number): ExactJson | undefined {
  if (depth > nestingMax) return undefined;
  reader.at = skipSpace(reader.text, reader.at);
  const first = reader.text[reader.at];
  if (first === '{') return readObject(reader, depth);
  if (first === '[') return readArray(reader, depth);
  return readScalar(reader);
}

function readObject(reader: Reader, depth: number): ExactJson | undefined {
  const members = new Map<string, ExactJson>();
  if (isClosed(reader, '}')) return members;
  for (;;) {
    reader.at = skipSpace(reader.text, reader.at);
    const key = reader.text[reader.at] === '"' ? readScalar(reader) : undefined;
    reader.at = skipSpace(reader.text, reader.at);
    if (typeof key !== 'string' || reader.text[reader.at] !== ':') return undefined;
    reader.at += 1;
    const value = readValue(reader, depth + 1);
    if (value === undefined) return undefined;
    members.set(key, value);
    const isLast = endsHere(reader, '}');
    if (isLast === undefined) return undefined;
    if (isLast) return members;
  }
}

function readArray(reader: Reader, depth: number): ExactJson | undefined {
  const elements: ExactJson[] = [];
  if (isClosed(reader, ']')) return elements;
  for (;;) {
    const value = readValue(reader, depth + 1);
    if (value === undefined) return undefined;
    elements.push(value);
    const isLast = endsHere(reader, ']');
    if (isLast === undefined) return undefined;
    if (isLast) return elements;
  }
}

/** Steps over the opening bracket, and over the closing one when nothing is between them. */
function isClosed(reader: Reader, close: string): boolean {
  const next = skipSpace(reader.text, reader.at + 1);
  const isEmpty = reader.text[next] === close;
  reader.at = isEmpty ? next + 1 : next;
  return isEmpty;
}

/** Steps over a comma (false) or the closing bracket (true); undefined when neither is there. */
function endsHere(reader: Reader, close: string): boolean | undefined {
  reader.at = skipSpace(reader.text, reader.at);
  const mark = reader.text[reader.at];
  reader.at += 1;
  return mark === close ? true : mark === ',' ? false : undefined;
}

function readScalar(reader: Reader): ExactJson | undefined {
  const end = endOfValue(reader.text, reader.at);
  if (end <= reader.at) return undefined;
  const raw = reader.text.slice(reader.at, end);
  reader.at = end;
  if (/^-?[1-9]\d{15,}$/.test(raw)) return raw.length <= digitsMax ? BigInt(raw) : undefined;
  try {
    const value = JSON.parse(raw) as string | number | boolean | null;
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  } catch {
    return undefined; // Not JSON.
  }
}
