/** Payloads that a real op-node sent, from Bedrock to Jovian, as requests to the engine API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../payload/envelope.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { orderedTrieRoot } from '../payload/trie-root.ts';
import { newPayload } from './engine-calls.ts';

interface Sent {
  readonly parentBeaconBlockRoot?: string;
  readonly executionPayload: Record<string, unknown>;
}
interface Exchange {
  readonly request: { readonly params: readonly [Sent] };
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../payload/testdata');
const samples = JSON.parse(readFileSync(join(folder, 'real-op-node-samples.json'), 'utf8')) as {
  readonly commitUnsafePayload: Record<string, Record<string, Exchange>>;
  readonly commitRefusedBeforeEcotone: Record<string, Exchange>;
};

function read(sent: Sent): Envelope {
  const envelope = parseEnvelope(sent);
  if (envelope instanceof EnvelopeError) throw envelope;
  return envelope;
}

function paramsOf(envelope: Envelope): { readonly method: string; readonly params: unknown[] } {
  const { target, method, params } = newPayload(envelope, 500);
  expect(target).toBe('engine');
  return { method, params: JSON.parse(params) as unknown[] };
}

const recent = Object.entries(samples.commitUnsafePayload).flatMap(([fork, blocks]) =>
  Object.entries(blocks).map(([which, { request }]) => ({ fork, which, sent: request.params[0] })),
);

describe('the payload of a block is sent as op-node has it, by the version of its fork', () => {
  test.each(recent)('$fork $which', ({ fork, sent }) => {
    const isIsthmus = sent.executionPayload['withdrawalsRoot'] !== undefined;
    expect(isIsthmus).toBe(/isthmus|jovian/i.test(fork));
    const { method, params } = paramsOf(read(sent));
    expect(method).toBe(isIsthmus ? 'engine_newPayloadV4' : 'engine_newPayloadV3');
    expect(params).toEqual([sent.executionPayload, [], sent.parentBeaconBlockRoot, ...(isIsthmus ? [[]] : [])]);
  });

  test.each(Object.entries(samples.commitRefusedBeforeEcotone))('%s', (_fork, { request }) => {
    const [sent] = request.params;
    const hasWithdrawals = sent.executionPayload['withdrawals'] !== undefined;
    const { method, params } = paramsOf(read(sent));
    expect(method).toBe(hasWithdrawals ? 'engine_newPayloadV2' : 'engine_newPayloadV1');
    expect(params).toEqual([sent.executionPayload]);
  });

  test('a withdrawals root of an empty list makes no Isthmus payload, as in its SSZ', () => {
    const { sent } = recent.find(({ sent: one }) => one.executionPayload['withdrawalsRoot'] !== undefined)!;
    const envelope = read(sent);
    const payload = { ...envelope.executionPayload, withdrawalsRoot: orderedTrieRoot([]) };
    const { method, params } = paramsOf({ ...envelope, executionPayload: payload });
    expect(method).toBe('engine_newPayloadV3');
    expect(params).toHaveLength(3);
    expect(params[0]).not.toHaveProperty('withdrawalsRoot');
  });
});
