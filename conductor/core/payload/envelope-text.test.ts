import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildBlock } from './build-block.ts';
import { formatEnvelope, formatPayload, type Envelope } from './envelope.ts';
import { envelopeText, payloadText } from './envelope-text.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const quantity = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const withdrawal = fc.record({ index: quantity, validatorIndex: quantity, address: bytes(20), amount: quantity });
const envelopes: fc.Arbitrary<Envelope> = fc
  .record({
    transactions: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }),
    withdrawals: fc.option(fc.array(withdrawal, { maxLength: 2 })),
    blobGasUsed: fc.option(quantity),
    withdrawalsRoot: fc.option(bytes(32)),
    root: fc.option(bytes(32)),
  })
  .map(({ root, ...fields }) => {
    const { executionPayload } = buildBlock({ parent: null, timestamp: 1, transactions: [] });
    return { parentBeaconBlockRoot: root, executionPayload: { ...executionPayload, ...fields } };
  });

describe('the text of an envelope', () => {
  test('is what JSON.stringify gives', () => {
    fc.assert(
      fc.property(envelopes, (envelope) => {
        expect(envelopeText(envelope)).toBe(JSON.stringify(formatEnvelope(envelope)));
        expect(payloadText(envelope.executionPayload)).toBe(JSON.stringify(formatPayload(envelope.executionPayload)));
      }),
    );
  });
});
