/**
 * What a console of 200 chains with three servers each uses, while all of them publish and a page is open, and that the
 * page stays smooth.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ClusterNow } from '#conductor/console/protocol';
import { processorMs } from '../../bench/processor-time.ts';
import { useBrowser } from '../browser/suite.ts';
import { traced } from '../browser/traced.ts';
import { waitFor } from '../cluster/wait.ts';
import { ConsoleProcess } from './console-process.ts';

const CHAINS = 200;
/** As most chains of the OP Stack. */
const BLOCK_MS = 2000;
const SETTLE_MS_MAX = 120_000;
const MEASURED_MS = 60_000;
const BYTES_MAX = 300 * 1024 * 1024;
const PART_MAX = 0.15;
const SCROLLS = 60;
const TASK_MS_MAX = 50;
/** Room for all streams; 256 is the runtime's own bound. */
const roomForStreams = { BUN_CONFIG_MAX_HTTP_REQUESTS: '1024' };

const script = join(import.meta.dirname, '../../conductor/console/testing/stand-in-fleet.ts');

/** Starts the chains in a process of their own; URLs by chain. */
async function startChains(): Promise<readonly (readonly string[])[]> {
  const child = Bun.spawn([process.execPath, script, String(CHAINS), String(BLOCK_MS)], { stdout: 'pipe' });
  onTestFinished(() => child.kill());
  let text = '';
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n')) break;
  }
  return JSON.parse(text) as string[][];
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const browser = useBrowser();

test(
  '200 chains of three: at most 300 MB and 15 % of a core, and a page without long tasks',
  { timeout: 400_000 },
  async () => {
    const chains = await startChains();
    const running = new ConsoleProcess(
      chains.flatMap((urls) => ['--rpc', urls.map((url, at) => `node-${at + 1}=${url}`).join(',')]),
      roomForStreams,
    );
    onTestFinished(() => running.end());
    const link = await running.ready();
    const entered = await fetch(link, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const ask = async (path: string): Promise<Response> => fetch(new URL(path, link), { headers: { cookie } });
    await waitFor('all to be followed', SETTLE_MS_MAX, async () => {
      const clusters = (await (await ask('/api/clusters')).json()) as ClusterNow[];
      const isKnown = ({ servers, head }: ClusterNow): boolean =>
        head !== null && servers.every(({ source, state }) => source === 'stream' && state.answers);
      return clusters.length === CHAINS && clusters.every(isKnown) ? true : null;
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(await running.link());
    await page.getByText(`${CHAINS} clusters`).waitFor();
    const [before, beganMs] = [processorMs(running.pid), performance.now()];
    await Bun.sleep(MEASURED_MS);
    const part = (processorMs(running.pid) - before) / (performance.now() - beganMs);
    const bytes = residentBytes(running.pid);
    const clusters = (await (await ask('/api/clusters')).json()) as ClusterNow[];
    console.log(`${CHAINS} chains of three: ${(part * 100).toFixed(1)} % of a core, ${Math.round(bytes / 2 ** 20)} MB`);
    // It has kept up: nobody's head is older than two blocks and the look of a busy machine.
    const late = clusters.filter(({ head }) => Date.now() - (head?.atMs ?? 0) > 3 * BLOCK_MS);
    expect(late.map(({ name }) => name)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
    expect(part).toBeLessThanOrEqual(PART_MAX);
    const last = clusters.at(-1)!.name;
    const { frames, longestMs, scriptMs } = await traced(page, async () => {
      await page.mouse.move(700, 500);
      for (let step = 0; step < SCROLLS; step += 1) await page.mouse.wheel(0, step < SCROLLS / 2 ? 300 : -300);
      await page.getByRole('searchbox').fill(last);
      await page.getByRole('link', { name: last, exact: true }).waitFor();
    });
    console.log(`${frames} frames: longest task ${longestMs.toFixed(1)} ms, script ${scriptMs.toFixed(2)} ms a frame`);
    expect(longestMs).toBeLessThanOrEqual(TASK_MS_MAX);
  },
);
