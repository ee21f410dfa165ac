/** Reading a large commit in two parts must give what parsing the whole text gives, whatever the bytes are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope, type Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { PackedTransactions } from '../payload/packed-transactions.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { SszError } from '../payload/ssz-check.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { parseBody } from './message.ts';
import { OTHER_BODY_BYTES_MAX, readBody, readBodySteps, type ReadBody } from './read-body.ts';

const BATCH_MAX = 10;
const method = 'conductor_commitUnsafePayload';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function bodyText(transactions: readonly Uint8Array[]): string {
  const block = buildBlock({ parent: null, timestamp: 1, transactions });
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [formatEnvelope(block)] });
}

/** The first parameter of a single call; undefined of any other body. */
function firstParam(body: ReadBody): unknown {
  return body.kind === 'single' && body.item.kind === 'call' ? body.item.call.params.values?.[0] : undefined;
}

function isCut(body: ReadBody): boolean {
  const payload = (firstParam(body) as { executionPayload?: { transactions?: unknown } } | null | undefined)
    ?.executionPayload;
  return payload?.transactions instanceof PackedTransactions;
}

/** What a body comes to: messages, and the SSZ or the error of an envelope. */
function meaning(body: ReadBody): unknown {
  if (body.kind !== 'single' || body.item.kind !== 'call') return JSON.stringify(body);
  const { id, method: called } = body.item.call;
  const envelope = parseEnvelope(firstParam(body));
  return { id, called, payload: envelope instanceof EnvelopeError ? envelope.message : sszText(envelope) };
}

/** As text, which compares faster. */
function sszText(envelope: Envelope): string {
  const ssz = encodeSsz(envelope);
  return ssz instanceof SszError ? ssz.message : prefixedHex(ssz);
}

function expectSameAsWhole(bytes: Uint8Array): void {
  const whole = parseBody(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), BATCH_MAX);
  expect(meaning(readBody(bytes, BATCH_MAX))).toEqual(meaning(whole));
}

const sizes = fc.array(fc.oneof(fc.nat(3), fc.nat(700), fc.constant(70_000)), { minLength: 1, maxLength: 60 });

describe('what op-node sends is cut', () => {
  test('transactions of any sizes come out as from the whole text', () => {
    fc.assert(
      fc.property(sizes, fc.nat(255), (lengths, byte) => {
        const filler = new Uint8Array(20_000).fill(1);
        const transactions = [...lengths.map((length) => new Uint8Array(length).fill(byte)), filler];
        const bytes = bytesOf(bodyText(transactions));
        expect(isCut(readBody(bytes, BATCH_MAX))).toBe(true);
        expectSameAsWhole(bytes);
      }),
      { numRuns: 60 },
    );
  });

  test('the size of the parameters is that of the whole text', () => {
    const text = bodyText([new Uint8Array(50_000)]);
    const sizeOf = (body: ReadBody): number =>
      body.kind === 'single' && body.item.kind === 'call'
        ? body.item.call.params.text.length + (body.item.call.params.cutBytes ?? 0)
        : 0;
    expect(sizeOf(readBody(bytesOf(text), BATCH_MAX))).toBe(sizeOf(parseBody(text, BATCH_MAX)));
  });

  test('a list that was read into its place makes the SSZ there once, and by copy the second time', () => {
    const bytes = bytesOf(bodyText([new Uint8Array(30_000).fill(7), new Uint8Array(0)]));
    const envelope = parseEnvelope(firstParam(readBody(bytes, BATCH_MAX)));
    if (envelope instanceof EnvelopeError) throw envelope;
    const first = encodeSsz(envelope) as Uint8Array;
    const second = encodeSsz(envelope) as Uint8Array;
    expect(prefixedHex(second)).toBe(prefixedHex(first));
    expect(second.buffer).not.toBe(first.buffer);
    expect(envelope.executionPayload.transactions[0]?.buffer).toBe(first.buffer);
  });
});

describe('bodies that are read at once, step by step, come out as each alone', () => {
  interface Recipe {
    readonly bytes: number;
    readonly lengths: readonly number[];
    readonly salt: number;
  }

  /** Transactions of these lengths in turn, until there are so many bytes of them; as op-node sends them. */
  function bodyOf({ bytes, lengths, salt }: Recipe): Uint8Array {
    const transactions: string[] = [];
    for (let sum = 0; sum < bytes;) {
      const length = lengths[transactions.length % lengths.length]!;
      transactions.push(prefixedHex(new Uint8Array(length).fill(transactions.length + salt)));
      sum += length;
    }
    return bytesOf(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [{ executionPayload: { transactions } }] }));
  }

  /** The transactions that were cut out of a body, as one. */
  function listOf(body: ReadBody): Buffer {
    const { transactions } = (firstParam(body) as { executionPayload: { transactions: unknown } }).executionPayload;
    expect(transactions).toBeInstanceOf(PackedTransactions);
    return Buffer.concat((transactions as PackedTransactions).items);
  }

  /** Reads all of them; `order` says whose step comes next, and after its end it is the first one's that is left. */
  function readTogether(bodies: readonly Uint8Array[], order: readonly number[]): ReadBody[] {
    const read: ReadBody[] = [];
    const readings = bodies.map((body, at) => ({ at, steps: readBodySteps(body, BATCH_MAX) }));
    for (let turn = 0; readings.length > 0; turn += 1) {
      const next = (order[turn] ?? 0) % readings.length;
      const { at, steps } = readings[next]!;
      const step = steps.next();
      if (step.done !== true) continue;
      read[at] = step.value;
      readings.splice(next, 1);
    }
    return read;
  }

  // A step ends after 8 MiB of digits.
  const inOneStep = fc.integer({ min: 9000, max: 100_000 });
  const inSeveral = fc.integer({ min: 4_500_000, max: 9_500_000 });
  const length = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 100, max: 9000 }), fc.constant(40_000));
  const lengths = fc.array(length, { maxLength: 5 }).map((some) => [200, ...some]);
  const recipe = (bytes: fc.Arbitrary<number>): fc.Arbitrary<Recipe> =>
    fc.record({ bytes, lengths, salt: fc.nat(255) });
  const others = fc.array(recipe(fc.oneof(inOneStep, inSeveral)), { minLength: 1, maxLength: 2 });

  const orders = fc.array(fc.nat(2), { maxLength: 24 });
  const ofMany: Recipe = { bytes: 5_000_000, lengths: [200], salt: 0 };
  const ofFew: Recipe = { bytes: 9000, lengths: [200], salt: 0 };

  test('whatever their sizes and in whatever order their steps come', () => {
    fc.assert(
      fc.property(recipe(inSeveral), others, orders, (first, rest, order) => {
        const bodies = [first, ...rest].map(bodyOf);
        for (const [at, body] of readTogether(bodies, order).entries())
          expect(listOf(body).equals(listOf(readBody(bodies[at]!, BATCH_MAX)))).toBe(true);
      }),
      { numRuns: 8, examples: [[ofMany, [ofFew], [0, 0, 0, 1, 1, 1]]] },
    );
  });
});

