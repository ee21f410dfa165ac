import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changelogSection } from './changelog-section.ts';

const root = join(import.meta.dirname, '../..');

test('a section ends where the next begins, and what is not released yet is counted', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n- x\n\n## [1.1.0] - 2026-02-03\n\n### Added\n\n- a\n  b\n\n## [1.0.0] - 2026-01-01\n\n- c\n';
  expect(changelogSection(text, '1.1.0')).toEqual({ date: '2026-02-03', text: '### Added\n\n- a\n  b', unreleased: 1 });
  expect(changelogSection(text, '1.0.0').text).toBe('- c');
});

test.each([
  ['## [Unreleased]\n\n- a\n', /no section for 1\.0\.0.*## \[1\.0\.0\] - YYYY-MM-DD/],
  ['## [1.0.0]\n\n- a\n', /without a date/],
  ['## [1.0.0] - 2026-13-01\n\n- a\n', /without a date/],
  ['## [1.0.0] - 2026-01-01\n\n### Added\n\n## [0.9.0] - 2025-01-01\n\n- a\n', /lists nothing under 1\.0\.0/],
])('%j is refused with what to write', (text, message) => {
  expect(() => changelogSection(text, '1.0.0')).toThrow(message);
});

test('the version of this package has its section', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { text } = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  expect(text).toContain('### Added');
});
