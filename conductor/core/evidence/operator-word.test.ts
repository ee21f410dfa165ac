import { describe, expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import type { NodeView } from './node-views.ts';
import { whyKept } from './operator-word.ts';
import type { ObservationKind } from './observation.ts';

const tip = block(6n);
const chain = {
  head: () => tip,
  at: (number: bigint) => (number >= 1n && number <= 6n ? { ...block(number), sizeBytes: 1 } : null),
  envelope: () => null,
  envelopeJson: () => null,
};

function server(id: string, kinds: readonly ObservationKind[], changes: Partial<NodeView> = {}): NodeView {
  return {
    id,
    isVoter: true,
    implementation: 'conductor',
    ageMs: 100,
    isHealthy: true,
    nodeHead: block(5n),
    clientHead: block(5n),
    safeNumber: 2n,
    verdict: kinds[0] ?? 'unknown',
    observations: kinds.length === 0 ? [] : [{ number: 6n, hash: tip.hash, kinds }],
    refuses: null,
    ...changes,
  };
}

const silent = server('c', [], { ageMs: null, nodeHead: null, safeNumber: null });
const refusing = server('a', ['invalid']);

describe('what an operator may give up (rule 6)', () => {
  it('a block that nobody who is heard can go on from', () => {
    expect(whyKept(tip, chain, [refusing, server('b', ['notTaken']), silent])).toBeNull();
    expect(whyKept(tip, chain, [refusing, server('b', ['left', 'holds'], { nodeHead: null })])).toBeNull();
  });

  it.each([
    ['whose client has it', server('b', ['holds']), /the client of b has it; hand leadership to b/],
    ['whose client found it valid', server('b', ['valid']), /the client of b has it/],
    [
      'whose op-node stands on it, as after a power cut',
      server('b', [], { nodeHead: tip }),
      /op-node of b stands on it/,
    ],
    [
      'whose safe chain reaches it',
      server('b', ['notTaken'], { safeNumber: 6n }),
      /the safe chain of b reaches it, at 6/,
    ],
  ])('none of a server %s', (_, other, why) => {
    expect(whyKept(tip, chain, [refusing, other, silent])).toMatch(why);
    // What it said long ago keeps nothing.
    expect(whyKept(tip, chain, [refusing, { ...other, ageMs: 60_000 }, silent])).toBeNull();
  });

  it("where the safe chain has another block there, the block is in nobody's way", () => {
    expect(whyKept(tip, chain, [server('a', ['l1'], { safeNumber: 9n })])).toBeNull();
  });

  it('beside op-conductor, or who may be one, the newest block alone', () => {
    const go = { ...silent, implementation: 'op-conductor' as const };
    expect(whyKept(tip, chain, [refusing, go])).toBeNull();
    expect(whyKept(block(5n), chain, [server('a', ['left'], { nodeHead: null }), go])).toMatch(/c may be op-conductor/);
    expect(whyKept(block(5n), chain, [server('a', ['left'], { nodeHead: null }), silent])).toBeNull();
  });
});
