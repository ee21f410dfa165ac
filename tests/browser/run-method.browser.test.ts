/** “Run it” in the reference of methods: nothing before it is asked for, an answer at once, refusals as they are. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pageOpener, useBuiltSite } from './built-site.ts';
import { keepWorker, passToEnd } from './cluster-of-page.ts';
import { useBrowser } from './suite.ts';

/** From the press of the button to the answer in the page, milliseconds. */
const ANSWER_MS_MAX = 50;

describe('“Run it”', () => {
  const browser = useBrowser();
  const site = useBuiltSite();
  const open = pageOpener(browser, site);

  /** How long a press takes until another answer stands there. */
  const answerMs = (page: Page, method: string): Promise<number> =>
    page.evaluate<number>(`(async () => {
      const run = document.querySelector('[data-run-method="${method}"]');
      const beganMs = performance.now();
      const answered = new Promise((resolve) => {
        const answer = run.querySelector('[data-answer]');
        new MutationObserver(resolve).observe(answer, { subtree: true, childList: true, characterData: true });
      });
      run.querySelector('form').requestSubmit();
      await answered;
      return performance.now() - beganMs;
    })()`);

  it('loads nothing before it is asked for, answers at once, and refuses as the server does', async () => {
    const page = await open('conductor/rpc');
    expect(site.takeRequests().filter((path) => /RunMethod|worker|react/.test(path))).toEqual([]);
    const island = page.locator('site-island[data-name="RunMethod"]').nth(1);
    await island.locator('[data-start]').click();
    const run = page.locator('[data-run-method="conductor_pause"]');
    await run.getByRole('option', { name: 's0, leader' }).waitFor({ state: 'attached' });
    const took: number[] = [];
    for (const expected of ['"result": null', '-32601', '"result": null', '-32601']) {
      await run.getByRole('checkbox').setChecked(expected !== '-32601');
      took.push(await answerMs(page, 'conductor_pause'));
      expect(await run.locator('[data-answer]').innerText()).toContain(expected);
    }
    await run.getByRole('button', { name: 'cast' }).click();
    expect(await run.locator('[data-call]').innerText()).toBe(
      'cast rpc conductor_pause --rpc-url http://127.0.0.1:8547',
    );
    // The best of them: others use this machine, too.
    expect(Math.min(...took), took.join(', ')).toBeLessThan(ANSWER_MS_MAX);
    await page.locator('site-island[data-fragment="conductor_transferLeader"] [data-start]').click();
    const transfer = page.locator('[data-run-method="conductor_transferLeader"]');
    await transfer.getByRole('option', { name: /leader/ }).waitFor({ state: 'attached' });
    await answerMs(page, 'conductor_transferLeader');
    await expect.poll(() => transfer.locator('[data-since]').innerText()).toContain('leads in term');
  });

  it('is opened by the table of methods, also where op-node answers', async () => {
    const page = await open('builders/chain-operators/tools/op-conductor');
    await page.locator('a[href="/conductor/rpc#optimism_syncStatus=run"]').click();
    const run = page.locator('[data-run-method="optimism_syncStatus"]');
    await run.getByRole('option', { name: /leader/ }).waitFor({ state: 'attached' });
    await expect
      .poll(() =>
        page.evaluate(
          `document.querySelector('[data-run-method="optimism_syncStatus"]').getBoundingClientRect().top < innerHeight`,
        ),
      )
      .toBe(true);
    await answerMs(page, 'optimism_syncStatus');
    expect(await run.locator('[data-answer]').innerText()).toContain('"unsafe_l2"');
  });

  it('answers after the end of the run, too, from a new cluster', async () => {
    const page = await open('conductor/rpc');
    await keepWorker(page);
    await page.locator('site-island[data-fragment="conductor_transferLeader"] [data-start]').click();
    const run = page.locator('[data-run-method="conductor_transferLeader"]');
    await run.getByRole('option', { name: 's0, leader' }).waitFor({ state: 'attached' });
    await passToEnd(page);
    const end = run.getByText('“Run” begins with a new cluster.');
    await end.waitFor();
    await answerMs(page, 'conductor_transferLeader');
    expect(await run.locator('[data-answer]').innerText()).toContain('"result": null');
    await end.waitFor({ state: 'detached' });
    await expect.poll(() => run.locator('[data-since]').innerText()).toContain('leads in term');
  });
});
