/** What a console of 200 chains with three servers each uses, while all of them publish and a page reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ClusterNow } from '#conductor/console/protocol';
import { processorMs } from '../../bench/processor-time.ts';
import { waitFor } from '../cluster/wait.ts';
import { ConsoleProcess } from './console-process.ts';

const CHAINS = 200;
/** As most chains of the OP Stack. */
const BLOCK_MS = 2000;
const SETTLE_MS_MAX = 120_000;
const MEASURED_MS = 60_000;
const BYTES_MAX = 300 * 1024 * 1024;
const PART_MAX = 0.15;
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

test('200 chains of three: at most 300 MB and 15 % of a core', { timeout: 400_000 }, async () => {
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
  // A page that is open reads the stream to its end, so that what it takes to write it is measured, too.
  const stream = await ask('/api/stream');
  const reading = (async () => {
    let bytes = 0;
    for await (const chunk of stream.body!) bytes += chunk.length;
    return bytes;
  })().catch(() => 0);
  void reading;
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
});
