import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber } from './read-number.ts';

describe('a typed number', () => {
  it.each([
    ['5', 5],
    [' 0.25 ', 0.25],
    ['.5', 0.5],
    ['1e6', 1_000_000],
    ['-3', -3],
    ['1,000,000', 1_000_000],
    ['500 000', 500_000],
    ['500\u202F000', 500_000],
    ['500\u00A0000', 500_000],
    ['1_000_000', 1_000_000],
    ['3,000.50', 3000.5],
  ])('%j is %d', (text, value) => {
    expect(readNumber(text, false)).toBe(value);
  });

  it.each([
    ['', 'Enter a number.'],
    ['0,5', 'Enter a number with a point before decimals: 0.5.'],
    ['3,000', 'Enter a number without a comma: 3000 or 3.000.'],
    ['1.000.000', 'Enter a number without points between thousands: 1000000.'],
    ['0x10', 'Enter a number in decimal digits, not in hexadecimal ones.'],
    ['1,000 000', 'Enter a number: digits, and a point before decimals.'],
    ['Infinity', 'Enter a number: digits, and a point before decimals.'],
    ['1e999', 'Enter a number of fewer digits.'],
  ])('%j is answered with what to write', (text, complaint) => {
    expect(readNumber(text, false)).toBe(complaint);
  });

  it('with one comma is a thousand where only whole numbers are asked for', () => {
    expect(readNumber('500,000', true)).toBe(500_000);
    expect(readNumber('0,500', true)).toBe('Enter a number with a point before decimals: 0.500.');
  });

  it('is the same with and without thousands marked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_000, max: 1e12 }),
        fc.constantFrom(',', ' ', '\u202F', '_'),
        (value, mark) => {
          expect(readNumber(value.toLocaleString('en-US').replaceAll(',', mark), false)).toBe(value);
        },
      ),
    );
  });
});
