import { describe, expect, it } from 'vitest';
import { cardPath, cardSvg } from './card.ts';

const CARD = { title: 'Run a node', kicker: 'Builders', siteName: 'Docs' };
/** Every character is half as wide as it is high. */
const widthOf = (line: string): number => line.length * 50;

const titleLines = (title: string): { text: string; size: number }[] =>
  Array.from(
    cardSvg({ ...CARD, title }, widthOf).matchAll(/<text [^>]*font-size="(\d+)"[^>]*>([^<]*)<\/text>/g),
    ([, size, text]) => ({
      text: text ?? '',
      size: Number(size),
    }),
  ).slice(0, -2);

describe('a card', () => {
  it('has a name that its words decide', () => {
    expect(cardPath(CARD)).toBe(cardPath({ ...CARD }));
    const others = [
      { ...CARD, title: 'Run two' },
      { ...CARD, kicker: '' },
      { ...CARD, siteName: 'Other' },
    ];
    expect(new Set([CARD, ...others].map(cardPath)).size).toBe(4);
    expect(cardPath(CARD)).toMatch(/^\/cards\/[0-9a-f]{12}\.png$/);
  });

  it('sets its title as large as it fits, in three lines at most', () => {
    expect(titleLines('Cannon')).toEqual([{ text: 'Cannon', size: 104 }]);
    const long = titleLines('Communicating between the OP Stack and Ethereum in Solidity, step by step');
    expect(long.length).toBeLessThanOrEqual(3);
    expect(long.map(({ text }) => text).join(' ')).toBe(
      'Communicating between the OP Stack and Ethereum in Solidity, step by step',
    );
    for (const { text, size } of long) expect((widthOf(text) * size) / 100).toBeLessThanOrEqual(1024);
    expect(titleLines('word '.repeat(200)).length).toBe(3);
  });

  it('shows words as words', () => {
    expect(cardSvg({ ...CARD, title: 'A <b> & c' }, widthOf)).toContain('>A &lt;b> &amp; c<');
  });
});
