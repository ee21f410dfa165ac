/**
 * `bun bench/main.ts site`: seconds of a whole build of the docs from nothing, and milliseconds from the
 * write of an MDX file to the moment a browser shows the new words, with all pages of the site loaded.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startAuthoring } from '../tests/browser/authoring-process.ts';
import { openBrowser } from '../tests/browser/chromium.ts';
import { editsToSight } from '../tests/browser/edit-to-sight.ts';
import { amountAt, type BenchRun } from './options.ts';
import { runDirectory } from './directories.ts';
import { writeResults } from './results.ts';
import { median } from './statistics.ts';

const BUILDS = { full: 3, quick: 1 };
const EDITS = { full: 15, quick: 3 };
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
  try {
    const server = await startAuthoring(root, pages);
    try {
      const results: Record<string, number[]> = {};
      for (const route of EDITED) {
        const page = await browser.newPage();
        const url = new URL(route, server.url).href;
        results[route] = await editsToSight({ page, url, file: join(pages, `${route}.mdx`), count, isRested: true });
        await page.close();
      }
      return results;
    } finally {
      await server.stop();
    }
  } finally {
    await browser.close();
  }
}
