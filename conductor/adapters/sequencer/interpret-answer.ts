/**
 * From the bytes of an answer to what it says. Nothing is made of more pieces than reading takes in some tens of
 * milliseconds; of an answer that is passed on only the place of its result is looked for.
 */
import type { CallResult, FailedReason, NodeRequest } from '#conductor/core/node/calls';
import { withOwnHash } from '#conductor/core/payload/header-hash';
import { whyTooComplex, type StructureBounds } from '#conductor/core/rpc/body-structure';
import { ErrorCode } from '#conductor/core/rpc/message';
import { membersOf, parseJson, skipSpace } from '#conductor/core/rpc/raw-json';
import { withoutPathOf } from '#conductor/core/shown-url';
import { pacedBytesMin } from '../http/body-turns.ts';

/** A header with the hashes of 500 000 transactions. */
const answerBounds: StructureBounds = { structureMax: 65_536, textsMax: 524_288 };
/** Ten blocks of 4000 transactions, each of 25 members. */
const badBlocksBounds: StructureBounds = { structureMax: 1_048_576, textsMax: 1_048_576 };
/** Longest error that is passed on, in characters. */
const errorLengthMax = 256 * 1024;
/** Longest piece of a body quoted in an error, in characters. */
const statusTextMax = 200;

type Failed = Extract<CallResult, { kind: 'failed' }>;

/** A response and the bytes of its body. */
export interface Answer {
  readonly url: string;
  readonly response: Response;
  readonly bytes: Buffer;
}

export function interpret(request: NodeRequest, answer: Answer): CallResult {
  const { status, ok } = answer.response;
  const reason: FailedReason = status === 401 || status === 403 ? 'unauthorized' : 'malformed';
  const withStatus = (): Failed => ({ kind: 'failed', reason, message: statusLine(answer) });
  // Some clients refuse a token in JSON (Nethermind); of the others, who are shown no token, an error is an answer.
  if (reason === 'unauthorized' && request.target === 'engine') return withStatus();
  const said = request.isVerbatim === true ? find(answer.bytes) : parse(request, answer.bytes);
  if (said === null) return ok ? malformed(`${request.method} was not answered with JSON`) : withStatus();
  if ('problem' in said) return malformed(`the answer of ${request.method} has ${said.problem}`);
  if (said.error !== undefined) return said.error;
  if (!ok) return withStatus();
  if (said.result === undefined) return malformed('JSON-RPC response has no result');
  // Not of L1, whose headers may have fields that a later fork added: they would hash to another block.
  const isRehashed =
    request.isVerbatim !== true && request.method.startsWith('eth_getBlockBy') && request.target !== 'l1';
  return { kind: 'result', value: isRehashed ? withOwnHash(said.result) : said.result };
}

/** What an answer says; null for what is no JSON. */
type Said = { readonly result?: unknown; readonly error?: CallResult } | { readonly problem: string } | null;

function parse(request: NodeRequest, bytes: Buffer): Said {
  const bounds = request.method === 'debug_getBadBlocks' ? badBlocksBounds : answerBounds;
  const problem = bytes.length < pacedBytesMin ? null : whyTooComplex(bytes, bounds);
  if (problem !== null) return { problem };
  const text = bytes.toString('utf8');
  const body = parseJson(text);
  if (body === undefined) return null;
  const { result, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return typeof error === 'object' && error !== null ? { error: errorOf(text) } : { result };
}

/** The same for the JSON text of a result, without a look at what it holds: whoever reads it finds that out. */
function find(bytes: Buffer): Said {
  const text = bytes.toString('utf8');
  const start = skipSpace(text, 0);
  const object = text[start] === '{' ? membersOf(text, start) : null;
  if (object === null || skipSpace(text, object.end) < text.length) return null;
  const error = rawMember(text, 'error');
  if (error === undefined || !/^[[{]/.test(error)) return { result: rawMember(text, 'result') };
  if (error.length > errorLengthMax) return { problem: `an error of more than ${errorLengthMax} characters` };
  return parseJson(error) === undefined ? null : { error: errorOf(text) };
}

/** The error of an answer that has one; its code is written into JSON again, which knows no Infinity. */
function errorOf(text: string): CallResult {
  const [code, message] = ['code', 'message'].map((key) => parseJson(rawMember(text, 'error', key) ?? 'null'));
  const data = rawMember(text, 'error', 'data');
  return {
    kind: 'error',
    code: Number.isSafeInteger(code) ? (code as number) : ErrorCode.failed,
    message: typeof message === 'string' ? message : 'error without a message',
    ...(data === undefined || data === 'null' ? {} : { data }),
  };
}

/** JSON text of the value at a path of keys in a text that is known to be valid; of equal keys the last. */
function rawMember(text: string, ...path: string[]): string | undefined {
  let value = text;
  for (const key of path) {
    const start = skipSpace(value, 0);
    const member =
      value[start] === '{' ? membersOf(value, start)?.members.findLast((one) => one.key === key) : undefined;
    if (member === undefined) return undefined;
    value = value.slice(member.start, member.end);
  }
  return value;
}

function malformed(message: string): CallResult {
  return { kind: 'failed', reason: 'malformed', message };
}

/** Status and the beginning of the body, in the words of Go's client. */
function statusLine({ url, response, bytes }: Answer): string {
  const text = bytes.toString('utf8', 0, statusTextMax + url.length);
  return `${response.status} ${response.statusText}: ${withoutPathOf(url, text).slice(0, statusTextMax)}`;
}
