/** What readers copy from the pages compiles against viem; the check itself sees mistakes, and names their line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { samplesOf, typeErrors } from '../../pages/samples.ts';

const FENCE = '```';
const PAGES = join(import.meta.dirname, '../../../content/pages');

function pageWith(...lines: readonly string[]): ReturnType<typeof samplesOf> {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'page.mdx'), lines.join('\n'));
  return samplesOf(folder);
}

test('every TypeScript block of the pages that imports viem fits its types', async () => {
  const samples = samplesOf(PAGES);
  expect(samples.filter(({ checked }) => checked).length).toBeGreaterThan(0);
  expect(await typeErrors(samples)).toBe('');
});

test('a block that does not fit is named by page and line', async () => {
  const samples = pageWith(
    'Text',
    '',
    `${FENCE}ts`,
    "import { parseEther } from 'viem';",
    '',
    'console.log(parseEther(1));',
    FENCE,
  );
  expect(await typeErrors(samples)).toMatch(/^page\.mdx\/line-3\.ts\(6,24\): error TS2345/);
});

test('a block may import a titled one of its page; blocks without viem are not judged', async () => {
  const samples = pageWith(
    `${FENCE}ts title="amount.ts"`,
    'export const AMOUNT = 1n;',
    FENCE,
    `${FENCE}ts`,
    'import {',
    '  formatEther,',
    "} from 'viem';",
    "import { AMOUNT } from './amount.ts';",
    'console.log(formatEther(AMOUNT));',
    FENCE,
    `${FENCE}ts`,
    'elided();',
    FENCE,
  );
  expect(samples.map(({ path, checked }) => [path, checked])).toEqual([
    ['page.mdx/amount.ts', false],
    ['page.mdx/line-4.ts', true],
    ['page.mdx/line-11.ts', false],
  ]);
  expect(await typeErrors(samples)).toBe('');
});
