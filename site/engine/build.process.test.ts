import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { waitFor } from '../../tests/cluster/wait.ts';
import { contentSecurityPolicy } from './outputs/security.ts';

const root = join(import.meta.dirname, '..', '..');
const testdata = join(import.meta.dirname, 'testdata');
const STARTED_MS_MAX = 60_000;
const ADDRESS = 'https://small.example.org';

const work = mkdtempSync(join(tmpdir(), 'site-build-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function build(site: string, out: string, ...options: string[]): { code: number; stdout: string; stderr: string } {
  const command = [process.execPath, join(import.meta.dirname, 'main.ts'), '--pages', site, '--out', out, ...options];
  const run = Bun.spawnSync(command, {
    cwd: root,
    env: { ...process.env, SITE_URL: ADDRESS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

describe('the build of a small site', () => {
  const out = join(work, 'small');
  let result: ReturnType<typeof build>;
  beforeAll(() => {
    result = build(join(testdata, 'small'), out);
  });
  const read = (file: string): string => readFileSync(join(out, file), 'utf8');

  it('succeeds and says how many pages there are', () => {
    expect(result).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/small: 7 pages in [\d.]+ s\n/),
    });
  });

  it('links every page to the form for what is wrong with it, whose fields it fills in', () => {
    const link = /href="([^"]*\/issues\/new\?[^"]*)"/.exec(read('guides/start/index.html'))?.[1] ?? '';
    const { template, ...filled } = Object.fromEntries(new URL(link.replaceAll('&amp;', '&')).searchParams);
    expect(filled).toEqual({ title: 'Docs: First steps', page: `${ADDRESS}/guides/start` });
    const form = parse(readFileSync(join(root, '.github', 'ISSUE_TEMPLATE', template ?? ''), 'utf8'));
    expect(form.body.map(({ id }: { id: string }) => id)).toContain('page');
  });

  it('writes a document and a Markdown twin per page, and everything made from them', () => {
    const routes = ['guides/deep', 'guides/deep/leaf', 'guides/extra', 'guides/start', 'notice'];
    const made = ['_headers', '_redirects', 'llms-full.txt', 'llms.txt', 'notices.xml', 'robots.txt', 'sitemap.xml'];
    const files = filesOf(out);
    expect(files).toEqual(
      expect.arrayContaining([...made, '404.html', 'index.html', 'index.md', 'guides/index.html', 'status/index.html']),
    );
    for (const route of routes) expect(files).toEqual(expect.arrayContaining([`${route}/index.html`, `${route}.md`]));
    expect(files).toContain('404.md');
    expect(files.filter((file) => /^assets\/search\/[0-9a-f]{8}\/head\.json$/.test(file))).toHaveLength(1);
  });

  it('gives all scripts, styles and fonts names with a hash', () => {
    const assets = filesOf(join(out, 'assets'));
    expect(assets.length).toBeGreaterThan(3);
    for (const file of assets) expect(file).toMatch(/-[\w-]{8}\.\w+$|^search\/[0-9a-f]{8}\//);
  });

  it('allows the inline scripts that documents have, and no other', () => {
    const header = /Content-Security-Policy: (.*)/.exec(read('_headers'))?.[1] ?? '';
    for (const file of filesOf(out).filter(
      (name) => name.endsWith('index.html') && !/^(?:status|guides)\/index/.test(name),
    )) {
      const html = read(file);
      const inline = Array.from(
        html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
        ([, text = '']) => text,
      );
      expect(inline.length, file).toBe(2);
      expect(header, file).toBe(`${contentSecurityPolicy(inline)}; frame-ancestors 'none'`);
      expect(html, file).not.toMatch(/ style="| on[a-z]+="|<style/);
    }
  });

  it('keeps words whole: language, title, code, steps, diagrams', () => {
    const html = read('guides/start/index.html');
    expect(html).toMatch(/<html[^>]* lang="en-GB"/);
    expect(html).toContain('&lt;nothing&gt; &amp; more');
    expect(html).toMatch(/id="do-this"/);
    expect(html).toMatch(/<svg[^>]*role="img"/);
    expect(read('notice/index.html')).toContain('A notice: &lt;brackets&gt; &amp; more');
  });

  it('makes everything absolute from the one address', () => {
    expect(read('robots.txt')).toContain(`Sitemap: ${ADDRESS}/sitemap.xml`);
    expect(read('guides/start/index.html')).toContain(`<link rel="canonical" href="${ADDRESS}/guides/start"/>`);
    expect(read('guides/extra/index.html')).toContain(`<link rel="canonical" href="${ADDRESS}/guides/deep/leaf"/>`);
    const sitemap = Array.from(read('sitemap.xml').matchAll(/<loc>([^<]*)/g), ([, loc]) => loc?.slice(ADDRESS.length));
    expect(sitemap).toEqual(['/', '/guides/start', '/guides/deep', '/guides/deep/leaf', '/notice']);
  });

  it("sends readers of routes that lead elsewhere on, with the host's help and without", () => {
    expect(read('_redirects')).toBe(
      [
        '/status https://status.example.org/now?from=docs 302',
        '/status/ https://status.example.org/now?from=docs 302',
        '/guides /guides/start 302',
        '/guides/ /guides/start 302',
        '',
      ].join('\n'),
    );
    expect(read('status/index.html')).toContain('url=https://status.example.org/now?from=docs');
    expect(read('guides/index.html')).toContain('url=/guides/start');
  });

  it('lists pages for programs under the headings of the menu', () => {
    const headings = Array.from(read('llms.txt').matchAll(/^#.*$/gm), ([line]) => line);
    expect(headings).toEqual(['# Optimism Docs', '## Start', '## Guides']);
    expect(read('llms.txt')).toContain(`- [First steps](${ADDRESS}/guides/start.md): Every kind of content`);
    expect(read('llms-full.txt')).toContain('Further down.');
  });

  it('draws a card for every page but errors, and names it in the document', () => {
    expect(readdirSync(join(out, 'cards'))).toHaveLength(6);
    const card = /property="og:image" content="([^"]*)"/.exec(read('guides/start/index.html'))?.[1] ?? '';
    expect(card.startsWith(`${ADDRESS}/cards/`)).toBe(true);
    const picture = readFileSync(join(out, card.slice(ADDRESS.length)));
    expect([picture.toString('latin1', 1, 4), picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
    expect(read('404.html')).not.toContain('og:image');
  });

  it('announces pages with a date in the feed', () => {
    const feed = read('notices.xml');
    expect(feed.match(/<item>/g)).toHaveLength(1);
    expect(feed).toContain('<title>A notice: &lt;brackets&gt; &amp; more</title>');
    expect(feed).toContain('<pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate>');
  });

  it('writes the twin as authors would write it without components', () => {
    expect(read('guides/start.md')).toBe(readFileSync(join(testdata, 'small-start.md'), 'utf8'));
  });

  it('can be done again in the same place, with the same bytes', () => {
    const hashes = (): [string, string][] =>
      filesOf(out).map((file) => [file, Bun.hash(readFileSync(join(out, file))).toString()]);
    const before = hashes();
    writeFileSync(join(out, 'left-over.txt'), 'from before');
    expect(build(join(testdata, 'small'), out).code).toBe(0);
    expect(hashes()).toEqual(before);
  });
});

/** What is registered grows with the site. */
const REGISTERED_NAMES = /(components\.ts has|not "Nothing":|in `from`; there is|is a word this site avoids\.) .*/g;

describe('a build that is killed', () => {
  it('leaves a folder that the next build removes', async () => {
    const folder = mkdtempSync(join(work, 'killed-'));
    const out = join(folder, 'site');
    const command = [process.execPath, join(import.meta.dirname, 'main.ts'), '--out', out];
    const killed = Bun.spawn(command, { cwd: root, stdio: ['ignore', 'ignore', 'ignore'] });
    await waitFor('the folder of the build', STARTED_MS_MAX, () => (readdirSync(folder).length > 0 ? true : null));
    killed.kill('SIGKILL');
    await killed.exited;
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^site\.new-/)]);
    expect(build(join(testdata, 'small'), out).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['site']);
  });
});

describe('the build of a broken site', () => {
  const site = join(testdata, 'broken');

  it('names every mistake at once with file and line, and writes nothing', () => {
    const out = join(work, 'broken');
    const { code, stdout, stderr } = build(site, out);
    const expected = readFileSync(join(testdata, 'broken.txt'), 'utf8');
    expect(stderr.replaceAll(REGISTERED_NAMES, '$1 …')).toBe(expected);
    expect([code, stdout, existsSync(out)]).toEqual([1, '', false]);
  });

  it('leaves the last good site in place', () => {
    const out = join(work, 'kept');
    mkdirSync(out);
    writeFileSync(join(out, '_headers'), 'of a good site');
    expect(build(site, out).code).toBe(1);
    expect(readFileSync(join(out, '_headers'), 'utf8')).toBe('of a good site');
    expect(readdirSync(work).filter((name) => name.startsWith('kept'))).toEqual(['kept']);
  });

  it('does not delete a folder that holds something else', () => {
    const out = join(work, 'foreign');
    mkdirSync(out);
    writeFileSync(join(out, 'thesis.txt'), 'years of work');
    const { code, stderr } = build(join(testdata, 'small'), out);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/holds files/)]);
    expect(readdirSync(out)).toEqual(['thesis.txt']);
  });

  it.each(['nowhere', 'thesis.txt'])('is refused in a sentence for --pages %s, and leaves nothing behind', (name) => {
    const folder = mkdtempSync(join(work, 'none-'));
    const pages = join(folder, name);
    if (name !== 'nowhere') writeFileSync(pages, 'years of work');
    const before = readdirSync(folder);
    const { code, stderr } = build(pages, join(folder, 'site'));
    expect([code, stderr]).toEqual([1, `${pages} is no folder of pages; name one with -- --pages.\n`]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('leaves nothing behind when a page cannot be read', () => {
    const folder = mkdtempSync(join(work, 'unreadable-'));
    mkdirSync(join(folder, 'pages', 'folder.mdx'), { recursive: true });
    expect(build(join(folder, 'pages'), join(folder, 'site')).code).toBe(1);
    expect(readdirSync(folder)).toEqual(['pages']);
  });

  it('is refused for an address that is none', () => {
    const run = Bun.spawnSync([process.execPath, join(import.meta.dirname, 'main.ts')], {
      env: { ...process.env, SITE_URL: 'docs' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect([run.exitCode, run.stderr.toString()]).toEqual([1, expect.stringMatching(/SITE_URL is "docs"/)]);
  });
});
