import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lighthouseReport } from '../browser/lighthouse.ts';

const RUN_MS_MAX = 300_000;

const SOUND = `<!doctype html><html lang="en"><head><title>A page</title>
  <meta name="viewport" content="width=device-width"><meta name="description" content="What it is.">
  <link rel="icon" href="data:,"></head><body><main><h1>A page</h1><p>Words in it.</p></main></body></html>`;
/** Nothing said of itself, a picture without words, and after the first paint half a second of script and a shift. */
const POOR = `<!doctype html><html><body><img src="/missing.png"><p>Words in it.</p><p>More words.</p><script>
  setTimeout(() => {
    const endMs = performance.now() + 500;
    while (performance.now() < endMs);
    document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 400px' }));
  }, 500);
  </script>`;

describe('Lighthouse over a page', { timeout: RUN_MS_MAX }, () => {
  let server: Bun.Server<undefined>;

  beforeAll(() => {
    const html = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      routes: { '/sound': () => html(SOUND), '/poor': () => html(POOR) },
      fetch: () => new Response('Nothing is here.', { status: 404 }),
    });
  });

  afterAll(() => server.stop(true));

  it.for(['mobile', 'desktop'] as const)('gives a sound page full marks (%s)', async (formFactor, context) => {
    const report = await lighthouseReport(new URL('/sound', server.url).href, { runs: 1, formFactor });
    if (typeof report === 'string') return context.skip(report);
    expect(report).toMatchObject({ accessibility: 100, bestPractices: 100, seo: 100, cls: 0, complaints: [] });
  });

  it('says what a poor page lacks', async (context) => {
    const report = await lighthouseReport(new URL('/poor', server.url).href, { runs: 3 });
    if (typeof report === 'string') return context.skip(report);
    const { performance, accessibility, bestPractices, seo, cls, tbtMs } = report;
    for (const score of [performance, accessibility, bestPractices, seo]) expect(score).toBeLessThan(100);
    expect(cls).toBeGreaterThan(0);
    expect(tbtMs).toBeGreaterThan(200);
    const complaints = report.complaints.map((complaint) => complaint.split(':')[0]);
    for (const id of ['image-alt', 'document-title', 'errors-in-console', 'total-blocking-time'])
      expect(complaints).toContain(id);
  });

  it('throws when there is no page', async (context) => {
    const asked = lighthouseReport(new URL('/nowhere', server.url).href, { runs: 1 });
    const outcome = await asked.catch((error: Error) => error);
    if (typeof outcome === 'string') return context.skip(outcome);
    expect(outcome).toBeInstanceOf(Error);
    expect(String(outcome)).toContain('404');
  });
});
