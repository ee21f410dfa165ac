/** op-node's own encodings, decodings and block hashes; see testdata/README.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockHash } from './block-hash.ts';
import { formatEnvelope, parseEnvelope, EnvelopeError, type Envelope } from './envelope.ts';
import { bytesFromHex, prefixedHex } from './hex.ts';
import { checkVersion, SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz, sszVersion } from './ssz.ts';

interface Outcome {
  accepts: boolean;
  version: string | null;
  applyError: string | null;
  v4Error: string | null;
  v3Error: string | null;
  decodedHashOk?: boolean;
  decodedJsonText?: string;
  snapshotSsz?: string;
}
interface EnvelopeCase {
  name: string;
  version: string;
  json: unknown;
  jsonText: string;
  ssz: string | null;
  sszError: string | null;
  blockHash: string;
  hashOk: boolean;
  fsm: Outcome | null;
}
interface MalformedCase extends Outcome {
  name: string;
  ssz?: string;
  segments?: { hex: string; repeat: number }[];
  length: number;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const load = <T>(file: string): { count: number; cases: T[] } => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const envelopes = load<EnvelopeCase>('ssz-envelope.json');
const malformed = load<MalformedCase>('ssz-malformed.json');

const bytes = (digits: string): Uint8Array => bytesFromHex(digits)!;
const parse = (json: unknown): Envelope => {
  const envelope = parseEnvelope(json);
  if (envelope instanceof EnvelopeError) throw envelope;
  return envelope;
};
const encode = (envelope: Envelope): Uint8Array => {
  const ssz = encodeSsz(envelope);
  if (ssz instanceof SszError) throw ssz;
  return ssz;
};
const fits = (envelope: Envelope): boolean =>
  prefixedHex(blockHash(envelope)) === prefixedHex(envelope.executionPayload.blockHash);

function input(entry: MalformedCase): Uint8Array {
  if (entry.ssz !== undefined) return bytes(entry.ssz);
  return bytes(entry.segments!.map((segment) => segment.hex.repeat(segment.repeat)).join(''));
}

/** What the state machine must make of the bytes. */
function expectOutcome(ssz: Uint8Array, outcome: Outcome): void {
  expect(checkVersion(ssz, 4)).toBe(outcome.v4Error);
  if (outcome.v4Error !== null) expect(checkVersion(ssz, 3)).toBe(outcome.v3Error);
  const decoded = decodeSsz(ssz);
  if (decoded instanceof SszError) {
    expect(outcome.accepts).toBe(false);
    if (ssz.length > 0) expect(decoded.message).toBe(outcome.applyError);
    return;
  }
  expect(outcome.accepts).toBe(true);
  expect(`V${decoded.version}`).toBe(outcome.version);
  expect(fits(decoded.envelope)).toBe(outcome.decodedHashOk);
  const again = encode(decoded.envelope);
  const snapshot = outcome.snapshotSsz === undefined ? ssz : bytes(outcome.snapshotSsz);
  expect(Buffer.compare(again, snapshot)).toBe(0);
}

describe('an envelope agrees with op-node in SSZ, version, block hash and JSON', () => {
  expect(envelopes.cases.length).toBe(envelopes.count);
  test.each(envelopes.cases)('$name', (entry) => {
    const envelope = parse(JSON.parse(entry.jsonText));
    expect(`V${sszVersion(envelope.executionPayload)}`).toBe(entry.version);
    expect(prefixedHex(blockHash(envelope))).toBe(entry.blockHash);
    expect(fits(envelope)).toBe(entry.hashOk);
    expect(JSON.stringify(formatEnvelope(envelope))).toBe(
      entry.jsonText.replace('"transactions":null', '"transactions":[]'),
    );
    const ssz = encodeSsz(envelope);
    if (ssz instanceof SszError) {
      expect(entry.sszError?.replace('panic: ', '')).toBe(ssz.message);
    } else {
      expect(prefixedHex(ssz)).toBe(`0x${entry.ssz}`);
      expectOutcome(ssz, entry.fsm!);
    }
  });
});

describe('bytes are accepted and refused as by op-node, in its words', () => {
  expect(malformed.cases.length).toBe(malformed.count);
  test.each(malformed.cases)('$name', (entry) => {
    const ssz = input(entry);
    expect(ssz.length).toBe(entry.length);
    expectOutcome(ssz, entry);
    const decoded = decodeSsz(ssz);
    if (entry.decodedJsonText !== undefined && !(decoded instanceof SszError)) {
      expect(JSON.stringify(formatEnvelope(decoded.envelope))).toBe(entry.decodedJsonText);
    }
  });
});
