import { expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import { buildBlock } from '../payload/build-block.ts';
import type { CallResult, NodeRequest } from './calls.ts';
import { offer, type Offered } from './offer.ts';

const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });

/** Gives 11 to 20 to a node at 10; the client has `held`, and says `verdicts` of what it is given to execute. */
function given(held: readonly bigint[], verdicts: readonly string[], hasEngine = true, from = 11n) {
  const asked: string[] = [];
  const posted: bigint[] = [];
  let executed = 0;
  const answer = ({ method, params }: NodeRequest): CallResult => {
    asked.push(method);
    const [first] = JSON.parse(params) as [string];
    if (method === 'eth_getBlockByHash') {
      const number = BigInt(first) & 0xffffffffn;
      const { hash, parentHash } = block(number);
      return {
        kind: 'result',
        value: held.includes(number) ? { number: `0x${number.toString(16)}`, hash, parentHash } : null,
      };
    }
    if (method === 'admin_postUnsafePayload') {
      posted.push(BigInt((first as unknown as { number: string }).number));
      return { kind: 'result', value: null };
    }
    const status = verdicts[executed++] ?? 'VALID';
    return status === 'none'
      ? { kind: 'failed', reason: 'timeout', message: '' }
      : { kind: 'result', value: { status } };
  };
  const host = {
    hasEngine,
    chain: {
      head: () => block(20n),
      at: (number: bigint) => (number >= 1n && number <= 20n ? { ...block(number), sizeBytes: 100 } : null),
      envelope: (blockNumber: bigint) => ({
        ...template,
        executionPayload: { ...template.executionPayload, blockNumber },
      }),
      envelopeJson: (number: bigint) => `{"number":"${number}"}`,
    },
  };
  const steps = offer(host, { head: 10n, from, bytesMax: 1000 });
  let state = steps.next();
  while (state.done !== true) {
    const effect = state.value;
    if (effect.kind !== 'calls') throw new Error(effect.kind);
    state = steps.next({ kind: 'calls', results: effect.requests.map(answer) });
  }
  return {
    posted,
    asked: asked.filter((method) => method.startsWith('engine_')).length,
    looked: asked.filter((method) => method === 'eth_getBlockByHash').length,
    outcome: state.value satisfies Offered,
  };
}

const upTo = (last: number): bigint[] => Array.from({ length: last - 10 }, (_, at) => BigInt(at + 11));

test('what it executes is given to op-node, in order', () => {
  const { posted, asked, outcome } = given([], []);
  expect(posted).toEqual(upTo(20));
  expect(asked).toBe(10);
  expect(outcome).toMatchObject({ last: 20n, count: 10, areAccepted: true, withheld: null });
});

test('what it has is given first, and nothing beyond a gap', () => {
  const { posted, asked } = given([11n, 12n, 13n, 15n], []);
  expect(posted).toEqual(upTo(13));
  expect(asked).toBe(0);
});

test('a client that would only sync is given nothing that it lacks', () => {
  expect(given([], ['SYNCING'])).toMatchObject({
    posted: [],
    outcome: { last: null, withheld: { number: 11n, hash: block(11n).hash } },
  });
  expect(given([], ['VALID', 'VALID', 'SYNCING'])).toMatchObject({ posted: upTo(12), asked: 3 });
});

test.each(['INVALID', 'ACCEPTED', 'none'])(
  '%s holds nothing back: what op-node does with the block shows more',
  (verdict) => {
    const { posted, outcome } = given([], [verdict]);
    expect(posted).toEqual(upTo(11));
    expect(outcome.withheld).toBeNull();
  },
);

test('without the engine API nobody is asked', () => {
  expect(given([], ['SYNCING'], false)).toMatchObject({ posted: upTo(20), asked: 0 });
});

test('while what was given is on its way the client executes on from it, and one that would sync is given no more', () => {
  expect(given(upTo(13), [], true, 14n)).toMatchObject({ posted: upTo(20).slice(3), looked: 1, asked: 7 });
  expect(given(upTo(15), [], true, 14n)).toMatchObject({ posted: [14n, 15n], asked: 0 });
  const syncing = given(upTo(13), ['VALID', 'SYNCING'], true, 14n);
  expect(syncing).toMatchObject({ posted: [14n], outcome: { last: 14n, withheld: null } });
  expect(given(upTo(13), ['SYNCING'], true, 14n)).toMatchObject({
    posted: [],
    outcome: { last: null, withheld: null },
  });
});
