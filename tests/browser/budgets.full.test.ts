/**
 * What the site may cost its readers' machines: a first result soon after the first key on a slow one, and nowhere a task
 * of more than 50 ms of the main thread's processor time; the live cluster leaves each frame its room. Bytes are counted in
 * first-load.browser.test.ts and search.browser.test.ts. The measured numbers are printed.
 */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBuiltSite } from './built-site.ts';
import { pageTemplates } from './page-templates.ts';
import { useBrowser } from './suite.ts';
import { traced } from './traced.ts';

const FIRST_RESULT_MS_MAX = 200;
const SLOWER = 4;
const LATENCY_MS = 40;
/** 10 Mbit/s. */
const BYTES_PER_MS = 1250;
/** How long a reader needs from the field to the first key. */
const REACH_MS = 400;
/** The best of them counts: a machine that does other things is slower than the slow one that is meant. */
const TRIES = 10;
const TASK_MS_MAX = 50;
const SCRIPT_MS_MAX = 8;
const CLUSTER_MS = 5_000;
const WAIT_MS_MAX = 60_000;

describe('the budget of', { timeout: 300_000 }, () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  it('search: a first result soon after the first key, on a slow machine behind a slow line', async () => {
    const took: number[] = [];
    while (took.length < TRIES && !took.some((ms) => ms <= FIRST_RESULT_MS_MAX)) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${site.url}stack/getting-started`, { waitUntil: 'networkidle' });
      await slowDown(page);
      took.push(await firstResultMs(page));
      // What is still under way when the first result is there need not arrive.
      await page.context().unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
    }
    console.log(`first result after the first key, ms: ${took.map(Math.round).join(', ')}`);
    expect(Math.min(...took), took.join(', ')).toBeLessThanOrEqual(FIRST_RESULT_MS_MAX);
  });

  it.each(Object.entries(pageTemplates))('the main thread while %s is loaded', async (name, path) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // Loaded once before: how long a machine takes to start its browser is not the page's.
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    const { longestMs } = await traced(page, async () => {
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
    });
    console.log(`loading ${name}: longest task ${longestMs.toFixed(1)} ms`);
    expect(longestMs).toBeLessThanOrEqual(TASK_MS_MAX);
  });

  it('the main thread while the live cluster plays and its leader dies', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${site.url}${pageTemplates.conductor}`, { waitUntil: 'networkidle' });
    const island = page.locator('site-island[data-name="LiveCluster"]').first();
    const { frames, longestMs, scriptMs } = await traced(page, async () => {
      await island.locator('[data-start]').click();
      await island.getByRole('button', { name: 'Kill the leader' }).click({ timeout: WAIT_MS_MAX });
      await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${CLUSTER_MS}))`);
    });
    console.log(
      `live cluster: ${frames} frames, longest task ${longestMs.toFixed(1)} ms, script ${scriptMs.toFixed(2)} ms a frame`,
    );
    expect(frames).toBeGreaterThan(CLUSTER_MS / 100);
    expect(longestMs).toBeLessThanOrEqual(TASK_MS_MAX);
    expect(scriptMs).toBeLessThanOrEqual(SCRIPT_MS_MAX);
  });
});

/** From now on; the requests of workers, too, which Chromium's own emulation leaves as fast as they are. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.context().route('**/*', async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    const ms = LATENCY_MS + gzipSync(body).length / BYTES_PER_MS;
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.fulfill({ response, body });
  });
}

/** The field is pointed at and opened as by hand; by the page's own clock, to the frame that has a result. */
async function firstResultMs(page: Page): Promise<number> {
  await page.evaluate(
    `window.typedMs = null, addEventListener('keydown', () => { window.typedMs ??= performance.now(); }, true)`,
  );
  const button = page.getByRole('button', { name: 'Search' }).first();
  await button.hover();
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${REACH_MS}))`);
  await button.click();
  await page.getByRole('combobox', { name: 'Search the documentation' }).waitFor();
  const seen = page.evaluate<number>(`new Promise((resolve) => {
    const look = () =>
      document.querySelector('[role=listbox] [role=option]') === null ? requestAnimationFrame(look) : resolve(performance.now() - window.typedMs);
    look();
  })`);
  await page.keyboard.press('r');
  return seen;
}
