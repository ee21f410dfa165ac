import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { block } from '../control/testing/world.ts';
import { forkPoint, type ForkPoint } from './fork-point.ts';

/** The log holds first..tip; the node's chain is another one from `forkAt` on and ends at `head`. */
function ask({ first, tip, forkAt, head }: { first: bigint; tip: bigint; forkAt: bigint; head: bigint }): {
  readonly found: ForkPoint;
  readonly asked: number;
} {
  const chain = {
    head: () => block(tip),
    at: (number: bigint) => (number >= first && number <= tip ? { ...block(number), sizeBytes: 1 } : null),
    envelope: () => null,
    envelopeJson: () => null,
  };
  const answer = ({ params }: NodeRequest): CallResult => {
    const number = BigInt((JSON.parse(params) as [string])[0]);
    const { hash, parentHash } = block(number, 1, forkAt);
    return { kind: 'result', value: number > head ? null : { number: `0x${number.toString(16)}`, hash, parentHash } };
  };
  const steps = forkPoint(chain, block(head, 1, forkAt));
  let asked = 0;
  let step = steps.next();
  while (step.done !== true) {
    asked += 1;
    const { requests } = step.value as { readonly requests: readonly NodeRequest[] };
    step = steps.next({ kind: 'calls', results: requests.map(answer) });
  }
  return { found: step.value, asked };
}

test('the lowest committed block that the node does not have is found, in steps that grow', () => {
  const heights = fc.tuple(fc.bigInt(1n, 5n), fc.bigInt(0n, 300n), fc.bigInt(0n, 320n), fc.bigInt(0n, 320n));
  fc.assert(
    fc.property(heights, ([first, length, fork, headAbove]) => {
      const tip = first + length;
      const forkAt = first + fork;
      const head = first - 1n + headAbove;
      const lowest = forkAt <= head ? forkAt : head + 1n;
      const { found, asked } = ask({ first, tip, forkAt, head });
      expect(found).toEqual(
        lowest > tip ? { kind: 'same' } : { kind: 'parts', at: expect.objectContaining(block(lowest)) as unknown },
      );
      expect(asked).toBeLessThan(24);
    }),
  );
});

test('where they part below what the log holds, or the node ends there, that is said', () => {
  expect(ask({ first: 5n, tip: 9n, forkAt: 2n, head: 9n }).found).toEqual({ kind: 'belowLog' });
  expect(ask({ first: 5n, tip: 9n, forkAt: 2n, head: 12n }).found).toEqual({ kind: 'belowLog' });
  expect(ask({ first: 5n, tip: 9n, forkAt: 1000n, head: 2n }).found).toEqual({ kind: 'belowLog' });
});

test('the parent of the lowest block held is known too: a node that stands there parts above it', () => {
  expect(ask({ first: 5n, tip: 9n, forkAt: 1000n, head: 4n }).found).toMatchObject({
    kind: 'parts',
    at: { number: 5n },
  });
});
