/**
 * From the bytes of a body to its messages. A large commit is cut in two first: its transactions are read from
 * the bytes into their place in SSZ, and the little that is left of the text is parsed as any other body. What
 * cannot be cut with certainty is decoded and parsed whole, so that only the speed differs.
 */
import { packTransactions, type PackedTransactions } from '../payload/packed-transactions.ts';
import { ANY_TEXT_BYTES_MAX, whyTooComplex } from './body-structure.ts';
import { errorAnswer, ErrorCode, parseBody, type Body } from './message.ts';

/** Bodies below this are parsed whole: there is nothing to win. */
const CUT_BYTES_MIN = 16 * 1024;
/** Where the transactions begin and how far they end before the end, at most; op-node's bodies need half of it. */
const AROUND_BYTES_MAX = 8 * 1024;
/** Largest body of anything but commits: op-conductor's default bound on all bodies. */
export const OTHER_BODY_BYTES_MAX = ANY_TEXT_BYTES_MAX;
const LIST_BEGIN = '"transactions":[';
const CLOSING_BRACKET = 0x5d;
const COMMIT = 'conductor_commitUnsafePayload';

/** Keeps a byte order mark, which makes the text no JSON. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** As parsed; 'too-large' when only a commit may be that large, and this is none. */
export type ReadBody = Body | { readonly kind: 'too-large'; readonly bytesMax: number };

/** Reading in steps of some milliseconds, where the body is a commit as op-node sends it. */
export type BodyReading = Generator<undefined, ReadBody>;

/** Splits a body into messages; transactions of a commit may come as PackedTransactions. */
export function readBody(bytes: Uint8Array, batchItemsMax: number): ReadBody {
  if (bytes.length < CUT_BYTES_MIN) return parseBody(decoder.decode(bytes), batchItemsMax);
  const reading = readBodySteps(bytes, batchItemsMax);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps; the bytes must not change before its end. */
export function* readBodySteps(bytes: Uint8Array, batchItemsMax: number): BodyReading {
  const complex = whyTooComplex(bytes);
  if (complex !== null) {
    return { kind: 'failed', text: errorAnswer('null', ErrorCode.invalidRequest, `the body has ${complex}`) };
  }
  yield;
  const cut = yield* cutTransactions(bytes);
  const body = cut === null ? null : joined(parseBody(cut.text, batchItemsMax), cut);
  if (body !== null) return body;
  const whole = parseBody(decoder.decode(bytes), batchItemsMax);
  const isTooLarge = bytes.length > OTHER_BODY_BYTES_MAX && !isOfCommits(whole);
  return isTooLarge ? { kind: 'too-large', bytesMax: OTHER_BODY_BYTES_MAX } : whole;
}

/** Whether all its messages are commits; a body that has no messages carries its answer already. */
function isOfCommits(body: Body): boolean {
  if (body.kind === 'empty' || body.kind === 'failed') return true;
  const items = body.kind === 'batch' ? body.items : [body.item];
  return items.every((item) => item.kind === 'call' && item.call.method === COMMIT);
}

interface Cut {
  /** The body with an empty list of transactions. */
  readonly text: string;
  readonly transactions: PackedTransactions;
  readonly cutBytes: number;
}

/**
 * Cuts at the only place where the text around it says `transactions`: without a backslash in it, that is a
 * key or a value of its own, and `joined` sees which.
 */
function* cutTransactions(bytes: Uint8Array): Generator<undefined, Cut | null> {
  const head = decoder.decode(bytes.subarray(0, AROUND_BYTES_MAX));
  const found = head.indexOf(LIST_BEGIN);
  if (found === -1) return null;
  const before = head.slice(0, found + LIST_BEGIN.length);
  const from = before.length;
  const to = bytes.indexOf(CLOSING_BRACKET, from);
  if (to === -1 || bytes.length - to > AROUND_BYTES_MAX) return null;
  const text = before + decoder.decode(bytes.subarray(to));
  // Characters are bytes up to the cut only if all are ASCII; case folding knows no other form of this word.
  if (!isPlain(before) || text.includes('\\') || text.toLowerCase().split('transactions').length !== 2) return null;
  const transactions = yield* packTransactions(bytes, from, to);
  return transactions === null ? null : { text, transactions, cutBytes: to - from };
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7e) return false;
  return true;
}

/** Puts the transactions where the list was; null when that is not in the payload of a single commit. */
function joined(body: Body, { transactions, cutBytes }: Cut): Body | null {
  if (body.kind !== 'single' || body.item.kind !== 'call' || body.item.call.method !== COMMIT) return null;
  const { call } = body.item;
  const payload = member(call.params.values?.[0], 'executionPayload');
  const list = member(payload, 'transactions');
  if (!Array.isArray(list)) return null;
  (payload as Record<string, unknown>)['transactions'] = transactions;
  return { kind: 'single', item: { kind: 'call', call: { ...call, params: { ...call.params, cutBytes } } } };
}

/** An own member of an object, by its exact key; undefined of anything else. */
function member(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}
