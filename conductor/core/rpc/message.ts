/**
 * JSON-RPC 2.0 messages in and out, in the exact forms of the server we replace (geth's rpc
 * package): which of call, notification and response a message is, what is echoed as its id,
 * and the bytes of an answer. Pure text work; nothing is executed here.
 */
import { elementsOf, endOfValue, membersOf, parseJson, skipSpace, type Member } from './raw-json.ts';

/** Parameters as they came. `text` is '' when the key was absent; `values` is null unless they are an array. */
export interface CallParams {
  readonly text: string;
  readonly values: readonly unknown[] | null;
  /** Bytes that were read apart and are missing in `text` (see read-body). */
  readonly cutBytes?: number;
}

export interface Call {
  /** Raw JSON of the id, echoed; null for a notification, which gets no answer. */
  readonly id: string | null;
  readonly method: string;
  readonly params: CallParams;
}

/** What one message of a body is. 'answered' needs no execution; 'ignored' gets no answer. */
export type Item =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'ignored' };

/** A whole body. 'failed' carries the answer. */
export type Body =
  | { readonly kind: 'empty' }
  | { readonly kind: 'single'; readonly item: Item }
  | { readonly kind: 'batch'; readonly items: readonly Item[] }
  | { readonly kind: 'failed'; readonly text: string };

/** How a call ended. `json` and `data` are JSON texts. */
export type Outcome =
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: string };

/** Longest id, in characters; it is echoed. */
export const ID_LENGTH_MAX = 1024;

export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  failed: -32000,
  responseTooLarge: -32003,
  /** No valid proof of identity. Outside of the reserved range, so that no client library reads another meaning into it. */
  unauthorized: -40100,
} as const;

/** A call without parameters in the form and order in which clients write it, as most reads are. */
const plainCall = /^\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}),"method":"(\w{1,64})"(,"params":\[\])?\}\n?$/;
/** Longer texts are never one. */
const plainLengthMax = 200;

/** Splits a body into messages. Text after the first JSON value is ignored, as in Go. */
export function parseBody(text: string, batchItemsMax: number): Body {
  return (text.length < plainLengthMax ? plainBody(text) : null) ?? parseAnyBody(text, batchItemsMax);
}

/** Reads the usual form at once; null for every other text. */
function plainBody(text: string): Body | null {
  const found = plainCall.exec(text);
  if (found === null) return null;
  const params: CallParams = found[3] === undefined ? { text: '', values: null } : { text: '[]', values: [] };
  return { kind: 'single', item: { kind: 'call', call: { id: found[1]!, method: found[2]!, params } } };
}

/** The same of any text. */
export function parseAnyBody(text: string, batchItemsMax: number): Body {
  const start = skipSpace(text, 0);
  if (start >= text.length) return { kind: 'empty' };
  if (text[start] === '[') return parseBatch(text, start, batchItemsMax);
  // An object is scanned once, by its members; only other values need their end found first.
  const item = parseItem(text, start, text[start] === '{' ? text.length : endOfValue(text, start));
  return item === null ? parseFailure() : { kind: 'single', item };
}

/** The answer to one call, without the line feed that ends a body. */
export function renderAnswer(id: string, outcome: Outcome): string {
  const echoed = escapeHtml(id);
  if (outcome.kind === 'result') return `{"jsonrpc":"2.0","id":${echoed},"result":${outcome.json}}`;
  const data = outcome.data === undefined ? '' : `,"data":${outcome.data}`;
  return `{"jsonrpc":"2.0","id":${echoed},"error":{"code":${outcome.code},"message":${encodeText(outcome.message)}${data}}}`;
}

/** A string as JSON in Go's way: <, >, & and the two line separators are written as escapes. */
export function encodeText(text: string): string {
  return escapeHtml(JSON.stringify(text.toWellFormed()));
}

function parseBatch(text: string, start: number, batchItemsMax: number): Body {
  const split = elementsOf(text, start, batchItemsMax + 1);
  if (split === null) {
    const isTooLarge = endOfValue(text, start) !== -1 && elementsOf(text, start) !== null;
    return isTooLarge
      ? { kind: 'failed', text: errorAnswer('null', ErrorCode.invalidRequest, 'batch too large') }
      : parseFailure();
  }
  if (split.elements.length === 0) {
    return { kind: 'failed', text: errorAnswer('null', ErrorCode.invalidRequest, 'empty batch') };
  }
  if (split.elements.length > batchItemsMax) {
    return { kind: 'failed', text: errorAnswer('null', ErrorCode.invalidRequest, 'batch too large') };
  }
  const items: Item[] = [];
  for (const element of split.elements) {
    const item = parseItem(text, element.start, element.end);
    if (item === null) return parseFailure();
    items.push(item);
  }
  return { kind: 'batch', items };
}

/** null when the piece is not JSON. */
function parseItem(text: string, start: number, end: number): Item | null {
  if (end <= start) return null;
  if (text[start] !== '{') {
    return parseJson(text.slice(start, end)) === undefined ? null : invalidRequest('null');
  }
  const object = membersOf(text, start);
  if (object === null) return null;
  return classify(text, object.members);
}

interface Fields {
  version: unknown;
  id: string | null;
  method: unknown;
  params: CallParams;
  hasResult: boolean;
  hasError: boolean;
}

/** Keys match in any case and the last of equal ones counts, as Go's decoder has it. */
function classify(text: string, members: readonly Member[]): Item | null {
  const fields: Fields = {
    version: '',
    id: null,
    method: '',
    params: { text: '', values: null },
    hasResult: false,
    hasError: false,
  };
  for (const member of members) {
    const raw = text.slice(member.start, member.end);
    const value = parseJson(raw);
    if (value === undefined) return null;
    readField(fields, member.key.toLowerCase(), value, raw);
  }
  if (fields.id !== null && fields.id.length > ID_LENGTH_MAX) {
    const refusal = `the id is longer than ${ID_LENGTH_MAX} characters`;
    return { kind: 'answered', text: errorAnswer('null', ErrorCode.invalidRequest, refusal) };
  }
  const method = typeof fields.method === 'string' ? fields.method : '';
  const hasVersion = fields.version === '2.0';
  const hasId = fields.id !== null && fields.id[0] !== '{' && fields.id[0] !== '[';
  if (hasVersion && method !== '' && (hasId || fields.id === null)) {
    return { kind: 'call', call: { id: fields.id, method, params: fields.params } };
  }
  const isResponse =
    hasVersion && hasId && method === '' && fields.params.text === '' && (fields.hasResult || fields.hasError);
  if (isResponse) return { kind: 'ignored' };
  return invalidRequest(hasId && fields.id !== null ? fields.id : 'null');
}

function readField(fields: Fields, key: string, value: unknown, raw: string): void {
  if (key === 'jsonrpc') fields.version = value;
  else if (key === 'id') fields.id = raw;
  else if (key === 'method') fields.method = value;
  else if (key === 'params') fields.params = { text: raw, values: Array.isArray(value) ? value : null };
  else if (key === 'result') fields.hasResult = true;
  else if (key === 'error') fields.hasError = value !== null;
}

function invalidRequest(id: string): Item {
  return { kind: 'answered', text: errorAnswer(id, ErrorCode.invalidRequest, 'invalid request') };
}

function parseFailure(): Body {
  return { kind: 'failed', text: errorAnswer('null', ErrorCode.parse, 'parse error') };
}

/** The answer to what was never a call. */
export function errorAnswer(id: string, code: number, message: string): string {
  return renderAnswer(id, { kind: 'error', code, message });
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The characters of a JSON text that Go writes as escapes, so written. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found);
}
