/**
 * The console's page in Chromium, with stand-ins that publish what conductors publish: every view for axe, a failover as
 * it happens, and what is kept over a restart. With real conductors: tests/process/console.full.test.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startConsole, type RunningConsole } from '#conductor/console/console';
import { loopbackConsole } from '#conductor/console/testing/loopback-console';
import { loadConsolePack } from '#conductor/console/page-files';
import { StandInCluster } from '#conductor/console/testing/stand-in-cluster';
import { axeViolations } from './axe.ts';
import { prefixProxy } from './prefix-proxy.ts';
import { useBrowser } from './suite.ts';

const SCRIPT_BYTES_MAX = 90 * 1024;
/** How far the waterfall may be from what the test measured, milliseconds. */
const OFF_MS_MAX = 50;

interface Opened {
  readonly console: RunningConsole;
  readonly page: Page;
  /** What the page complained of: errors, refused requests, a policy broken. */
  readonly complaints: readonly string[];
}

describe('the console', () => {
  const browser = useBrowser();

  function historyFile(): string {
    const folder = mkdtempSync(join(tmpdir(), 'console-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'history.sqlite');
  }

  async function start(clusters: readonly StandInCluster[], history: string): Promise<RunningConsole> {
    const configs = clusters.map(({ config }) => config);
    const started = await startConsole(loopbackConsole(configs, { history }));
    onTestFinished(() => started.stop());
    return started;
  }

  async function open(clusters: readonly StandInCluster[], history = ':memory:'): Promise<Opened> {
    const running = await start(clusters, history);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`http://127.0.0.1:${running.port}/`) && !/^(data|blob):/.test(request.url()))
        complaints.push(`asks ${request.url()}`);
    });
    await page.goto(running.link());
    return { console: running, page, complaints };
  }

  function cluster(options: ConstructorParameters<typeof StandInCluster>[0] = {}): StandInCluster {
    const made = new StandInCluster(options);
    onTestFinished(() => made[Symbol.asyncDispose]());
    made.elect(0);
    for (let block = 0; block < 3; block += 1) made.commit();
    return made;
  }

  test('a failover is shown while it happens, with phases that sum to the measured gap, and is there after a restart', async () => {
    const one = cluster();
    const history = historyFile();
    const { page, console: running, complaints } = await open([one], history);
    await page.getByRole('link', { name: one.name }).click();
    await page
      .getByRole('row', { name: /node-1/ })
      .getByText('leader, sequences')
      .waitFor();
    await page.getByRole('img', { name: /^Lateness of blocks: .* on average, .* at most/ }).waitFor();
    one.commit();
    const lastMs = Date.now();
    one.servers[0]!.fallSilent();
    await page.getByText('does not answer').first().waitFor();
    one.elect(1);
    one.commit();
    const measuredMs = Date.now() - lastMs;
    await page
      .getByRole('row', { name: /node-2/ })
      .getByText('leader, sequences')
      .waitFor();
    await page.getByRole('link', { name: 'Failovers', exact: true }).click();
    await page.getByRole('heading', { name: 'node-1 to node-2' }).waitFor();
    await page.getByText(/from block \d+ to block/).waitFor();
    const phases = await page
      .locator('[data-ms]')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.dataset['ms'])));
    expect(phases).toHaveLength(6);
    const sum = phases.reduce((total, ms) => total + ms, 0);
    expect(Math.abs(sum - measuredMs), `${phases.join(' + ')} beside ${measuredMs}`).toBeLessThanOrEqual(OFF_MS_MAX);
    await expect(axeViolations(page)).resolves.toEqual([]);
    expect(complaints).toEqual([]);

    await running.stop();
    const again = await start([one], history);
    await page.goto(again.link());
    await page.goto(`http://127.0.0.1:${again.port}/#/failovers/${one.name}`);
    await page.getByRole('heading', { name: 'node-1 to node-2' }).waitFor();
  });

  test('every view passes axe, light and dark, and the keyboard reaches what the pointer does', async () => {
    const ill = cluster({ name: 'ill' });
    const theirs = cluster({ name: 'theirs', hasEvents: false });
    const gone = cluster({ name: 'gone' });
    for (const server of gone.servers) server.fallSilent();
    const { page, complaints } = await open([ill, theirs, gone]);
    await page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'node-3' }).first().waitFor();
    ill.servers[2]!.isHealthy = false;
    ill.servers[2]!.publish({ kind: 'health', healthy: false, cause: 'syncStatus', detail: 'refused' });
    ill.servers[2]!.publish({ kind: 'alarm', alarm: 'node-off' });
    await page.getByText('node-3: its node does not take the committed blocks').waitFor();
    await page.keyboard.press('Tab');
    for (const view of ['Fleet', 'Cluster', 'Failovers', 'Alarms']) {
      const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.locator(`[aria-current="page"]:has-text("${view}")`).waitFor();
      await page.locator('main h1').first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page), `${view}, ${colorScheme}`).toEqual([]);
      }
    }
    await page.getByText('What to do: ConductorNodeOff').click();
    await page.getByRole('listitem').filter({ hasText: 'op-node' }).first().waitFor();
    await page.getByRole('button', { name: 'Silence' }).first().click();
    await page.getByLabel('Reason').fill('known');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Silenced' }).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/cluster/theirs`);
    await page.getByText('asked now and then').first().waitFor();
    await page.getByText('publish no events here and are asked').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/cluster/gone`);
    await page.getByText('None of its 3 conductors has answered').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('leadership is handed over by button: the plan first, then its steps, then who did it', async () => {
    const one = cluster();
    const { page, complaints } = await open([one]);
    await page.getByRole('link', { name: one.name }).click();
    await page
      .getByRole('row', { name: /node-2/ })
      .getByText('follower')
      .waitFor();
    await page.getByRole('button', { name: 'Hand leadership over' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('blocks stop meanwhile').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.getByText('Done.').waitFor();
    expect(one.leader?.id).toBe('node-2');
    await page.keyboard.press('Escape');
    await page
      .getByRole('status')
      .filter({ hasText: /hand leadership to node-2, by .* done/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('behind a proxy with a path before it: the page, its parts, its stream and a change', async () => {
    const one = cluster();
    const proxy = prefixProxy('/ops/console/');
    const running = await startConsole(loopbackConsole([one.config], { publicUrl: proxy.url }));
    onTestFinished(() => running.stop({ isHurried: true }));
    proxy.targetPort = running.port;
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(running.link());
    await page.getByRole('link', { name: one.name }).click();
    await page.getByRole('button', { name: 'Hand leadership over' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.getByText('Done.').waitFor();
    expect(refused).toEqual([]);
  });

  test('an override is planned, agreed to by the name of the cluster and begun with the keyboard alone', async () => {
    const one = cluster();
    for (const at of [0, 1]) one.servers[at]!.fallSilent();
    one.leader = null;
    const { page, complaints } = await open([one]);
    await page.goto(`${page.url().split('#')[0]}#/cluster/${one.name}`);
    await page.getByRole('button', { name: 'Override…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('--idle node-1,node-2').waitFor();
    for (const id of ['node-1', 'node-2']) {
      await dialog.getByRole('checkbox', { name: id }).focus();
      await page.keyboard.press('Space');
    }
    const name = dialog.getByLabel(/Write the name of the cluster/);
    await name.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const button = dialog.getByRole('button', { name: 'Override' });
    expect(await button.isDisabled()).toBe(true);
    await name.focus();
    await page.keyboard.type(one.name);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('Done.').waitFor();
    await dialog.getByText('Afterwards, by hand').waitFor();
    expect(one.servers[2]!.told).toEqual(['conductor_overrideLeader true']);
    expect(complaints).toEqual([]);
  });

  test('whoever has no link is shown the door', async () => {
    const running = await start([cluster()], ':memory:');
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${running.port}/`);
    await page.getByLabel('Or with your token').waitFor();
    await expect(axeViolations(page)).resolves.toEqual([]);
  });

  test('the first load is below 90 kB of script', async () => {
    const { files } = await loadConsolePack();
    const html = Buffer.from(Bun.gunzipSync(files.get('index.html')!.gzip)).toString();
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.reduce((sum, path) => sum + files.get(path)!.gzip.length, 0)).toBeLessThan(SCRIPT_BYTES_MAX);
  });
});
