/**
 * The console's page in Chromium beside real conductors that are frozen, cut off, given an invalid block, and told to
 * hand over by its button: each is a waterfall whose phases sum to the gap that others measured.
 */
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startConsole } from '#conductor/console/console';
import { loopbackConsole } from '#conductor/console/testing/loopback-console';
import type { Failover } from '#conductor/console/protocol';
import { bareServer, type ClusterConfig } from '#conductor/operate/cluster-config';
import { useBrowser, type BrowserSuite } from '../browser/suite.ts';
import type { Implementation } from '../cluster/node-process.ts';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';
import { followCommits } from './console-commits.ts';
import { DevnetProcess, freeOffset } from './devnet-process.ts';

/** How far the waterfall may be from what was measured, milliseconds. */
const OFF_MS_MAX = 50;
/** And where only a follower tells: of a commit it learns with the leader's next word; or nobody, but between bounds. */
const FOLLOWED_OFF_MS_MAX = 300;
const WAIT_MS_MAX = 60_000;

/** Opens the page of a console of its own; what it complains of fails the test. */
async function openPage(browser: BrowserSuite, config: ClusterConfig): Promise<Page> {
  const running = await startConsole(loopbackConsole([config]));
  onTestFinished(() => running.stop({ isHurried: true }));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(running.link());
  await page.getByRole('link', { name: config.name }).waitFor();
  return page;
}

/** The newest complete failover since a moment, with the phases as the page shows them. */
async function failoverOnPage(page: Page, name: string, sinceMs: number): Promise<{ failover: Failover; sum: number }> {
  const newest = (): Promise<Failover | undefined> =>
    page.evaluate(
      async (path) => ((await (await fetch(path)).json()) as Failover[])[0],
      `api/clusters/${name}/failovers`,
    );
  const failover = await waitFor('a complete failover', WAIT_MS_MAX, async () => {
    const found = await newest();
    return found !== undefined && found.atMs > sinceMs && found.gapMs !== null ? found : null;
  });
  await page.goto(`${page.url().split('#')[0]}#/failovers/${name}/${failover.id}`);
  await page.getByRole('heading', { name: `${failover.from} to ${failover.to}` }).waitFor();
  await page.getByText(`from block ${failover.lastBlock} to block ${failover.firstBlock}`).waitFor();
  const phases = await page
    .locator('[data-ms]')
    .evaluateAll((cells) => cells.map((cell) => Number(cell.dataset['ms'])));
  return { failover, sum: phases.reduce((total, ms) => total + ms, 0) };
}

function configOf(cluster: ServiceCluster): ClusterConfig {
  const servers = cluster.nodes.map(({ id, addresses, advertised }) => ({
    ...bareServer(id, `http://${addresses.rpc}`),
    consensus: advertised,
    node: `http://${addresses.node}`,
    execution: `http://${addresses.execution}`,
  }));
  return { name: 'live', path: null, servers };
}

