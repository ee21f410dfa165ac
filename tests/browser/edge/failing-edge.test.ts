/** The edge over a site whose files have gone away under it: what readers get is the page for that, or at least words. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILD_MS_MAX, siteFolder } from '../site-folder.ts';
import { useEdge } from './running-edge.ts';

describe('the edge over files that have gone away', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'edge-site-'));
    cpSync(siteFolder(), folder, { recursive: true });
  }, BUILD_MS_MAX);
  const edge = useEdge(() => folder, BUILD_MS_MAX);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const get = (path: string, accept: string): Promise<Response> =>
    fetch(new URL(path, edge.url), { headers: { Accept: accept } });
  const lose = (...names: readonly string[]): void => {
    for (const name of names) rmSync(join(folder, name));
  };

  it('answers 500 with the site’s own page, which nobody keeps; other pages go on', async () => {
    lose('builders/index.html', 'builders.md');
    for (const [accept, page] of [
      ['text/html', '500.html'],
      ['text/markdown', '500.md'],
    ] as const) {
      const answer = await get('/builders', accept);
      expect([answer.status, await answer.text()]).toEqual([500, readFileSync(join(folder, page), 'utf8')]);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/);
    }
    expect((await get('/stack/getting-started', 'text/html')).status).toBe(200);
  });

  it('answers in plain words when that page is gone, too', async () => {
    lose('stack/getting-started/index.html', '500.html', '404.html');
    const failed = await get('/stack/getting-started', 'text/html');
    expect([failed.status, failed.headers.get('Content-Type')]).toEqual([500, 'text/plain; charset=utf-8']);
    expect(await failed.text()).toMatch(/try again later/);
    expect((await get('/nowhere', 'text/html')).status).toBe(404);
  });
});
