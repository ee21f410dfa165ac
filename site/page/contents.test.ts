import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingBeingRead } from './contents.ts';

describe('the heading being read', () => {
  it('is none before the first', () => {
    expect(headingBeingRead([300, 900], 200, false)).toBe(-1);
    expect(headingBeingRead([], 200, false)).toBe(-1);
  });

  it('is the last one above the reading line', () => {
    expect(headingBeingRead([-500, 120, 900], 200, false)).toBe(1);
    expect(headingBeingRead([-500, 200, 201], 200, false)).toBe(1);
  });

  it('is the last of all at the end of the page, however short its text', () => {
    expect(headingBeingRead([-500, 120, 900], 200, true)).toBe(2);
  });

  it('never goes back while the page scrolls down', () => {
    const distances = fc.array(fc.nat(5_000), { minLength: 1 });
    fc.assert(
      fc.property(distances, fc.nat(5_000), fc.nat(500), (unsorted, scrolled, more) => {
        const tops = unsorted.sort((a, b) => a - b);
        const at = (y: number): number =>
          headingBeingRead(
            tops.map((top) => top - y),
            200,
            false,
          );
        expect(at(scrolled + more)).toBeGreaterThanOrEqual(at(scrolled));
      }),
    );
  });
});
