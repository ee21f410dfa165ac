/**
 * The live cluster and the drawing of a conductor's states as a reader uses them, in the built site under its own
 * policies: nothing is loaded unasked, another server leads when the leader is killed, an address brings anybody to
 * the very same moment.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { useBuiltSite } from './built-site.ts';
import { useBrowser } from './suite.ts';

const CONDUCTOR = 'builders/chain-operators/tools/op-conductor';
const CLUSTER_FILES = /\/assets\/(LiveCluster|cluster-worker)-/;
const RUN = '#run=v1~seed-7';
/** A machine may be busy with other things. */
const WAIT_MS_MAX = 60_000;

/** Whether everything of the cluster that does not scroll on its own is inside the window. */
const EXTENT = `(() => {
  const boxes = [...document.querySelectorAll('site-island *')]
    .filter((element) => element.closest('[role=region]') === null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  return { left: boxes.every(({ left }) => left >= 0), right: boxes.every(({ right }) => right <= innerWidth) };
})()`;
/** A server of which everything is wrong that can be at once, and one that is down. */
const TROUBLED = `${RUN}~freeze-2s-0-0-cuyo~isolate-2s-0-0-cuyo~pause-2s-0-0-cuyo~nodeDown-2s-0-0-cuyo~crash-2s-2-0-cuyo&after=2600`;

interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

