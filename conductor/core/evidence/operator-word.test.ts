import { describe, expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import type { NodeView } from './node-views.ts';
import { OperatorWord, whyKept } from './operator-word.ts';
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
const host = { chain, nowMs: () => 0, isForbidden: () => false };

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

  it('a server that has only what is below the block, or another one in its place, keeps nothing', () => {
    const below = { observations: [{ number: 5n, hash: block(5n).hash, kinds: ['holds'] as const }] };
    expect(whyKept(tip, chain, [refusing, server('b', [], below), silent])).toBeNull();
    expect(whyKept(tip, chain, [refusing, server('b', [], { nodeHead: block(6n, 1, 6n) }), silent])).toBeNull();
  });

  it('a server that speaks against a block above stands on this one all the same: it stays', () => {
    expect(whyKept(block(4n), chain, [refusing, server('b', ['notTaken']), silent])).toMatch(
      /the op-node of a stands on it; hand leadership to a/,
    );
    const left = { observations: [{ number: 4n, hash: block(4n).hash, kinds: ['left', 'holds'] as const }] };
    expect(whyKept(block(4n), chain, [server('b', [], left), silent])).toBeNull();
  });

  it('where the safe chain has another block only further up, it has this one: it stays', () => {
    const safe = server('a', ['l1'], { safeNumber: 9n });
    expect(whyKept(block(4n), chain, [safe])).toMatch(/the safe chain of a reaches it, at 9/);
  });

  it('words about blocks of an earlier chain, as of a log that lags, count neither for nor against it', () => {
    const earlier = block(4n, 1, 4n);
    for (const kinds of [['left'], ['l1']] as const) {
      const lagging = { observations: [{ number: 4n, hash: earlier.hash, kinds }], safeNumber: 4n };
      expect(whyKept(block(4n), chain, [refusing, server('b', [], lagging)])).toMatch(/^block 4 .* stays/);
      expect(whyKept(block(5n), chain, [server('b', [], { ...lagging, safeNumber: 2n })])).toMatch(/stands on it/);
    }
  });

  it('beside op-conductor the newest block gives way to a plain payload, which that can read', () => {
    const given = (implementation: NodeView['implementation']) => {
      const views = () => [refusing, { ...silent, implementation }];
      const word = new OperatorWord({ ...host, views });
      expect(word.give(tip)).toBeNull();
      return word.proof(tip);
    };
    expect(given('op-conductor')).toMatchObject({ kind: 'proved', by: 'operator', mayReplaceTipOnly: true });
    expect(given('unknown')).toMatchObject({ mayReplaceTipOnly: true });
    expect(given('conductor')).toMatchObject({ mayReplaceTipOnly: false });
  });

  it('is over once the chain has another block in its place: of that one, and what follows, nothing was said', () => {
    let forkAt = 1000n;
    const at = (number: bigint) => ({ ...block(number, 1, forkAt), sizeBytes: 1 });
    const word = new OperatorWord({ ...host, chain: { ...chain, at }, views: () => [refusing, silent] });
    word.give(tip);
    expect(word.refusal(at(7n))).toMatchObject({ kind: 'operator' });
    forkAt = 6n;
    for (const number of [6n, 7n]) expect([word.proof(at(number)), word.refusal(at(number))]).toEqual([null, null]);
  });

  it('what is proved and only forbidden, whoever holds it or has it in a safe chain, as long as it is proved', () => {
    let from = 5n;
    const views = () => [refusing, server('b', ['holds'], { nodeHead: tip, safeNumber: 5n })];
    const word = new OperatorWord({ ...host, views, isForbidden: ({ number }) => number >= from });
    expect(word.give({ number: 6n, hash: block(6n, 1, 6n).hash })).toMatch(/is not committed here/);
    expect(word.give(block(4n))).toMatch(/^block 4 .* stays/);
    expect(word.proof(tip)).toBeNull();
    expect(word.give(block(5n))).toBeNull();
    for (const named of [block(5n), tip]) expect(word.proof(named)).toMatchObject({ kind: 'proved', by: 'operator' });
    // The word is about that block, and what is above it.
    expect(word.proof(block(4n))).toBeNull();
    from = 7n;
    expect(word.proof(tip)).toMatchObject({ kind: 'unproved', why: expect.stringMatching(/^block 5 .* stays/) });
  });

  it('beside op-conductor, or who may be one, the newest block alone', () => {
    const go = { ...silent, implementation: 'op-conductor' as const };
    expect(whyKept(tip, chain, [refusing, go])).toBeNull();
    expect(whyKept(block(5n), chain, [server('a', ['left'], { nodeHead: null }), go])).toMatch(/c may be op-conductor/);
    expect(whyKept(block(5n), chain, [server('a', ['left'], { nodeHead: null }), silent])).toBeNull();
  });
});
