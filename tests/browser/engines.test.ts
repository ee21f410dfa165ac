/**
 * The same string gives the same trace hash in this process and on every engine: Bun and Node in fresh processes, and
 * Chromium in a page and in a worker. All of them load one bundle, made for browsers: what it would miss there, or do
 * differently on an engine with other ideas of how to be fast, shows.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmNode } from '../../scripts/npm-node.ts';
import { useBrowser } from './suite.ts';
import { runKinds } from '../../simulator/run-kinds.ts';
import { execute } from '../../simulator/run.ts';
import { runToText } from '../../simulator/run-value.ts';

const SEED = 23;
/** `npm run test:full` has more of them. */
const RUNS_PER_KIND = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 8 : 4;
const LOAD_MS_MAX = 60_000;

/** Prints who it is, and then the hashes of the runs that come in as a list. */
const PRINTER = `import { readFileSync } from 'node:fs';
  import { hashOf } from './simulator.mjs';
  const texts = JSON.parse(readFileSync(0, 'utf8'));
  console.log(JSON.stringify([process.versions.bun === undefined ? 'node' : 'bun', ...texts.map(hashOf)]));`;
/** It says when it is ready: what is posted to a module before it is through its first `await` is lost. */
const WORKER = `import { hashOf } from './simulator.mjs';
  onmessage = ({ data }) => postMessage(data.map(hashOf));
  postMessage('loaded');`;

describe('one string, one hash', () => {
  const runs = Object.values(runKinds).flatMap((kind) => fc.sample(kind, { seed: SEED, numRuns: RUNS_PER_KIND }));
  const texts = runs.map(runToText);
  let folder = '';
  let bundle = '';
  let expected: readonly string[] = [];

  beforeAll(() => {
    expected = runs.map((run) => execute(run).hash);
    folder = mkdtempSync(join(tmpdir(), 'simulator-engines-'));
    bundle = join(folder, 'simulator.mjs');
    bundleInto(folder, bundle);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is asked of different runs, of clusters of three and of five', () => {
    expect(new Set(expected).size).toBe(runs.length);
    const sizes = runs.map(({ configuration }) => configuration.servers);
    for (const servers of [3, 5]) expect(sizes.filter((size) => size === servers).length).toBeGreaterThan(3);
  });

  it.for([
    ['bun', process.execPath],
    ['node', npmNode()],
  ] as const)('on %s, in a fresh process', ([engine, executable], context) => {
    if (executable === null) return context.skip('npm has no Node that runs here');
    const printer = join(folder, 'printer.mjs');
    writeFileSync(printer, PRINTER);
    const output = execFileSync(executable, [printer], { encoding: 'utf8', input: JSON.stringify(texts) });
    expect(JSON.parse(output)).toEqual([engine, ...expected]);
  });

  describe('in Chromium', () => {
    const browser = useBrowser();
    let server: Bun.Server<undefined>;

    beforeAll(() => {
      const script = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/javascript' } });
      server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        routes: {
          '/': () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }),
          '/simulator.mjs': () => script(readFileSync(bundle, 'utf8')),
          '/worker.mjs': () => script(WORKER),
        },
      });
    });

    afterAll(() => server.stop(true));

    it('in a page', async () => {
      const page = await browser.newPage();
      await page.goto(server.url.href);
      const hashes = page.evaluate(
        `import('./simulator.mjs').then(({ hashOf }) => ${JSON.stringify(texts)}.map(hashOf))`,
      );
      expect(await hashes).toEqual(expected);
    });

    it('in a worker', async () => {
      const page = await browser.newPage();
      await page.goto(server.url.href);
      const hashes = page.evaluate(`new Promise((resolve, reject) => {
        const worker = new Worker('./worker.mjs', { type: 'module' });
        setTimeout(() => reject(new Error('the worker did not load')), ${LOAD_MS_MAX});
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.onmessage = ({ data }) => (data === 'loaded' ? worker.postMessage(${JSON.stringify(texts)}) : resolve(data));
      })`);
      expect(await hashes).toEqual(expected);
    });
  });
});

/** What a site would ship: one file without imports, for any engine. */
function bundleInto(folder: string, bundle: string): void {
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import { execute } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'simulator', 'run.ts'))};
     import { runFromText } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'simulator', 'run-value.ts'))};
     export const hashOf = (text: string): string => execute(runFromText(text)).hash;`,
  );
  execFileSync(process.execPath, ['build', entry, '--target=browser', '--format=esm', `--outfile=${bundle}`], {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: 'pipe',
  });
}
