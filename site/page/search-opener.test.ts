import { describe, expect, it } from 'vitest';
import { opensSearch } from './search-opener.ts';

const press = (key: string, held: 'none' | 'ctrl' | 'meta' | 'alt' = 'none') => ({
  key,
  ctrlKey: held === 'ctrl',
  metaKey: held === 'meta',
  altKey: held === 'alt',
});

describe('keys that open search', () => {
  it('⌘K and Ctrl K, also while typing', () => {
    expect(opensSearch(press('k', 'meta'), true)).toBe(true);
    expect(opensSearch(press('k', 'ctrl'), true)).toBe(true);
    expect(opensSearch(press('K', 'ctrl'), false)).toBe(true);
  });

  it('a slash, but not where it is being typed', () => {
    expect(opensSearch(press('/'), false)).toBe(true);
    expect(opensSearch(press('/'), true)).toBe(false);
  });

  it('nothing else', () => {
    expect(opensSearch(press('k'), false)).toBe(false);
    expect(opensSearch(press('k', 'alt'), false)).toBe(false);
    expect(opensSearch(press('/', 'ctrl'), false)).toBe(false);
  });
});
