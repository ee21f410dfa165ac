/** Payloads as a real op-node sent them, from Ecotone to Jovian, and what it sent before Ecotone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockHash } from './block-hash.ts';
import { formatEnvelope, type Envelope } from './envelope.ts';
import { EnvelopeError, parseEnvelope } from './parse-envelope.ts';
import { prefixedHex } from './hex.ts';
import { SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz } from './ssz.ts';

interface Exchange {
  request: { params: unknown[] };
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const samples = JSON.parse(readFileSync(join(folder, 'real-op-node-samples.json'), 'utf8')) as {
  commitUnsafePayload: Record<string, Record<string, Exchange>>;
  commitRefusedBeforeEcotone: Record<string, Exchange>;
};

function parse(exchange: Exchange): Envelope {
  const envelope = parseEnvelope(exchange.request.params[0]);
  if (envelope instanceof EnvelopeError) throw envelope;
  return envelope;
}

const accepted = Object.entries(samples.commitUnsafePayload).flatMap(([fork, blocks]) =>
  Object.entries(blocks).map(([which, exchange]) => ({ fork, which, exchange })),
);

describe('a real payload hashes to its claim and survives SSZ and JSON', () => {
  test.each(accepted)('$fork $which', ({ exchange }) => {
    const envelope = parse(exchange);
    expect(prefixedHex(blockHash(envelope))).toBe(prefixedHex(envelope.executionPayload.blockHash));
    const ssz = encodeSsz(envelope);
    expect(ssz).not.toBeInstanceOf(SszError);
    const decoded = decodeSsz(ssz as Uint8Array);
    expect(decoded).not.toBeInstanceOf(SszError);
    expect(decoded).toMatchObject({ envelope });
    expect(formatEnvelope(envelope)).toEqual(exchange.request.params[0]);
  });
});

describe('payloads before Ecotone have no log entry', () => {
  test.each(Object.entries(samples.commitRefusedBeforeEcotone))('%s', (_fork, exchange) => {
    const envelope = parse(exchange);
    expect(prefixedHex(blockHash(envelope))).toBe(prefixedHex(envelope.executionPayload.blockHash));
    expect(encodeSsz(envelope)).toMatchObject({ message: 'execution payload envelope is missing data' });
  });
});
