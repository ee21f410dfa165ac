import { expect, test } from 'vitest';
import { releaseNotes, siteAddress } from './site-address.ts';

test("the site is the project's own, whatever the caller's shell says, and that is said", () => {
  expect(siteAddress(undefined, { PATH: '/bin' })).toEqual({ env: { PATH: '/bin' }, given: null, remark: '' });
  const site = siteAddress(undefined, { PATH: '/bin', SITE_URL: 'https://evil.example' });
  expect(site).toMatchObject({ env: { PATH: '/bin' }, given: null });
  expect(site.remark).toContain('SITE_URL=https://evil.example does not count');
  expect(releaseNotes('what is new', site)).toBe('what is new\n');
});

test('an address that is given stands in the output and in the notes', () => {
  const site = siteAddress('https://docs.example.org/', { SITE_URL: 'https://other.example' });
  expect(site.env).toEqual({ SITE_URL: 'https://docs.example.org' });
  expect(site.remark).toContain('for https://docs.example.org (--site-url)');
  expect(releaseNotes('what is new', site)).toBe(`what is new\n\n${site.remark}\n`);
});

test.each(['', 'docs', 'ftp://docs.example.org', 'https://docs.example.org/path', 'https://u@docs.example.org'])(
  'no site is for %j',
  (given) => expect(() => siteAddress(given, {})).toThrow('is no origin'),
);
