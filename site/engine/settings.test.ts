import { expect, it } from 'vitest';
import { siteSettings } from './settings.ts';

it('takes the address from SITE_URL, without a slash at the end', () => {
  expect(siteSettings({ SITE_URL: 'http://127.0.0.1:8080/' }).address).toBe('http://127.0.0.1:8080');
  expect(siteSettings({}).address).toMatch(/^https:\/\/[^/]+$/);
});

it.each([
  'docs.example.org',
  'https://example.org/docs',
  'ftp://example.org',
  'https://me@example.org',
  'https://example.org/?a',
  '',
])('refuses %j as an address', (address) => {
  expect(() => siteSettings({ SITE_URL: address })).toThrow(/must be an origin/);
});
