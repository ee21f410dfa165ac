/** Laws of the SSZ form that hold for every envelope and for any bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockHash } from './block-hash.ts';
import { formatEnvelope, type Envelope } from './envelope.ts';
import { EnvelopeError, parseEnvelope } from './parse-envelope.ts';
import { checkSsz, SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz, sszVersion } from './ssz.ts';

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((each) => Uint8Array.from(each));
const upTo = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ maxLength: length }).map((each) => Uint8Array.from(each));
const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(0n, 2n ** 53n + 1n, 2n ** 64n - 1n));
const withdrawal = fc.record({ index: u64, validatorIndex: u64, address: bytes(20), amount: u64 });

const isthmus: fc.Arbitrary<Envelope> = fc.record({
  parentBeaconBlockRoot: bytes(32),
  executionPayload: fc.record({
    parentHash: bytes(32),
    feeRecipient: bytes(20),
    stateRoot: bytes(32),
    receiptsRoot: bytes(32),
    logsBloom: bytes(256),
    prevRandao: bytes(32),
    blockNumber: u64,
    gasLimit: u64,
    gasUsed: u64,
    timestamp: u64,
    extraData: upTo(32),
    baseFeePerGas: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    blockHash: bytes(32),
    transactions: fc.array(upTo(80), { maxLength: 8 }),
    withdrawals: fc.array(withdrawal, { maxLength: 16 }),
    blobGasUsed: u64,
    excessBlobGas: u64,
    withdrawalsRoot: bytes(32),
  }),
});
const ecotone = isthmus.map((each) => ({
  ...each,
  executionPayload: { ...each.executionPayload, withdrawalsRoot: null },
}));
const readable = fc.oneof(isthmus, ecotone);

function encode(envelope: Envelope): Uint8Array {
  const ssz = encodeSsz(envelope);
  if (ssz instanceof SszError) throw ssz;
  return ssz;
}

describe('for every envelope from Ecotone on', () => {
  test('decoding what was encoded gives it back, as the version its fields imply', () => {
    fc.assert(
      fc.property(readable, (envelope) => {
        expect(decodeSsz(encode(envelope))).toEqual({ version: sszVersion(envelope.executionPayload), envelope });
      }),
    );
  });

  test('parsing what was formatted gives it back', () => {
    fc.assert(
      fc.property(readable, (envelope) => {
        expect(parseEnvelope(JSON.parse(JSON.stringify(formatEnvelope(envelope))))).toEqual(envelope);
      }),
    );
  });

  test('the buffer is exactly as long as its content, and decoding copies nothing', () => {
    fc.assert(
      fc.property(readable, (envelope) => {
        const ssz = encode(envelope);
        expect(ssz.buffer.byteLength).toBe(ssz.length);
        const decoded = decodeSsz(ssz);
        expect(decoded).toMatchObject({ envelope: {} });
        const { transactions, logsBloom } = (decoded as { envelope: Envelope }).envelope.executionPayload;
        for (const view of [...transactions, logsBloom]) expect(view.buffer).toBe(ssz.buffer);
      }),
    );
  });
});

/** Bytes that are nearly an envelope: cut, extended, overwritten anywhere or where the offsets stand. */
const mutated = fc
  .tuple(
    readable,
    fc.array(fc.tuple(fc.nat(1200), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
    fc.constantFrom(468, 536, 540, 592, 596, 600),
    fc.nat(900),
    fc.integer({ min: -60, max: 60 }),
  )
  .map(([envelope, edits, offsetAt, offset, change]) => {
    const ssz = encode(envelope);
    const out = new Uint8Array(Math.max(0, ssz.length + change));
    out.set(ssz.subarray(0, out.length));
    for (const [at, value] of edits) if (at < out.length) out[at] = value;
    if (offsetAt + 4 <= out.length && offset < 800) new DataView(out.buffer).setUint32(offsetAt, offset, true);
    return out;
  });

describe('for any bytes', () => {
  const law = (input: Uint8Array): void => {
    const decoded = decodeSsz(input);
    expect(decoded instanceof SszError).toBe(checkSsz(input) instanceof SszError);
    if (decoded instanceof SszError) return;
    const again = encode(decoded.envelope);
    const { executionPayload } = decoded.envelope;
    expect(decodeSsz(again)).toMatchObject({
      envelope: { executionPayload: { blockNumber: executionPayload.blockNumber } },
    });
    expect(blockHash(decoded.envelope).length).toBe(32);
  };

  test('decoding random bytes never throws, and what it accepts can be encoded and hashed', () => {
    fc.assert(fc.property(upTo(1500), law));
  });

  test('nor does decoding a damaged envelope', () => {
    fc.assert(fc.property(mutated, law), { numRuns: 2000 });
  });

  test('nor does decoding a part of a larger buffer', () => {
    fc.assert(
      fc.property(mutated, fc.nat(64), (input, shift) => {
        const larger = new Uint8Array(input.length + 2 * shift).fill(0xee);
        larger.set(input, shift);
        expect(checkSsz(larger.subarray(shift, shift + input.length))).toEqual(checkSsz(input));
      }),
    );
  });
});

describe('for any JSON', () => {
  const field = fc.constantFrom(
    'parentHash',
    'logsBloom',
    'blockNumber',
    'extraData',
    'baseFeePerGas',
    'transactions',
    'withdrawals',
    'withdrawalsRoot',
    '__proto__',
  );

  test('parsing never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => void parseEnvelope(json)));
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (executionPayload) => void parseEnvelope({ executionPayload })),
    );
  });

  test('one bad value in a good envelope is an error with a text', () => {
    const bad = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(
        '1',
        '0xzz',
        '0x1g',
        'x',
        '0x0000000000000000000000000000000000000000000000000000000000000000000',
      ),
    );
    const scalar = fc.constantFrom(
      'parentHash',
      'stateRoot',
      'logsBloom',
      'blockNumber',
      'timestamp',
      'extraData',
      'baseFeePerGas',
      'blockHash',
      'blobGasUsed',
    );
    fc.assert(
      fc.property(readable, scalar, bad, (envelope, key, value) => {
        const json = formatEnvelope(envelope);
        const parsed = parseEnvelope({
          ...json,
          executionPayload: { ...(json['executionPayload'] as object), [key]: value },
        });
        expect(parsed).toBeInstanceOf(EnvelopeError);
        expect((parsed as EnvelopeError).message.length).toBeGreaterThan(10);
      }),
    );
  });
});
