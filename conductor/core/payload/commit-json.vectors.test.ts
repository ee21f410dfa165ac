/** What op-conductor answers to bodies of conductor_commitUnsafePayload, as far as the envelope decides it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceOf } from '#conductor/core/rpc/compatibility';
import { EnvelopeError, parseEnvelope } from './parse-envelope.ts';
import { prefixedHex } from './hex.ts';
import { SszError } from './ssz-check.ts';
import { encodeSsz, NO_WITHDRAWALS } from './ssz.ts';

interface CommitCase {
  name: string;
  request: string | null;
  response: string;
  committedSsz?: string;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const { cases } = JSON.parse(readFileSync(join(folder, 'commit-json.json'), 'utf8')) as { cases: CommitCase[] };

/** Go crashes on these; ours are told what is missing. */
const CRASH = 'method handler crashed';

interface Call {
  params?: unknown;
}

function callOf(entry: CommitCase): Call | null {
  try {
    return JSON.parse(entry.request ?? '') as Call;
  } catch {
    return null;
  }
}

/** The error text of our answer, with the prefixes that the RPC layer adds; null for success. */
function errorOf(json: unknown): { text: string | null; ssz: string | null } {
  const envelope = parseEnvelope(json);
  if (envelope instanceof EnvelopeError) {
    return { text: envelope.reason === 'incomplete' ? CRASH : `invalid argument 0: ${envelope.message}`, ssz: null };
  }
  const ssz = encodeSsz(envelope);
  if (!(ssz instanceof SszError)) return { text: null, ssz: prefixedHex(ssz).slice(2) };
  const isCrash = ssz.message === NO_WITHDRAWALS;
  return { text: isCrash ? CRASH : `failed to marshal payload envelope: ${ssz.message}`, ssz: null };
}

/** Cases that reach the envelope: a body that is JSON, whose params are a list of at most one. */
const reaching = cases.filter((entry) => {
  const params = callOf(entry)?.params;
  return Array.isArray(params) && params.length <= 1;
});

describe('the envelope in a commit call is read and refused in Go’s words', () => {
  test.each(reaching)('$name', (entry) => {
    const { error } = JSON.parse(entry.response) as { error?: { message: string } };
    const ours = errorOf((callOf(entry)!.params as unknown[])[0]);
    const said =
      ours.text === null ? '"result":null' : `"error":{"code":-32602,"message":${JSON.stringify(ours.text)}}`;
    if (differenceOf(entry.name, `200 ${entry.response}`, `200 {${said}}`) !== undefined) return;
    expect(ours.text).toBe(error?.message ?? null);
    expect(ours.ssz).toBe(entry.committedSsz ?? null);
  });

  test('almost every case of the file is among them', () => {
    expect(reaching.length).toBeGreaterThan(0.9 * cases.length);
  });
});
