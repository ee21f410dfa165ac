import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import { observationKinds, type ObservationKind } from './observation.ts';
import { isLeftByAny, proofAgainst, proofKinds, type Proof, type VoterWord } from './proof.ts';

const tip = block(6n);
const chain = {
  head: () => tip,
  at: (number: bigint) => (number >= 1n && number <= 6n ? { ...block(number), sizeBytes: 1 } : null),
  envelope: () => null,
  envelopeJson: () => null,
};

function voter(
  id: string,
  kinds: readonly ObservationKind[],
  about = tip,
  changes: Partial<VoterWord> = {},
): VoterWord {
  const observations = kinds.length === 0 ? [] : [{ number: about.number, hash: about.hash, kinds }];
  return { id, isNative: true, isHeard: true, safeNumber: null, observations, ...changes };
}

function silent(id: string): VoterWord {
  return voter(id, [], tip, { isHeard: false });
}

function proof(voters: readonly VoterWord[], against = tip): Proof {
  return proofAgainst(against, { chain, voters, members: voters.every((one) => one.isNative) ? 'native' : 'mixed' });
}

describe('proof against a committed block (rule 6)', () => {
  it.each(['l1', 'left', 'invalid'] as const)('%s takes a majority of the voters', (kind) => {
    expect(proof([voter('a', [kind]), voter('b', [kind]), silent('c')])).toMatchObject({ kind: 'proved', by: kind });
    expect(proof([voter('a', [kind]), voter('b', []), voter('c', [])]).kind).toBe('unproved');
    expect(proof([voter('a', [kind]), voter('b', [kind]), silent('c'), silent('d'), silent('e')]).kind).toBe(
      'unproved',
    );
  });

  it('whose L1 client was asked and whose node went by itself say the same thing', () => {
    expect(proof([voter('a', ['l1']), voter('b', ['left']), silent('c')])).toMatchObject({
      kind: 'proved',
      by: 'left',
      voters: ['a', 'b'],
    });
    expect(proof([voter('a', ['l1']), voter('b', ['invalid']), silent('c')]).kind).toBe('unproved');
  });

  it('says whose safe head stands against what all others say', () => {
    const others = ['a', 'b'].map((id) => voter(id, ['left']));
    const told = proof([...others, voter('c', ['left'], tip, { safeNumber: 7n })]);
    expect(told).toMatchObject({ kind: 'unproved', why: expect.stringContaining('c: left, but safe there') as string });
  });

  it('a word of a voter that is not heard any more is too old to count', () => {
    const old = voter('b', ['left'], tip, { isHeard: false });
    expect(proof([voter('a', ['left']), old, voter('c', [])]).kind).toBe('unproved');
  });

  it('notTaken takes every voter, and is about the tip alone', () => {
    const all = ['a', 'b', 'c'].map((id) => voter(id, ['notTaken']));
    expect(proof(all)).toMatchObject({ kind: 'proved', by: 'notTaken' });
    expect(proof([all[0]!, all[1]!, silent('c')]).kind).toBe('unproved');
    expect(proof([all[0]!, all[1]!, voter('c', [])]).kind).toBe('unproved');
    const below = ['a', 'b', 'c'].map((id) => voter(id, ['notTaken'], block(5n)));
    expect(proof(below, block(5n)).kind).toBe('unproved');
    expect(proof(below).kind).toBe('unproved');
  });

  it('kinds are not added up: each has to reach its own number', () => {
    expect(proof([voter('a', ['left']), voter('b', ['invalid']), voter('c', ['notTaken'])]).kind).toBe('unproved');
  });

  it('what is said of a committed block under it counts, and of one that is not committed does not', () => {
    expect(proof([voter('a', ['left'], block(4n)), voter('b', ['left'], block(5n)), silent('c')]).kind).toBe('proved');
    const elsewhere = block(5n, 1, 4n);
    expect(proof([voter('a', ['left'], elsewhere), voter('b', ['left'], elsewhere), silent('c')]).kind).toBe(
      'unproved',
    );
    expect(proof([voter('a', ['left']), voter('b', ['left']), silent('c')], block(5n)).kind).toBe('unproved');
  });

  it.each(['invalid', 'notTaken'] as const)(
    '%s does not count while a voter holds the block or found it valid',
    (kind) => {
      const speaking = ['a', 'b', 'c'].map((id) => voter(id, [kind]));
      for (const sound of ['valid', 'holds'] as const)
        expect(proof([...speaking, voter('d', [sound])]).kind).toBe('unproved');
      expect(proof([voter('a', ['left']), voter('b', ['left']), voter('c', ['holds'])]).kind).toBe('proved');
    },
  );

  it('invalid does not count against a block that the client of its leader found valid, also once that leader is not heard', () => {
    const validated = { ...chain, at: () => ({ ...tip, sizeBytes: 1, isValidated: true }) };
    const after = (kind: ObservationKind): Proof =>
      proofAgainst(tip, {
        chain: validated,
        voters: [voter('a', [kind]), voter('b', [kind]), silent('leader')],
        members: 'native',
      });
    expect(after('invalid').kind).toBe('unproved');
    expect(after('left').kind).toBe('proved');
  });

  describe('refused below the tip', () => {
    const refusing = ['a', 'b'].map((id) => voter(id, ['invalid'], block(4n)));
    const against = (third: VoterWord, of = block(4n), at: typeof chain.at = chain.at): Proof =>
      proofAgainst(of, { chain: { ...chain, at }, voters: [...refusing, third], members: 'native' });
    const validated = (height: bigint) => (number: bigint) => {
      const held = chain.at(number);
      return held === null ? null : { ...held, isValidated: number === height };
    };

    it.each([4n, 6n])('by a majority, it is given up with what stands on it (as seen from block %s)', (number) => {
      expect(against(silent('c'), block(number))).toMatchObject({ kind: 'proved', by: 'invalid' });
    });

    it('by one, and another refuses one above: neither is refused by a majority, and both stay', () => {
      const voters = [voter('a', ['invalid'], block(4n)), voter('b', ['invalid'], block(6n)), silent('c')];
      for (const of of [4n, 5n, 6n]) expect(proof(voters, block(of)).kind).toBe('unproved');
      const why = expect.stringContaining('a: invalid (block 4); b: invalid; c is not heard') as string;
      expect(proof(voters)).toMatchObject({ why });
      const both = [...voters.slice(0, 2), voter('c', ['invalid'], block(6n))];
      expect(proof(both, block(6n))).toMatchObject({ kind: 'proved', voters: ['b', 'c'] });
      expect(proof(both, block(5n)).kind).toBe('unproved');
    });

    it('beside op-conductor by one native voter, which cannot take the tip either that another refuses', () => {
      const go = voter('go', [], tip, { isNative: false, isHeard: false });
      const old = voter('a', ['invalid'], block(4n));
      expect(proof([old, voter('b', ['invalid']), go])).toMatchObject({ kind: 'proved', mayReplaceTipOnly: true });
      expect(proof([old, voter('b', []), go]).kind).toBe('unproved');
    });

    it('said twice by one counts once', () => {
      const twice = voter('a', ['invalid'], block(4n));
      const again = { ...twice, observations: [...twice.observations, ...twice.observations] };
      expect(proof([again, silent('b'), silent('c')], block(4n)).kind).toBe('unproved');
    });

    it.each([4n, 5n, 6n])('stays while a client that is heard holds committed block %s', (number) => {
      const holder = voter('c', ['holds'], block(number));
      for (const of of [4n, 6n]) expect(against(holder, block(of)).kind).toBe('unproved');
      expect(against({ ...holder, isHeard: false }).kind).toBe('proved');
    });

    it('a block that is not on the committed chain holds nothing below it', () => {
      expect(against(voter('c', ['holds'], block(6n, 1, 6n))).kind).toBe('proved');
    });

    it.each([4n, 5n, 6n])('stays where the client of the leader found committed block %s valid', (height) => {
      for (const of of [4n, 6n]) expect(against(silent('c'), block(of), validated(height)).kind).toBe('unproved');
    });

    it('what was validated below it is no word for it', () => {
      expect(against(silent('c'), block(4n), validated(3n)).kind).toBe('proved');
    });
  });

  it('nothing at or below a safe head moves without L1', () => {
    const safe = voter('c', [], tip, { safeNumber: 6n });
    expect(proof([voter('a', ['left']), voter('b', ['left']), safe]).kind).toBe('unproved');
    expect(proof([voter('a', ['l1']), voter('b', ['l1']), safe]).kind).toBe('proved');
  });

  it('beside op-conductor the tip alone, on the word of all native voters', () => {
    const go = voter('go', [], tip, { isNative: false, isHeard: false });
    const speaking = [voter('a', ['notTaken']), voter('b', ['invalid'])];
    expect(proof([...speaking, go])).toMatchObject({ kind: 'proved', mayReplaceTipOnly: true });
    expect(proof([speaking[0]!, voter('b', []), go]).kind).toBe('unproved');
    expect(proof([speaking[0]!, silent('b'), go]).kind).toBe('unproved');
    expect(proof([voter('a', ['left'], block(5n)), voter('b', ['left'], block(5n)), go], block(5n)).kind).toBe(
      'unproved',
    );
    expect(proofAgainst(tip, { chain, voters: [voter('a', ['left'])], members: 'mixed' })).toMatchObject({
      mayReplaceTipOnly: true,
    });
  });

  describe('while it is not known what a member runs, as after the death of a leader', () => {
    const dead = voter('dead', [], tip, { isNative: false, isHeard: false });
    const judged = (voters: readonly VoterWord[], against = tip): Proof =>
      proofAgainst(against, { chain, voters, members: 'unknown' });

    it.each(['l1', 'left', 'invalid'] as const)('%s of a majority replaces the tip', (kind) => {
      expect(judged([voter('a', [kind]), voter('b', [kind]), dead])).toMatchObject({
        kind: 'proved',
        mayReplaceTipOnly: true,
      });
    });

    it('less than a majority, a word that all must give, or a block below the tip moves nothing', () => {
      const other = { ...dead, id: 'other' };
      expect(judged([voter('a', ['invalid']), dead, other]).kind).toBe('unproved');
      expect(judged([voter('a', ['invalid']), voter('b', []), dead]).kind).toBe('unproved');
      expect(judged([voter('a', ['notTaken']), voter('b', ['notTaken']), dead]).kind).toBe('unproved');
      const below = ['a', 'b'].map((id) => voter(id, ['left'], block(5n)));
      expect(judged([...below, dead], block(5n)).kind).toBe('unproved');
    });
  });

  it('says who would have to say what', () => {
    const answer = proof([voter('a', ['invalid']), voter('b', ['holds']), silent('c')]);
    const why = answer.kind === 'unproved' ? answer.why : '';
    expect(why).toContain(`block 6 (${tip.hash}) stays`);
    expect(why).toContain('a: invalid; b: holds it; c is not heard');
    const validated = { ...chain, at: () => ({ ...tip, sizeBytes: 1, isValidated: true }) };
    const voters = [voter('a', ['invalid']), voter('b', ['invalid']), silent('c')];
    const kept = proofAgainst(tip, { chain: validated, voters, members: 'native' });
    expect(kept.kind === 'unproved' ? kept.why : '').toMatch(/2 of 3 voters to have left it, for .* found it valid; a/);
  });

  it('what one voter has left counts as left, unless it is safe to another: then only what L1 shows does', () => {
    const left = (kind: 'l1' | 'left', safeNumber: bigint | null): boolean =>
      isLeftByAny([voter('a', [kind]), voter('b', [], tip, { safeNumber }), silent('c')], tip, chain);
    expect([left('left', null), left('left', 5n), left('left', 6n), left('l1', 6n)]).toEqual([true, true, false, true]);
    expect(isLeftByAny([voter('a', ['left']), { ...silent('b'), safeNumber: 6n }], tip, chain)).toBe(true);
    expect(isLeftByAny([{ ...voter('a', ['left']), isHeard: false }], tip, chain)).toBe(false);
  });

  it('the word of less than half of the voters never moves anything, whatever it is', () => {
    const kinds = fc.subarray([...observationKinds]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(kinds, { minLength: 3, maxLength: 3 }), (half, words) => {
        const voters = Array.from({ length: 2 * half + 1 }, (_, at) =>
          at < half ? voter(`v${at}`, words[at] ?? []) : at % 2 === 0 ? silent(`v${at}`) : voter(`v${at}`, ['holds']),
        );
        expect(proof(voters).kind).toBe('unproved');
      }),
    );
  });

  it('the kinds that prove are among those that are told', () => {
    expect(observationKinds).toEqual(expect.arrayContaining([...proofKinds]));
  });
});
