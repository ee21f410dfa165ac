import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBuiltSite } from '../../tests/browser/built-site.ts';

const CONDUCTOR = '/builders/chain-operators/tools/op-conductor';
/** Kilobytes after gzip, as the issue of the site sets them. */
const BUDGET_KB = { script: 15, style: 15, htmlMedian: 25, htmlMax: 150, fonts: 90 };
const FONTS_PRELOADED_MAX = 3;

const kilobytes = (text: string): number => gzipSync(text).length / 1000;
const all = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), (match) => match[1] ?? '');

describe('the site as built', () => {
  const site = useBuiltSite();
  const pages = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(new URL(path, site.url));
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}`);
    return answer.text();
  };
  beforeAll(async () => {
    const sitemap = await read('/sitemap.xml');
    const listing = await read('/llms.txt');
    const routes = all(sitemap, /<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g);
    const twins = all(listing, /\]\(https?:\/\/[^/)]+([^)]*)\.md\)/g).map((route) =>
      route === '/index' ? '/' : route,
    );
    for (const route of new Set([...routes, ...twins])) pages.set(route, await read(route));
  });

  it('has its pages', () => {
    expect(pages.size).toBeGreaterThan(150);
  });

  it('leads nowhere that does not exist: every link, script, style and picture of every page', async () => {
    const answers = new Map<string, Promise<number>>();
    const statusOf = (path: string): Promise<number> => {
      const known = answers.get(path) ?? fetch(new URL(path, site.url)).then((answer) => answer.status);
      answers.set(path, known);
      return known;
    };
    const lost: string[] = [];
    for (const [route, html] of pages) {
      const addresses = new Set(all(html, /(?:href|src|data-search-index)="([/#][^"]*)"/g));
      for (const address of addresses) {
        const [path = '', anchor] = address.replaceAll('&amp;', '&').split('#', 2);
        const target = path === '' ? html : pages.get(path.replace(/\?.*$/, ''));
        const isThere =
          target === undefined
            ? (await statusOf(path)) === 200
            : anchor === undefined || hasAnchor(target, anchor) || isOpenedBy(target, anchor);
        if (!isThere) lost.push(`${route}: ${address}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it('has no id twice on a page, no inline style and no inline handler', () => {
    for (const [route, html] of pages) {
      const ids = all(html, /\sid="([^"]*)"/g);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        route,
      ).toEqual([]);
      expect(html.match(/<[^>]+ (?:style|on[a-z]+)="|<style/g) ?? [], route).toEqual([]);
    }
  });

  it('keeps within its budget of HTML', () => {
    const sizes = [...pages].map(([route, html]) => ({ route, size: kilobytes(html) })).sort((a, b) => a.size - b.size);
    expect(sizes[Math.floor(sizes.length / 2)]?.size).toBeLessThanOrEqual(BUDGET_KB.htmlMedian);
    expect(sizes.at(-1)?.size, sizes.at(-1)?.route).toBeLessThanOrEqual(BUDGET_KB.htmlMax);
  });

  it.each(['/', CONDUCTOR])('keeps within its budget of scripts, styles and fonts on %s', async (route) => {
    const html = pages.get(route) ?? '';
    const scripts = await moduleGraph(all(html, /<script[^>]* src="([^"]*)"/g), read);
    expect(kilobytes(scripts.join('\n'))).toBeLessThanOrEqual(BUDGET_KB.script);
    const styles = await Promise.all(all(html, /<link rel="stylesheet" href="([^"]*)"/g).map(read));
    expect(kilobytes(styles.join('\n'))).toBeLessThanOrEqual(BUDGET_KB.style);
    const fonts = new Set(all(styles.join('\n'), /url\(["']?([^"')]*\.woff2)/g));
    const bytes = await Promise.all(
      Array.from(fonts, async (font) => (await (await fetch(new URL(font, site.url))).arrayBuffer()).byteLength),
    );
    expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThanOrEqual(BUDGET_KB.fonts);
    expect(all(html, /<link rel="preload" as="font"[^>]* href="([^"]*)"/g).length).toBeLessThanOrEqual(
      FONTS_PRELOADED_MAX,
    );
  });

  it('has a twin for every page', async () => {
    for (const [route, html] of pages) {
      const title = all(html, /<h1[^>]*>(.*?)<\/h1>/g)[0] ?? 'none';
      const twin = await read(route === '/' ? '/index.md' : `${route}.md`);
      const plain = title
        .replaceAll('&amp;', '&')
        .replaceAll('&#x27;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"');
      if (route !== '/') expect(twin.split('\n')[0]).toBe(`# ${plain}`);
    }
  });
});

function hasAnchor(html: string, anchor: string): boolean {
  return anchor === '' || html.includes(` id="${anchor}"`) || html.includes(` id="${decodeURIComponent(anchor)}"`);
}

/** An island of the page reads such fragments: `#run=…`. */
function isOpenedBy(html: string, anchor: string): boolean {
  const name = /^([\w.]+)=/.exec(anchor)?.[1];
  return name !== undefined && html.includes(`data-fragment="${name}"`);
}

/** Texts of modules and of all that they import at once; what they load later does not count. */
async function moduleGraph(entries: readonly string[], read: (path: string) => Promise<string>): Promise<string[]> {
  const seen = new Set(entries);
  const texts: string[] = [];
  for (const path of seen) {
    const text = await read(path);
    texts.push(text);
    for (const name of all(text, /(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)) seen.add(`/assets/${name}`);
  }
  return texts;
}
