import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasQuorum, quorumMatch, quorumSize, votersOf } from './quorum.ts';
import { nonvoter, voter, voters } from './testing/messages.ts';
import type { Configuration } from './types.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const configuration: fc.Arbitrary<Configuration> = fc
  .subarray(IDS)
  .chain((ids) => fc.tuple(...ids.map((id) => fc.boolean().map((votes) => (votes ? voter(id) : nonvoter(id))))))
  .map((servers) => ({ servers }));

describe('majorities', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [6, 4],
    [7, 4],
  ])('of %i voters: %i', (count, size) => expect(quorumSize(count)).toBe(size));

  it('of the same voters overlap', () => {
    fc.assert(
      fc.property(configuration, fc.subarray(IDS), fc.subarray(IDS), (held, some, others) => {
        const areBoth = hasQuorum(held, (id) => some.includes(id)) && hasQuorum(held, (id) => others.includes(id));
        if (areBoth) expect(votersOf(held).some((id) => some.includes(id) && others.includes(id))).toBe(true);
      }),
    );
  });

  it('of two configurations that differ by one server overlap (thesis figure 4.3)', () => {
    fc.assert(
      fc.property(
        configuration,
        fc.constantFrom(...IDS),
        fc.subarray(IDS),
        fc.subarray(IDS),
        (held, id, some, others) => {
          const without = held.servers.filter((server) => server.id !== id);
          const next = { servers: without.length < held.servers.length ? without : [...without, voter(id)] };
          const areBoth = hasQuorum(held, (id) => some.includes(id)) && hasQuorum(next, (id) => others.includes(id));
          if (areBoth) expect(some.some((id) => others.includes(id) && votersOf(held).includes(id))).toBe(true);
        },
      ),
    );
  });

  it('there is none without voters', () => {
    expect(hasQuorum({ servers: [nonvoter('a')] }, () => true)).toBe(false);
    expect(quorumMatch({ servers: [nonvoter('a')] }, () => 9)).toBe(0);
  });

  it('the match of a majority is the highest index that a majority has reached', () => {
    fc.assert(
      fc.property(configuration, fc.array(fc.nat(9), { minLength: 7, maxLength: 7 }), (held, matches) => {
        const matchOf = (id: string): number => matches[IDS.indexOf(id)]!;
        let highest = 0;
        for (let index = 1; index <= 9; index++) if (hasQuorum(held, (id) => matchOf(id) >= index)) highest = index;
        expect(quorumMatch(held, matchOf)).toBe(highest);
      }),
    );
  });

  it('nonvoters never count', () => {
    const servers = [...voters('a', 'b', 'c').servers, nonvoter('d'), nonvoter('e')];
    expect(quorumMatch({ servers }, (id) => ({ a: 7, b: 2, c: 3, d: 9, e: 9 })[id]!)).toBe(3);
    expect(hasQuorum({ servers }, (id) => ['a', 'd', 'e'].includes(id))).toBe(false);
  });
});
