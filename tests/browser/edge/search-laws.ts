/** What the edge answers to questions: by a form without a script, in Markdown, and to tools. For edge.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../axe.ts';
import type { BrowserSuite } from '../suite.ts';

export interface AskedEdge {
  /** With a slash at the end. */
  readonly url: string;
  /** Of the built site. */
  readonly folder: string;
}

/** What a tool answers. */
interface Called {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: {
    readonly results: readonly { readonly sections: readonly { readonly address: string }[] }[];
  };
}

const BOOTSTRAP = '/conductor/flags#--raftbootstrap';

/** A reader who has no script: from any page to an answer, by keyboard. Call it inside `describe`, where an edge runs. */
export function scriptlessLaws(edge: AskedEdge, browser: BrowserSuite): void {
  it('search works without a script: by the button of any page, a form, and links', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await page.goto(`${edge.url}stack/getting-started`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('raft bootstrap');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=raft+bootstrap');
    const found = page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: '--raft.bootstrap', exact: true });
    await found.click();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(BOOTSTRAP);
  });

  it('an answer breaks no rule of axe, by day and by night, and is as wide as a phone', async () => {
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 320, height: 700 } });
    await page.goto(`${edge.url}search?q=conductor_addServerAsVoter`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await axeViolations(page, 'main')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page, 'main')).toEqual([]);
  });
}

/** Call it inside `describe`, where an edge runs. */
export function searchLaws(edge: AskedEdge): void {
  const search = (words: Readonly<Record<string, string>>, accept = 'text/html'): Promise<Response> =>
    fetch(`${edge.url}search?${new URLSearchParams(words)}`, { headers: { Accept: accept } });

  describe('a question of the form', () => {
    it('is answered with a page that nobody keeps, links to what was found, and no script is needed', async () => {
      const answer = await search({ q: '--raft.bootstrap' });
      const page = await answer.text();
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      expect(answer.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'.*form-action 'self'/);
      expect(answer.headers.get('ETag')).toBeNull();
      expect(page.indexOf(`href="${BOOTSTRAP}"`)).toBeGreaterThan(page.indexOf('<ol class="found">'));
      expect(page).toContain('value="--raft.bootstrap"');
      expect(page).not.toContain('data-search-listing');
      const linked = Array.from(page.matchAll(/<h2><a href="([^"]+)"/g), ([, href = '']) => href);
      expect(linked.length).toBeGreaterThan(1);
      for (const href of linked) expect((await fetch(new URL(href, edge.url))).status).toBe(200);
    });

    it('in one part of the site is answered from there', async () => {
      const page = await (await search({ q: 'sequencer', area: 'stack' })).text();
      const linked = Array.from(page.matchAll(/<h2><a href="([^"]+)"/g), ([, href = '']) => href);
      expect(linked.filter((href) => !href.startsWith('/stack'))).toEqual([]);
      expect(page).toMatch(/area=stack" aria-current="true">OP Stack/);
    });

    it.each(['<script>alert(1)</script> raft', '"><img src=x onerror=alert(1)> raft', "' & raft"])(
      '%s becomes text',
      async (q) => {
        // In the value of the field only what ends it would do harm.
        const page = (await (await search({ q })).text()).replaceAll(/ value="[^"]*"/g, '');
        expect(page).not.toMatch(/<script>alert|<img src=x/);
        expect(/<title>([^·]*) · Search/.exec(page)?.[1]).not.toContain('<');
        expect(page).toContain('pages answer');
      },
    );

    it('that nothing answers is told so, with what was asked', async () => {
      const page = await (await search({ q: 'zzqqxxyy' })).text();
      expect(page).toContain('Nothing on this site answers “zzqqxxyy”');
    });

    it('is answered in Markdown to whoever prefers it', async () => {
      const answer = await search({ q: '--raft.bootstrap' }, 'text/markdown');
      expect(answer.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      expect(await answer.text()).toContain(`](${new URL(BOOTSTRAP, edge.url).href}) (flag)`);
    });

    it('of no words, or none at all, gets the list of all headings', async () => {
      const listing = readFileSync(join(edge.folder, 'search', 'index.html'), 'utf8');
      for (const path of ['search', 'search?', 'search?q=', 'search?q=%20'])
        expect(await (await fetch(edge.url + path)).text()).toBe(listing);
    });

    it('is answered to many at once', async () => {
      const words = ['raft', 'sequencer', 'unsafe head', 'bridge', 'gas', 'alert', 'snapshot', 'withdrawal'];
      const answers = await Promise.all(words.map(async (q) => (await search({ q })).text()));
      for (const [at, page] of answers.entries()) expect(page).toContain(`answer “${words[at]}”`);
    });
  });
}

/** Call it inside `describe`, where an edge runs. */
export function toolLaws(edge: AskedEdge): void {
  async function ask<Result>(method: string, params: object = {}): Promise<Result> {
    const answer = await fetch(`${edge.url}mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.json()) as { readonly result: Result }).result;
  }
  const call = (name: string, given: object): Promise<Called> => ask('tools/call', { name, arguments: given });

  describe('tools', () => {
    it('are search and read_page, and what is found can be read', async () => {
      const begun = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
      expect(begun).toMatchObject({ protocolVersion: '2025-11-25' });
      const { tools } = await ask<{ readonly tools: readonly { readonly name: string }[] }>('tools/list');
      expect(tools.map(({ name }) => name)).toEqual(['search', 'read_page']);
      const found = await call('search', { query: '--raft.bootstrap' });
      const section = found.structuredContent.results[0]!.sections[0]!;
      expect(section).toMatchObject({ kind: 'flag', address: new URL(BOOTSTRAP, edge.url).href });
      expect(found.content[0]!.text).toContain(section.address);
      const read = await call('read_page', { address: section.address });
      expect(read.content[0]!.text).toBe(readFileSync(join(edge.folder, 'conductor/flags.md'), 'utf8'));
    });

    it('read a long page piece by piece, and come to its end', async () => {
      const whole = readFileSync(join(edge.folder, 'chain/addresses.md'), 'utf8');
      let [read, from]: [string, number | null] = ['', 0];
      while (from !== null) {
        const piece = await call('read_page', { address: '/chain/addresses', from });
        const { text } = piece.content[0]!;
        const next: string | undefined = /\n\n\[The page goes on: ask again with from (\d+)\.[^\]]*\]\n$/.exec(
          text,
        )?.[1];
        read += next === undefined ? text : text.slice(0, text.lastIndexOf('\n\n[The page goes on'));
        from = next === undefined ? null : Number(next);
      }
      expect(read).toBe(whole);
    });

    it.each([
      ['read_page', { address: '/nowhere' }],
      ['read_page', { address: '/404' }],
      ['read_page', { address: 'https://elsewhere.example/stack' }],
      ['read_page', { address: '/../_headers' }],
      ['read_page', { address: '/stack', from: -1 }],
      ['read_page', {}],
      ['search', { query: '' }],
      ['search', { query: 'a'.repeat(301) }],
      ['search', { query: 'raft', area: 'nowhere' }],
    ])('%s of %j says what is wrong, to be put right', async (name, given) => {
      expect(await call(name, given)).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    });

    it('take messages up to a bound, by POST alone', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const large = await fetch(`${edge.url}mcp`, { method: 'POST', headers, body: `"${'a'.repeat(70_000)}"` });
      expect(large.status).toBe(413);
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const answer = await fetch(`${edge.url}mcp`, { method });
        expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
      }
    });
  });
}
