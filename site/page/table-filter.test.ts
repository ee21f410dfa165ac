import { describe, expect, it } from 'vitest';
import { matches, parameterOf, wordsOf } from './table-filter.ts';

describe('the filter of a table', () => {
  it('shows a row that has all words, in any order and case', () => {
    const row = 'op mainnet optimismportalproxy 0xbeb5fc579115071764c7423a4f12edde41f106ed';
    expect(matches(row, wordsOf('  PORTAL mainnet '))).toBe(true);
    expect(matches(row, wordsOf('0xBEb5Fc'))).toBe(true);
    expect(matches(row, wordsOf('portal sepolia'))).toBe(false);
  });

  it('has a name of its own in the address for each table of a page', () => {
    const names = [0, 1, 2].map(parameterOf);
    expect(names[0]).toBe('filter');
    expect(new Set(names).size).toBe(3);
  });

  it('shows every row while nothing is typed', () => {
    expect(wordsOf(' \t')).toEqual([]);
    expect(matches('anything', [])).toBe(true);
  });
});
