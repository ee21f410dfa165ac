/**
 * How much a reader loads before any island is seen or used, as a browser asks for it: the budget of home and of the
 * Conductor page. The sizes are printed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

/** Kilobytes; scripts, styles and HTML after gzip, fonts as they are, because they are compressed in themselves. */
const KB_MAX = { js: 15, css: 15, html: 150, woff2: 90 } as const;
const PRELOADED_FONTS_MAX = 3;
/** A machine may be busy with other things. */
const WAIT_MS_MAX = 60_000;
/** All scripts that the cluster brings when it is started, as the edge sends them. */
const LIVE_CLUSTER_KB_MAX = 190;

describe('the first load', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  it.each(['/', '/builders/chain-operators/tools/op-conductor'])('of %s keeps within its budget', async (route) => {
    site.takeRequests();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(site.url + route.slice(1), { waitUntil: 'networkidle' });
    const asked = site.takeRequests();
    const kilobytes = (ending: keyof typeof KB_MAX): number => {
      const files = ending === 'html' ? [`${route}/index.html`] : asked.filter((path) => path.endsWith(`.${ending}`));
      const bytes = files.map((file) => readFileSync(join(site.folder, file)));
      return bytes.reduce((sum, text) => sum + (ending === 'woff2' ? text : gzipSync(text)).length, 0) / 1000;
    };
    const sizes = Object.fromEntries(
      (Object.keys(KB_MAX) as (keyof typeof KB_MAX)[]).map((ending) => [ending, kilobytes(ending)] as const),
    ) as Record<keyof typeof KB_MAX, number>;
    console.log(`first load of ${route}, kB: ${JSON.stringify(sizes)}`);
    for (const [ending, max] of Object.entries(KB_MAX)) {
      const size = sizes[ending as keyof typeof KB_MAX];
      expect(size, ending).toBeGreaterThan(0);
      expect(size, ending).toBeLessThanOrEqual(max);
    }
    expect(await page.locator('link[rel=preload][as=font]').count()).toBeLessThanOrEqual(PRELOADED_FONTS_MAX);
    expect(await page.locator('site-island[data-mounted]').count()).toBe(0);
  });

  it('of the live cluster keeps within its budget', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}builders/chain-operators/tools/op-conductor`, { waitUntil: 'networkidle' });
    site.takeRequests();
    await page.locator('site-island[data-name="LiveCluster"] [data-start]').click();
    const scripts: string[] = [];
    const isComplete = (): boolean => {
      scripts.push(...site.takeRequests().filter((path) => path.endsWith('.js')));
      return scripts.some((path) => path.includes('cluster-worker'));
    };
    await expect.poll(isComplete, { timeout: WAIT_MS_MAX }).toBe(true);
    await page.waitForLoadState('networkidle');
    isComplete();
    const bytes = scripts.map((path) => brotliCompressSync(readFileSync(join(site.folder, path))).length);
    const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1000;
    console.log(`the live cluster, kB: ${kilobytes}`);
    expect(kilobytes).toBeLessThanOrEqual(LIVE_CLUSTER_KB_MAX);
  });
});
