import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slipsBetween, Vocabulary } from './vocabulary.ts';

function vocabularyOf(...tokens: string[]): Vocabulary {
  const vocabulary = new Vocabulary();
  for (const token of tokens) vocabulary.set(token, vocabulary.count(token) + 1);
  return vocabulary;
}

describe('what a word may mean', () => {
  test('a slip of the fingers: swapped, missing, doubled and wrong letters', () => {
    const vocabulary = vocabularyOf('conductor', 'withdrawal', 'cannon', 'glossary', 'sequencer', 'raft');
    const read = (word: string): string | undefined => vocabulary.near(word)[0]?.token;
    expect(['condcutor', 'withdrawl', 'canon', 'glosary', 'sequancer', 'rafft'].map(read)).toEqual([
      'conductor',
      'withdrawal',
      'cannon',
      'glossary',
      'sequencer',
      'raft',
    ]);
    expect(read('rat')).toBeUndefined();
    expect(read('conductor')).toBeUndefined();
  });

  test('the commoner of two equally near words comes first', () => {
    expect(
      vocabularyOf('batch', 'patch', 'batch', 'catch')
        .near('batsh')
        .map(({ token }) => token),
    ).toEqual(['batch']);
    expect(vocabularyOf('hatch', 'match', 'match').near('batch')[0]?.token).toBe('match');
  });

  test('words of the same stem, and no others', () => {
    const vocabulary = vocabularyOf(
      'estimate',
      'estimating',
      'estimation',
      'estimates',
      'estate',
      'bridging',
      'run',
      'running',
    );
    expect(vocabulary.relatives('estimate').toSorted()).toEqual(['estimates', 'estimating', 'estimation']);
    expect(vocabulary.relatives('bridge')).toEqual(['bridging']);
    expect(vocabulary.relatives('eth_call')).toEqual([]);
  });

  test('two words written as one, by the split whose rarer half is commonest', () => {
    expect(vocabularyOf('snap', 'sync', 'snap', 'sync', 'sn', 'apsync').halves('snapsync')).toEqual(['snap', 'sync']);
    expect(vocabularyOf('snap').halves('snapsync')).toBeNull();
  });
});

describe('slips between two words', () => {
  const word = fc.stringMatching(/^[a-d]{0,7}$/);

  test('none exactly for the same word; the same there and back; never more than letters', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const slips = slipsBetween(a, b, 99);
        expect(slips === 0).toBe(a === b);
        expect(slips).toBe(slipsBetween(b, a, 99));
        expect(slips).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(slips).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  test('one for a letter inserted, dropped, replaced or swapped with the next', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-d]{2,7}$/), fc.nat(), (text, at) => {
        const place = at % (text.length - 1);
        const [before, here, next, after] = [
          text.slice(0, place),
          text[place]!,
          text[place + 1]!,
          text.slice(place + 2),
        ];
        expect(slipsBetween(text, `${before}z${here}${next}${after}`, 2)).toBe(1);
        expect(slipsBetween(text, before + next + after, 2)).toBe(1);
        expect(slipsBetween(text, `${before}z${next}${after}`, 2)).toBe(1);
        expect(slipsBetween(text, before + next + here + after, 2)).toBe(here === next ? 0 : 1);
      }),
    );
  });

  test('a bound only ends the count early', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const slips = slipsBetween(a, b, 99);
        if (slips <= most) expect(slipsBetween(a, b, most)).toBe(slips);
        else expect(slipsBetween(a, b, most)).toBeGreaterThan(most);
      }),
    );
  });
});
