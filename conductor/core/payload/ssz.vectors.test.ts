/** op-node's own encodings, decodings and block hashes; see testdata/README.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockHash } from './block-hash.ts';
import { formatEnvelope, type Envelope } from './envelope.ts';
import { parseEnvelope, EnvelopeError } from './parse-envelope.ts';
import { bytesFromHex, prefixedHex } from './hex.ts';
import { checkVersion, SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz, sszVersion, type DecodedSsz } from './ssz.ts';

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
const load = <T = unknown>(file: string): { count: number; cases: T[] } =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'));
const envelopes = load<EnvelopeCase>('ssz-envelope.json').cases;
const malformed = load<MalformedCase>('ssz-malformed.json').cases;

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

/** What the decoder makes of bytes, in the terms of the vectors. */
function outcomeOf(ssz: Uint8Array): Record<string, unknown> {
  const v4Error = checkVersion(ssz, 4);
  const decoded = decodeSsz(ssz);
  const errors = { v4Error, v3Error: v4Error === null ? null : checkVersion(ssz, 3) };
  if (decoded instanceof SszError) return { ...errors, accepts: false, version: null, message: decoded.message };
  const again = encode(decoded.envelope);
  return {
    ...errors,
    accepts: true,
    version: `V${decoded.version}`,
    message: null,
    decodedHashOk: fits(decoded.envelope),
    isSameAgain: Buffer.compare(again, ssz) === 0,
  };
}

/** The same of a vector; its v3Error is also given where version 4 fits and nobody asks. */
function expectedOf(outcome: Outcome): Record<string, unknown> {
  const { accepts, version, v4Error, v3Error } = outcome;
  const errors = { v4Error, v3Error: v4Error === null ? null : v3Error };
  if (!accepts) return { ...errors, accepts, version, message: v3Error };
  const { decodedHashOk } = outcome;
  return { ...errors, accepts, version, message: null, decodedHashOk, isSameAgain: outcome.snapshotSsz === undefined };
}

describe('an envelope agrees with op-node in version, block hash and JSON', () => {
  test.each(envelopes)('$name', (entry) => {
    const envelope = parse(JSON.parse(entry.jsonText));
    expect(`V${sszVersion(envelope.executionPayload)}`).toBe(entry.version);
    expect(prefixedHex(blockHash(envelope))).toBe(entry.blockHash);
    expect(fits(envelope)).toBe(entry.hashOk);
    const text = JSON.stringify(formatEnvelope(envelope));
    expect(text).toBe(entry.jsonText.replace('"transactions":null', '"transactions":[]'));
  });
});

describe('an envelope with an SSZ form has op-node’s, and is read back as op-node reads it', () => {
  test.each(envelopes.filter((entry) => entry.ssz !== null))('$name', (entry) => {
    const ssz = encode(parse(entry.json));
    expect(prefixedHex(ssz)).toBe(`0x${entry.ssz}`);
    expect(outcomeOf(ssz)).toEqual(expectedOf(entry.fsm!));
  });
});

describe('an envelope without one is refused for op-node’s reason', () => {
  test.each(envelopes.filter((entry) => entry.ssz === null))('$name', (entry) => {
    expect(encodeSsz(parse(entry.json))).toMatchObject({ message: entry.sszError!.replace('panic: ', '') });
  });
});

describe('bytes are accepted and refused as by op-node, in its words', () => {
  test.each(malformed)('$name', (entry) => {
    const ssz = input(entry);
    expect(ssz.length).toBe(entry.length);
    expect(outcomeOf(ssz)).toEqual(expectedOf(entry));
  });
});

describe('what is read from odd bytes is what op-node reads', () => {
  test.each(malformed.filter((entry) => entry.decodedJsonText !== undefined))('$name', (entry) => {
    const decoded = decodeSsz(input(entry)) as DecodedSsz;
    expect(JSON.stringify(formatEnvelope(decoded.envelope))).toBe(entry.decodedJsonText);
  });
});

test('the files hold all they say', () => {
  const counts = ['ssz-envelope.json', 'ssz-malformed.json'].map((file) => load(file).count);
  expect(counts).toEqual([envelopes.length, malformed.length]);
});