/** The hash of the same moment as the command line has it. */
function hashInTerminal(fragment: string): string | undefined {
  const values = new URLSearchParams(fragment.slice(1));
  const args = ['replay', values.get('run')!, '--after', values.get('after') ?? '0'];
  const simulator = join(import.meta.dirname, '..', '..', 'simulator', 'main.ts');
  const { stdout } = Bun.spawnSync([process.execPath, simulator, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return /^trace ([0-9a-f]{16})$/m.exec(stdout.toString())?.[1];
}

describe('on the Conductor page', () => {
  const browser = useBrowser();
  const site = useBuiltSite();

  async function open(fragment = '', options: BrowserContextOptions = {}): Promise<Opened> {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => request.url().startsWith(site.url) || complaints.push(request.url()));
    await page.goto(`${site.url}${CONDUCTOR}${fragment}`);
    return { page, complaints };
  }

  /** The hash of the moment, once time stands still. */
  const hashOf = (page: Page): Promise<string> => page.locator('[data-hash]').innerText();

  /** Rows of the table of servers: name, role, term, and so on. */
  async function servers(page: Page): Promise<string[][]> {
    const details = page.locator('details', { hasText: 'The cluster as a table' });
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
    const rows = await page.getByRole('region', { name: 'The cluster as a table' }).locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  }

  /** Presses a button that lets time pass, and waits until it has. */
  async function step(page: Page, name: string): Promise<void> {
    const time = page.getByLabel('Virtual time');
    const before = await time.innerText();
    await page.getByRole('button', { name }).click();
    await expect.poll(() => time.innerText(), { timeout: WAIT_MS_MAX }).not.toBe(before);
  }

  const leaderOf = async (page: Page): Promise<string | undefined> =>
    (await servers(page)).find(([, role]) => role === 'leader')?.[0];

  describe('the live cluster', () => {
    test('loads nothing before it is asked for, then only files of the site', async () => {
      site.takeRequests();
      const { page, complaints } = await open();
      const start = page.getByRole('button', { name: 'Start the cluster' });
      await start.scrollIntoViewIfNeeded();
      await start.hover();
      await page.waitForLoadState('networkidle');
      expect(site.takeRequests().filter((path) => CLUSTER_FILES.test(path))).toEqual([]);
      await start.click();
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
      await page.getByText('laws hold').waitFor();
      expect(site.takeRequests().some((path) => CLUSTER_FILES.test(path))).toBe(true);
      expect(complaints).toEqual([]);
    });

    test('another server leads when the leader is killed, the chain goes on, and its address shows the same', async () => {
      const { page, complaints } = await open(RUN);
      await page.locator('[data-hash]').waitFor();
      const first = await leaderOf(page);
      const headBefore = Number((await servers(page))[0]![4]);
      await page.getByRole('button', { name: 'Kill the leader' }).click();
      await page.getByLabel('Speed').selectOption('4');
      await page.getByRole('button', { name: 'Play' }).click();
      await expect.poll(() => leaderOf(page), { timeout: WAIT_MS_MAX }).not.toBeOneOf([first, undefined]);
      const second = await leaderOf(page);
      const heads = async (): Promise<number> => Math.max(...(await servers(page)).map((row) => Number(row[4])));
      await expect.poll(heads, { timeout: WAIT_MS_MAX }).toBeGreaterThan(headBefore + 5);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('button', { name: 'Restart', exact: true }).click();
      await step(page, 'Next event');
      await step(page, '+100 ms');
      const hash = await hashOf(page);
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
      expect(await page.locator('[data-announced]').innerText()).not.toBe('');
      const rows = await servers(page);

      const fragment = await page.evaluate<string>('location.hash');
      expect(fragment).toMatch(/^#run=v1~seed-7~crash-[0-9a-z-]+&after=\d+&trace=[0-9a-f]{16}$/);
      const again = await open(fragment);
      await again.page.locator('[data-hash]').waitFor({ timeout: WAIT_MS_MAX });
      expect(await hashOf(again.page)).toBe(hash);
      expect(await servers(again.page)).toEqual(rows);
      expect(await leaderOf(again.page)).toBe(second);
      expect([...complaints, ...again.complaints]).toEqual([]);
      expect(hashInTerminal(fragment)).toBe(hash);
    });

    test('what is done is a pressed state that is taken back, by keyboard alone', async () => {
      const { page } = await open(RUN);
      await page.locator('[data-hash]').waitFor();
      await page.getByRole('radio', { name: 's1' }).focus();
      await page.keyboard.press('2');
      await page.keyboard.press('f');
      await expect.poll(async () => (await servers(page))[1]!.at(-1), { timeout: WAIT_MS_MAX }).toBe('frozen');
      await page.keyboard.press('.');
      await page.keyboard.press('f');
      await page.keyboard.press('n');
      await expect.poll(async () => (await servers(page))[1]!.at(-1), { timeout: WAIT_MS_MAX }).toBe('nothing');
      await page.keyboard.press('p');
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    });

    test('says why when an address names no run, and begins anew', async () => {
      const { page, complaints } = await open('#run=v9~nonsense');
      await page.getByText('names no run that can be replayed').waitFor();
      await page.getByRole('button', { name: 'Start a new cluster' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
      expect(complaints).toEqual([]);
    });

    test('copies the address of the moment, and stops there', async () => {
      const { page } = await open(RUN, { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('button', { name: 'Play' }).click();
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.locator('[data-hash]').waitFor();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe(await page.evaluate<string>('location.href'));
      expect(copied).toMatch(/#run=v1~seed-7&after=\d+&trace=[0-9a-f]{16}$/);
    });

    test('says so when the simulator does not come, and tries again', async () => {
      const { page } = await open(RUN);
      await page.locator('[data-hash]').waitFor();
      site.refuse(/cluster-worker/);
      await page.reload();
      await page.getByText('The simulator could not be loaded').waitFor();
      site.refuse(null);
      await page.getByRole('button', { name: 'Start a new cluster' }).click();
      await page.locator('[data-hash]').waitFor();
    });

    test.each(['light', 'dark'] as const)('fits a phone and is accessible: %s', async (colorScheme) => {
      const { page } = await open(TROUBLED, {
        colorScheme,
        viewport: { width: 390, height: 844 },
      });
      await page.locator('[data-hash]').waitFor();
      expect(await page.evaluate(EXTENT)).toEqual({ left: true, right: true });
      expect(await axeViolations(page, 'site-island')).toEqual([]);
      expect(await axeViolations(page, '[data-figure="op-conductor-states"]')).toEqual([]);
      expect(await axeViolations(page, '[data-figure="op-conductor-design"]')).toEqual([]);
    });
  });

  describe('the states of a conductor', () => {
    const exits = (page: Page): Promise<string> => page.locator('[data-exits]').innerText();

    test('shows the exits of a state that is clicked, and hides them again', async () => {
      const { page } = await open();
      const state = page.locator('a[data-state="D"]');
      await page.locator('[data-exits]').waitFor();
      await state.click();
      expect(await exits(page)).toMatch(/^D: leader, not healthy, sequencing\..*gives up leadership \(C\)/);
      expect(await page.locator('[data-is="exit"]').count()).toBe(5);
      expect(await page.locator('[data-is="faint"]').count()).toBe(18);
      await state.click();
      expect(await page.locator('[data-is]').count()).toBe(0);
    });

    test('by keyboard: arrows move, Escape hides, T opens the table', async () => {
      const { page } = await open();
      await page.locator('[data-exits]').waitFor();
      await page.locator('a[data-state="A"]').focus();
      const way: string[] = [];
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp']) {
        await page.keyboard.press(key);
        way.push((await exits(page)).slice(0, 1));
      }
      expect(way.join('')).toBe('BDCAE');
      await page.keyboard.press('Escape');
      expect(await page.locator('[data-is]').count()).toBe(0);
      await page.keyboard.press('t');
      await page.getByText('is elected leader (F)').waitFor();
    });

    test('without JavaScript each state is a link to its row in the table', async () => {
      const { page } = await open('', { javaScriptEnabled: false });
      await page.locator('a[data-state="G"]').click();
      expect(page.url()).toContain('#conductor-state-g');
      await page.locator('#conductor-state-g').waitFor({ state: 'visible' });
    });
  });
});
