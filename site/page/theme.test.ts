import { describe, expect, it } from 'vitest';
import { themeOf } from './theme.ts';

describe('the stored theme', () => {
  it('is light or dark when chosen, and the system’s in any other case', () => {
    expect(themeOf('light')).toBe('light');
    expect(themeOf('dark')).toBe('dark');
    for (const text of [null, '', 'system', 'LIGHT', '<script>']) expect(themeOf(text)).toBe('system');
  });
});
