/** How long an author waits: from the write of a page's file to the frame in which a browser shows the new words. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** On a machine that does much else, milliseconds. */
const VISIBLE_MS_MAX = 30_000;

export interface Edits {
  /** Of a browser; it opens the page. */
  readonly page: Page;
  /** Where the authoring server has the page. */
  readonly url: string;
  /** The page's source; it keeps the words of the last edit. */
  readonly file: string;
  readonly count: number;
  /** Each begins when the page is idle again, and not while the checks of the last may run. */
  readonly isRested: boolean;
}

/** Milliseconds of each edit. One before them is not counted: code is compiled while it runs. */
export async function editsToSight({ page, url, file, count, isRested }: Edits): Promise<number[]> {
  await page.goto(url, { waitUntil: 'networkidle' });
  const original = readFileSync(file, 'utf8');
  const milliseconds: number[] = [];
  for (let edit = 0; edit <= count; edit += 1) {
    const words = `Edit ${edit} of the measurement.`;
    const seen = page.waitForFunction(
      `document.querySelector('main')?.textContent.includes(${JSON.stringify(words)})`,
      undefined,
      { timeout: VISIBLE_MS_MAX },
    );
    const began = performance.now();
    writeFileSync(file, `${original}\n${words}\n`);
    await seen;
    milliseconds.push(performance.now() - began);
    if (isRested) await page.waitForLoadState('networkidle');
  }
  return milliseconds.slice(1);
}
