/**
 * `bun bench/main.ts site`: seconds of a whole build of the docs from nothing, and milliseconds from the
 * write of an MDX file to the moment a browser shows the new words, with all pages of the site loaded.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../tests/browser/chromium.ts';
import { waitFor } from '../tests/cluster/wait.ts';
import { amountAt, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';
import { median } from './statistics.ts';

const BUILDS = { full: 3, quick: 1 };
const EDITS = { full: 15, quick: 3 };
const READY_MS_MAX = 120_000;
const VISIBLE_MS_MAX = 30_000;
/** Pages that are edited: the longest one and a short one. */
const EDITED = ['builders/chain-operators/tools/op-conductor', 'stack/design-principles'];

const root = join(import.meta.dirname, '..');

export async function benchSite(options: BenchRun): Promise<void> {
  const work = mkdtempSync(join(runDirectory(), 'site-'));
  try {
    const builds = Array.from({ length: amountAt(options, BUILDS) }, () => buildOnce(join(work, 'out')));
    const seconds = builds.map((build) => build.wallSeconds);
    console.log(
      `${median(seconds).toFixed(1)} s for a whole build, median of ${builds.length} (${seconds.map((s) => s.toFixed(1)).join(', ')})`,
    );
    const edits = await measureEdits(join(work, 'pages'), amountAt(options, EDITS));
    for (const [page, milliseconds] of Object.entries(edits)) {
      console.log(
        `${Math.round(median(milliseconds))} ms from edit to sight, median of ${milliseconds.length}, ${page}`,
      );
    }
    const method = { builds: builds.length, edited: EDITED };
    writeResults(options, { name: 'site', method, results: { builds, edits } });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A process of its own, started as `npm run docs:build` does, and nothing left of the build before. */
function buildOnce(out: string): { wallSeconds: number; processorSeconds: number } {
  rmSync(out, { recursive: true, force: true });
  const began = performance.now();
  const run = Bun.spawnSync([process.execPath, join(root, 'site/engine/main.ts'), '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BUN_JSC_useFTLJIT: '0' },
  });
  if (run.exitCode !== 0) throw new Error('the site cannot be built');
  const processorMicroseconds = Number(run.resourceUsage.cpuTime.total);
  return { wallSeconds: (performance.now() - began) / 1000, processorSeconds: processorMicroseconds / 1e6 };
}

async function measureEdits(pages: string, count: number): Promise<Record<string, number[]>> {
  cpSync(join(root, 'content/pages'), pages, { recursive: true });
  const browser = await openBrowser();
  if (typeof browser === 'string') throw new Error(browser);
  const server = Bun.spawn(
    [process.execPath, join(root, 'site/engine/authoring/main.ts'), '--port', '0', '--pages', pages],
    { env: process.env, stdout: 'pipe', stderr: 'inherit' },
  );
  try {
    const url = await addressOf(server.stdout);
    const results: Record<string, number[]> = {};
    for (const page of EDITED)
      results[page] = await editPage({ browser, url, file: join(pages, `${page}.mdx`), route: page, count });
    return results;
  } finally {
    server.kill();
    await server.exited;
    await browser.close();
  }
}

async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of output) text += decoder.decode(chunk);
  })();
  return waitFor('the authoring server', READY_MS_MAX, () => /http:\/\/\S+/.exec(text)?.[0] ?? null);
}

interface Edit {
  readonly browser: Browser;
  readonly url: string;
  readonly file: string;
  readonly route: string;
  readonly count: number;
}

/** The first edit is not counted: code is compiled while it runs. */
async function editPage({ browser, url, file, route, count }: Edit): Promise<number[]> {
  const page: Page = await browser.newPage();
  await page.goto(new URL(route, url).href, { waitUntil: 'networkidle' });
  const original = readFileSync(file, 'utf8');
  const milliseconds: number[] = [];
  for (let edit = 0; edit <= count; edit += 1) {
    const words = `Edit ${edit} of the measurement.`;
    const seen = page.waitForFunction(
      `document.querySelector('main')?.innerText.includes(${JSON.stringify(words)})`,
      undefined,
      { timeout: VISIBLE_MS_MAX },
    );
    const began = performance.now();
    writeFileSync(file, `${original}\n${words}\n`);
    await seen;
    milliseconds.push(performance.now() - began);
    await page.waitForLoadState('networkidle');
  }
  await page.close();
  return milliseconds.slice(1);
}