const large = bodyText([new Uint8Array(9000).fill(1), new Uint8Array(200).fill(2)]);

describe('what is not certain is read whole', () => {
  const cases: readonly [name: string, text: string][] = [
    ['a transaction of odd length', large.replace('"0x02', '"0x0')],
    ['a digit that is none', large.replace('"0x02', '"0xg2')],
    ['an upper-case prefix', large.replace('"0x02', '"0X02')],
    ['no prefix', large.replace('"0x02', '"02')],
    ['white space between transactions', large.replace('","0x02', '", "0x02')],
    ['null among transactions', large.replace('","0x02', '",null,"0x02')],
    ['a list among transactions', large.replace('","0x02', '",["0x01"],"0x02')],
    ['an escape in a transaction', large.replace('"0x02', '"0x\\u00302')],
    ['a transaction without end', large.replace('02"]', '02]')],
    ['a comma too many', large.replace('","0x02', '",,"0x02')],
    ['a comma before the end', large.replace('02"]', '02",]')],
    ['the key in another case beside it', large.replace('"withdrawals"', '"TRANSACTIONS":["0x05"],"withdrawals"')],
    ['the key twice', large.replace('"withdrawals"', '"transactions":[],"withdrawals"')],
    ['the key escaped beside it', large.replace('"withdrawals"', '"transact\\u0069ons":[],"withdrawals"')],
    ['the list outside of the payload', large.replace('"executionPayload":{', '"other":{')],
    [
      'the list in another member of the payload',
      large.replace('"transactions":[', '"x":{"transactions":[').replace(']', ']}'),
    ],
    ['the payload twice', large.replace('"params":[{', '"params":[{"executionPayload":{"blockNumber":"0x5"},')],
    ['another method', large.replace(method, 'conductor_leader')],
    ['a batch', `[${large}]`],
    ['a notification', large.replace('"id":1,', '')],
    ['text behind the end', `${large} {"x":1}`],
    ['the end missing', large.slice(0, -3)],
    ['bytes above ASCII in front', large.replace('"id":1', '"id":"é"')],
    ['bytes above ASCII in the list', large.replace('"0x02', '"0xé2')],
    ['a byte order mark', `\u{feff}${large}`],
    ['a list deep in strings', large.replace('"id":1', '"id":"\\"transactions\\":[]"')],
  ];

  test.each(cases)('%s', (_name, text) => {
    expect(text).not.toBe(large);
    expectSameAsWhole(bytesOf(text));
  });

  test('any bytes changed, put in or taken out', () => {
    const original = bytesOf(large);
    const bounds = fc.oneof(fc.nat(2500), fc.integer({ min: original.length - 700, max: original.length - 1 }));
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(...bytesOf('"[]{},:\\ 0x')));
    const change = fc.tuple(bounds, fc.constantFrom('set', 'insert', 'remove'), byte);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = [...original];
        for (const [at, kind, value] of changes)
          bytes.splice(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [value]));
        expectSameAsWhole(Uint8Array.from(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('only commits may be larger than the default bound of op-conductor', () => {
  const filler = 'x'.repeat(OTHER_BODY_BYTES_MAX);
  const kindOf = (body: unknown): string => readBody(bytesOf(JSON.stringify(body)), BATCH_MAX).kind;
  const call = { jsonrpc: '2.0', id: 1, method: 'conductor_leader', params: [filler] };
  const commit = { ...call, method };

  test('another method', () => expect(kindOf(call)).toBe('too-large'));
  test('a batch with one among commits', () => expect(kindOf([commit, call])).toBe('too-large'));
  test('what is no call', () => expect(kindOf(filler)).toBe('too-large'));
  test('a commit', () => expect(kindOf(commit)).toBe('single'));
  test('a batch of commits', () => expect(kindOf([commit, commit])).toBe('batch'));
  test('another method within it', () => expect(kindOf({ ...call, params: [filler.slice(1000)] })).toBe('single'));
});
