import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingBeingRead } from './contents.ts';

const READING_LINE = 200;

function beingRead(tops: readonly number[], isAtEnd = false): number {
  const topOf = (index: number): number => tops[index]!;
  return headingBeingRead({ count: tops.length, topOf, readingLine: READING_LINE, isAtEnd });
}

describe('the heading being read', () => {
  it('is none before the first', () => {
    expect(beingRead([300, 900])).toBe(-1);
    expect(beingRead([])).toBe(-1);
  });

  it('is the last one above the reading line', () => {
    expect(beingRead([-500, 120, 900])).toBe(1);
    expect(beingRead([-500, 200, 201])).toBe(1);
  });

  it('is the last of all at the end of the page, however short its text', () => {
    expect(beingRead([-500, 120, 900], true)).toBe(2);
  });

  it('is found without asking for the places of those below the next', () => {
    const asked: number[] = [];
    const topOf = (index: number): number => {
      asked.push(index);
      return index * 150;
    };
    expect(headingBeingRead({ count: 9, topOf, readingLine: READING_LINE, isAtEnd: false })).toBe(1);
    expect(asked).toEqual([0, 1, 2]);
  });

  it('never goes back while the page scrolls down', () => {
    const distances = fc.array(fc.nat(5_000), { minLength: 1 });
    fc.assert(
      fc.property(distances, fc.nat(5_000), fc.nat(500), (unsorted, scrolled, more) => {
        const tops = unsorted.sort((a, b) => a - b);
        const at = (y: number): number => beingRead(tops.map((top) => top - y));
        expect(at(scrolled + more)).toBeGreaterThanOrEqual(at(scrolled));
      }),
    );
  });
});