describe('the console beside real conductors', { timeout: 300_000 }, () => {
  const browser = useBrowser();

  test('handed over by its button, frozen, and cut off: the phases sum to the gap between the published blocks', async () => {
    const cluster = new ServiceCluster({
      implementations: ['bun', 'bun', 'bun'],
      settings: { healthIntervalSeconds: 1, unsafeIntervalSeconds: 5 },
      hasLinks: true,
    });
    onTestFinished(() => cluster[Symbol.asyncDispose]());
    await cluster.form();
    const page = await openPage(browser, configOf(cluster));
    const commits = followCommits(cluster.nodes.map(({ addresses }) => `http://${addresses.rpc}`));
    const scenes: readonly (readonly [
      name: string,
      kind: Failover['kind'],
      act: (leader: ServiceNode) => Promise<void>,
    ])[] = [
      ['by button', 'handed', () => handOverByButton(page)],
      ['frozen', 'lost', (leader) => Promise.resolve(leader.conductor.freeze())],
      [
        'cut off',
        'lost',
        (leader) => Promise.resolve(cluster.others(leader).forEach((other) => cluster.cut(leader, other))),
      ],
    ];
    for (const [name, kind, act] of scenes) {
      const leader = await cluster.steady();
      await cluster.progress(3, WAIT_MS_MAX);
      const sinceMs = Date.now();
      await act(leader);
      const { failover, sum } = await failoverOnPage(page, 'live', sinceMs);
      const published = (number: number | null): number =>
        Math.min(...cluster.published().flatMap((one) => (one.number === number ? one.atMs : [])));
      const measuredMs = published(failover.firstBlock) - published(failover.lastBlock);
      const committedMs = commits.get(failover.firstBlock!)! - commits.get(failover.lastBlock!)!;
      // Sequencers publish after the commit, and a busy machine lets one block wait longer than another.
      const others = [...commits].filter(([number]) => number !== failover.firstBlock && number !== failover.lastBlock);
      const lags = others.map(([number, atMs]) => published(number) - atMs).filter(Number.isFinite);
      const lagMs = Math.max(...lags) - Math.min(...lags);
      console.log(
        `${name}: ${sum} ms in phases, ${committedMs} between the commits, ${measuredMs} between the published blocks, which lag by up to ${lagMs}`,
      );
      expect([failover.kind, failover.from], name).toEqual([kind, leader.id]);
      expect(sum).toBe(failover.gapMs);
      expect(Math.abs(sum - committedMs), `${name}: ${sum} beside ${committedMs}`).toBeLessThanOrEqual(OFF_MS_MAX);
      expect(Math.abs(sum - measuredMs), `${name}: ${sum} beside ${measuredMs}`).toBeLessThanOrEqual(
        OFF_MS_MAX + lagMs,
      );
      cluster.heal();
      await cluster.revive();
    }
  });

  test.for<readonly [string, readonly Implementation[], leader: number]>([
    ['three op-conductors', ['go', 'go', 'go'], 0],
    ['one of ours that leads and two op-conductors', ['bun', 'go', 'go'], 0],
    ['one of ours that follows and two op-conductors', ['bun', 'go', 'go'], 1],
  ])(
    'beside %s: the same views, with what asking can know, and it says what it cannot',
    async ([, implementations, at], context) => {
      if (!existsSync(process.env['OP_CONDUCTOR_BIN'] ?? '')) context.skip('OP_CONDUCTOR_BIN names no op-conductor');
      const cluster = new ServiceCluster({
        implementations,
        settings: { healthIntervalSeconds: 1, unsafeIntervalSeconds: 5 },
      });
      onTestFinished(() => cluster[Symbol.asyncDispose]());
      await cluster.form();
      await cluster.lead(cluster.nodes[at]!);
      const page = await openPage(browser, configOf(cluster));
      await page.getByRole('link', { name: 'live' }).click();
      const leader = await cluster.steady();
      await page.getByRole('row', { name: leader.id }).getByText('leader, sequences').waitFor();
      for (const { id, implementation } of cluster.nodes) {
        const known = implementation === 'go' ? 'asked now and then' : 'its events';
        await page.getByRole('row', { name: id }).getByText(known).waitFor();
      }
      await page.getByText(/no events here and (is|are) asked/).waitFor();
      const sinceMs = Date.now();
      await leader.conductor.kill();
      await leader.sequencer.kill();
      const { failover, sum } = await failoverOnPage(page, 'live', sinceMs);
      const isTold = cluster.nodes.find(({ id }) => id === failover.to)?.implementation === 'bun';
      const isFollowed = cluster.others(leader).some(({ implementation }) => implementation === 'bun');
      const source = isTold ? 'told' : isFollowed ? 'followed' : 'asked';
      expect([failover.from, failover.kind, failover.source]).toEqual([leader.id, 'lost', source]);
      if (source === 'asked') await page.getByText('the times are no finer than').waitFor();
      if (source === 'followed') await page.getByText('tells nothing of what it does').waitFor();
      const published = (number: number | null): number =>
        Math.min(...cluster.published().flatMap((one) => (one.number === number ? one.atMs : [])));
      const measuredMs = published(failover.firstBlock) - published(failover.lastBlock);
      const [leastMs, mostMs] = failover.gapRangeMs ?? [sum, sum];
      console.log(
        `${source}: ${sum} ms in phases, between ${leastMs} and ${mostMs}; ${measuredMs} ms between the published blocks`,
      );
      expect(measuredMs).toBeGreaterThanOrEqual(leastMs - FOLLOWED_OFF_MS_MAX);
      expect(measuredMs).toBeLessThanOrEqual(mostMs + FOLLOWED_OFF_MS_MAX);
    },
  );

  test('an invalid block costs the lead, and is seen as what it is', async () => {
    const devnet = new DevnetProcess([], freeOffset());
    onTestFinished(async () => {
      devnet.kill('SIGTERM');
      await devnet.ended();
    });
    await devnet.ready();
    const servers = devnet.nodes.map(({ id, ports }) => ({
      ...bareServer(id, `http://127.0.0.1:${ports.conductorRpc}`),
      consensus: `127.0.0.1:${ports.raft}`,
      node: `http://127.0.0.1:${ports.sequencerNode}`,
      execution: `http://127.0.0.1:${ports.sequencerExecution}`,
    }));
    const page = await openPage(browser, { name: 'devnet', path: null, servers });
    const commits = followCommits(servers.map(({ conductor }) => conductor));
    const leader = await devnet.leader();
    const { number } = await devnet.head(leader);
    await devnet.reaches(leader, number + 3, WAIT_MS_MAX);
    const sinceMs = Date.now();
    // Two in a row are a sequencer that cannot (rule 29).
    await devnet.sequencer(leader, 'dev_sealInvalid', [3]);
    const { failover, sum } = await failoverOnPage(page, 'devnet', sinceMs);
    const measuredMs = commits.get(failover.firstBlock!)! - commits.get(failover.lastBlock!)!;
    console.log(`invalid block: ${sum} ms in phases, ${measuredMs} ms between the commits`);
    expect([failover.kind, failover.from]).toEqual(['handed', devnet.nodes[leader]!.id]);
    expect(Math.abs(sum - measuredMs), `${sum} beside ${measuredMs}`).toBeLessThanOrEqual(OFF_MS_MAX);
  });
});

/** As an operator would: the cluster's page, the button, the plan, the button again. */
async function handOverByButton(page: Page): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#/cluster/live`);
  await page.getByRole('button', { name: 'Hand leadership over' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('blocks stop meanwhile').waitFor();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await dialog.getByText('Done.').waitFor();
  await page.keyboard.press('Escape');
}
