/**
 * Chromium for the tests of one `describe`: opened before the first, closed after the last, and every page with its
 * cookies and storage gone after the test that asked for it. Where Chromium does not run, the tests are skipped and
 * say why.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openBrowser } from './chromium.ts';

export interface BrowserSuite {
  /** A page that shares nothing with other pages. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** Unpacking, on a loaded machine, included. */
const OPEN_MS_MAX = 120_000;

/** Call it inside `describe`. */
export function useBrowser(): BrowserSuite {
  let opened: Browser | string = 'no test has begun';
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    opened = await openBrowser();
  }, OPEN_MS_MAX);
  beforeEach((context) => {
    if (typeof opened === 'string') context.skip(opened);
  });
  afterEach(async () => {
    const finished = contexts;
    contexts = [];
    await Promise.all(finished.map((context) => context.close()));
  });
  afterAll(async () => {
    if (typeof opened !== 'string') await opened.close();
  });
  return {
    async newPage(options = {}) {
      if (typeof opened === 'string') throw new Error(`There is no browser: ${opened}.`);
      const context = await opened.newContext(options);
      contexts.push(context);
      return context.newPage();
    },
  };
}
