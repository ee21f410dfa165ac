import { describe, expect, it } from 'vitest';
import { tabForKey } from './tabs.ts';

describe('keys of a list of tabs (ARIA pattern)', () => {
  it('arrows go round', () => {
    expect(tabForKey('ArrowRight', 0, 3)).toBe(1);
    expect(tabForKey('ArrowRight', 2, 3)).toBe(0);
    expect(tabForKey('ArrowLeft', 0, 3)).toBe(2);
    expect(tabForKey('ArrowLeft', 2, 3)).toBe(1);
  });

  it('Home and End go to the ends', () => {
    expect(tabForKey('Home', 2, 3)).toBe(0);
    expect(tabForKey('End', 0, 3)).toBe(2);
  });

  it('any other key is left alone', () => {
    for (const key of ['ArrowUp', 'ArrowDown', 'Enter', ' ', 'Tab', 'a']) expect(tabForKey(key, 1, 3), key).toBeNull();
  });
});
