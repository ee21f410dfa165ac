/** Edits of islands and layout, in a copy of the sources: nobody else may see them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../tests/browser/suite.ts';
import { READY_MS_MAX, startAuthoring, type AuthoringProcess } from '../../../tests/browser/authoring-process.ts';

const VISIBLE_MS_MAX = 20_000;
/** What the authoring server reads. */
const SOURCES = [
  'site',
  'conductor',
  'simulator',
  'scripts',
  'content',
  'package.json',
  'vite.config.ts',
  'CHANGELOG.md',
];
/** Half a number: no address knows it, so that only the island itself can have kept it. */
const HALF = '1.5e';

const repository = join(import.meta.dirname, '..', '..', '..');

describe('an edit keeps what the reader has typed into an island', () => {
  const browser = useBrowser();
  const root = mkdtempSync(join(tmpdir(), 'kept-state-'));
  const pages = join(root, 'pages');
  let server: AuthoringProcess;

  beforeAll(async () => {
    for (const name of SOURCES) cpSync(join(repository, name), join(root, name), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    cpSync(join(import.meta.dirname, '..', 'testdata', 'small'), pages, { recursive: true });
    edit('pages/guides/start.mdx', '## Second', '<Island name="FeeCalculator">\n\nA form.\n\n</Island>\n\n## Second');
    server = await startAuthoring(root, pages);
  }, 2 * READY_MS_MAX);
  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  function edit(name: string, from: string, to: string): void {
    const file = join(root, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    writeFileSync(
      file,
      text.replace(from, () => to),
    );
  }

  async function typeHalf(): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(new URL('/guides/start', server.url).href, { waitUntil: 'networkidle' });
    const field = page.locator('site-island input').first();
    await field.fill(HALF, { timeout: VISIBLE_MS_MAX });
    return page;
  }

  const sees = (page: Page, words: string): Promise<unknown> =>
    page.waitForFunction(`document.body?.innerText.includes(${JSON.stringify(words)})`, undefined, {
      timeout: VISIBLE_MS_MAX,
    });
  const typed = (page: Page): Promise<string> => page.locator('site-island input').first().inputValue();

  it.each([
    ['of the island (Fast Refresh)', 'site/islands/fee-calculator/FeeCalculator.tsx', 'Start over', 'Begin anew'],
    ['of what the island imports', 'site/islands/fee-calculator/inputs.ts', 'Their average size', 'How large they are'],
    ['of the layout', 'site/layout/SiteFooter.tsx', 'Notices as a feed', 'All notices as a feed'],
    ['of the page', 'pages/guides/start.mdx', 'The first of two.', 'The first of several.'],
  ])('%s', async (_, file, from, to) => {
    const page = await typeHalf();
    edit(file, from, to);
    await sees(page, to);
    expect(await typed(page)).toBe(HALF);
  });
});
