/**
 * The head of an HTTP/1 request (RFC 9112): the bytes before its body, as text, to the few facts a
 * server acts on. Whatever two readers could understand differently is refused: two lengths, a length
 * beside chunks, folded or unnamed fields, control characters.
 */

/** A request before its body. Field names are in lower case; of equal ones the first counts. */
export interface RequestHead {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** After the question mark; '' without one. */
  readonly query: string;
  readonly fields: ReadonlyMap<string, string>;
  /** Bytes of the body, or 'chunked'. */
  readonly length: number | 'chunked';
  /** The connection serves further requests after this one. */
  readonly isKeptAlive: boolean;
  /** HTTP/1.0 clients must be told that the connection is kept. */
  readonly isOld: boolean;
  /** The client waits for leave to send the body. */
  readonly wantsContinue: boolean;
}

/** Why a head is refused, as a status. */
export interface HeadProblem {
  readonly status: 400 | 417 | 431 | 501 | 505;
  readonly why: string;
}

/** Fields of one request. */
const fieldsMax = 128;
/** Longest head of a request, in bytes. */
const headBytesMax = 32 * 1024;
/** Longest head that is kept to be known again, in bytes. */
const keptHeadBytesMax = 1024;

const requestLine = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/(\d)\.(\d)$/;
const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** The characters of a host and port, names, addresses and escapes alike. */
const hostName = /^[\w!$%&'()*+,.:;=[\]~-]*$/;
// oxlint-disable-next-line no-control-regex -- these are the characters to refuse
const forbidden = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** White space around a value is spaces and tabs alone (RFC 9110, section 5.6.3): all else is part of it, and refused. */
const outerSpace = /^[ \t]+|[ \t]+$/g;

/** A head and its size with its closing empty line. */
interface SizedHead {
  readonly head: RequestHead;
  readonly size: number;
}

/** Reads the heads of one connection. Most clients send the same bytes again and again: those are parsed once. */
export class HeadReader {
  #latest: (SizedHead & { readonly bytes: Buffer }) | null = null;

  /** The head at the start of `bytes`; null when more bytes are needed. */
  read(bytes: Buffer): SizedHead | HeadProblem | null {
    const latest = this.#latest;
    if (latest !== null && bytes.length >= latest.size && latest.bytes.compare(bytes, 0, latest.size) === 0)
      return latest;
    const read = readHead(bytes);
    if (read === null || 'status' in read || read.size > keptHeadBytesMax) return read;
    this.#latest = { ...read, bytes: Buffer.from(bytes.subarray(0, read.size)) };
    return read;
  }
}

function readHead(bytes: Buffer): SizedHead | HeadProblem | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end > headBytesMax || (end === -1 && bytes.length > headBytesMax))
    return { status: 431, why: `the head of a request has at most ${headBytesMax} bytes` };
  if (end !== -1) {
    const head = parseHead(bytes.toString('latin1', 0, end));
    return 'status' in head ? head : { head, size: end + 4 };
  }
  // Who ends lines otherwise may never send the end we look for.
  const lineEnd = bytes.indexOf(0x0a);
  return lineEnd === -1 || bytes[lineEnd - 1] === 0x0d ? null : bad('a line must end in CR LF');
}

/** Reads a head without its closing empty line. */
function parseHead(text: string): RequestHead | HeadProblem {
  const lineEnd = text.indexOf('\r\n');
  const first = requestLine.exec(lineEnd === -1 ? text : text.slice(0, lineEnd));
  if (first === null) return bad('malformed request line');
  const [, method = '', target = '', major, minor] = first;
  if (major !== '1') return { status: 505, why: 'HTTP/1.1 is spoken here' };
  const fields = parseFields(text, lineEnd);
  if (!(fields instanceof Map)) return fields;
  const isOld = minor === '0';
  const length = lengthOf(fields, isOld);
  if (typeof length === 'object') return length;
  const host = fields.get('host');
  if (!isOld && host === undefined) return bad('missing required Host header');
  if (host !== undefined && !hostName.test(host)) return bad('malformed Host header');
  const place = target === '*' && method !== 'OPTIONS' ? null : parseTarget(target);
  if (place === null) return bad('malformed request target');
  const expectation = fields.get('expect')?.toLowerCase();
  if (expectation !== undefined && expectation !== '100-continue') return { status: 417, why: 'unknown expectation' };
  const connection = (fields.get('connection') ?? '').toLowerCase();
  const isKeptAlive = isOld ? connection.includes('keep-alive') : !connection.includes('close');
  return { method, ...place, fields, length, isKeptAlive, isOld, wantsContinue: expectation !== undefined && !isOld };
}

function parseFields(text: string, firstEnd: number): Map<string, string> | HeadProblem {
  const fields = new Map<string, string>();
  let start = firstEnd === -1 ? text.length : firstEnd + 2;
  for (let count = 0; start < text.length; count += 1) {
    if (count === fieldsMax) return { status: 431, why: `more than ${fieldsMax} fields` };
    let end = text.indexOf('\r\n', start);
    if (end === -1) end = text.length;
    const colon = text.indexOf(':', start);
    if (colon === -1 || colon >= end) return bad('malformed header field');
    const name = text.slice(start, colon);
    const value = text.slice(colon + 1, end).replace(outerSpace, '');
    if (!fieldName.test(name) || forbidden.test(value)) return bad('malformed header field');
    const key = name.toLowerCase();
    const earlier = fields.get(key);
    if (earlier === undefined) fields.set(key, value);
    else if (isSingle(key)) return bad(`two ${name} fields`);
    else if (key === 'content-length' && earlier !== value) return bad(`two different ${name} fields`);
    start = end + 2;
  }
  return fields;
}

/** Fields that decide where a request ends or where it goes, and may not be repeated (RFC 9112, sections 3.2 and 6.1). */
function isSingle(key: string): boolean {
  return key === 'transfer-encoding' || key === 'host';
}

function lengthOf(fields: ReadonlyMap<string, string>, isOld: boolean): number | 'chunked' | HeadProblem {
  const coding = fields.get('transfer-encoding');
  const length = fields.get('content-length');
  if (coding !== undefined) {
    if (length !== undefined || isOld) return bad('a transfer coding where a length says how long the body is');
    return coding.toLowerCase() === 'chunked' ? 'chunked' : { status: 501, why: 'unknown transfer coding' };
  }
  if (length === undefined) return 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : bad('malformed Content-Length');
}

/** Path and query of a target in origin form, absolute form, or the asterisk of OPTIONS. */
function parseTarget(target: string): { readonly path: string; readonly query: string } | null {
  const origin = target.startsWith('/') || target === '*' ? target : absolute(target);
  if (origin === null || forbidden.test(origin)) return null;
  const mark = origin.indexOf('?');
  return mark === -1 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

function absolute(target: string): string | null {
  const match = /^https?:\/\/[^/?#]+([/?].*)?$/i.exec(target);
  if (match === null) return null;
  const rest = match[1] ?? '/';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function bad(why: string): HeadProblem {
  return { status: 400, why };
}
