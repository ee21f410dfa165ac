/** The built site as the edge serves it: every rule of infra/edge, of `_headers` and of `_redirects`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILD_MS_MAX, siteFolder } from '../site-folder.ts';
import { useBrowser } from '../suite.ts';
import { rawRequest } from './raw-request.ts';
import { useEdge } from './running-edge.ts';
import { scriptlessLaws, searchLaws, toolLaws, type AskedEdge } from './search-laws.ts';

const PAGE = '/builders/tools/fee-calculator';
const REVALIDATED = 'public, max-age=0, must-revalidate';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const MARKDOWN = { Accept: 'text/markdown' };
const TYPES: Readonly<Record<string, RegExp>> = {
  css: /^text\/css/,
  js: /^text\/javascript/,
  json: /^application\/json/,
  woff2: /^font\/woff2/,
};

describe('the edge', () => {
  let folder = '';
  let redirects: readonly (readonly string[])[] = [];
  beforeAll(() => {
    folder = siteFolder();
    const lines = readFileSync(join(folder, '_redirects'), 'utf8').trim().split('\n');
    redirects = lines.map((line) => line.split(' '));
  }, BUILD_MS_MAX);
  const edge = useEdge(() => folder, BUILD_MS_MAX);

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> =>
    fetch(new URL(path, edge.url), { method, headers, redirect: 'manual' });
  const fileText = (path: string): string => readFileSync(join(folder, path), 'utf8');

  /** The headers that `_headers` asks for on every answer. */
  function headersOfAll(): [string, string][] {
    const [, block = ''] = /^\/\*\n((?: .*\n)+)/m.exec(fileText('_headers')) ?? [];
    return Array.from(block.matchAll(/^ +([^:]+): (.*)$/gm), ([, name = '', value = '']) => [name, value]);
  }

  const asked: AskedEdge = {
    get url() {
      return edge.url;
    },
    get folder() {
      return folder;
    },
  };
  searchLaws(asked);
  toolLaws(asked);
  describe('to readers', () => {
    scriptlessLaws(asked, useBrowser());
  });

  describe('pages', () => {
    it('are answered at every address of the sitemap, to be asked for again each time', async () => {
      const paths = Array.from(
        fileText('sitemap.xml').matchAll(/<loc>https?:\/\/[^/]+([^<]*)/g),
        ([, path = '']) => path,
      );
      expect(paths.length).toBeGreaterThan(150);
      for (const path of paths) {
        const answer = await get(path);
        expect([answer.status, path]).toEqual([200, path]);
        expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
        expect(answer.headers.get('Cache-Control')).toBe(REVALIDATED);
        expect(answer.headers.get('Vary')).toBe('Accept');
      }
    });

    it('carry every header that the build asks for', async () => {
      const wanted = headersOfAll();
      expect(wanted.map(([name]) => name)).toEqual(
        expect.arrayContaining(['Content-Security-Policy', 'Referrer-Policy', 'X-Content-Type-Options']),
      );
      for (const path of [PAGE, '/nowhere', '/icon.svg', `${PAGE}.md`]) {
        const { headers } = await get(path);
        for (const [name, value] of wanted) expect(headers.get(name), `${name} of ${path}`).toBe(value);
      }
    });

    it('have one address: with a slash, .html or index.html they lead there, with their query', async () => {
      for (const other of [`${PAGE}/`, `${PAGE}.html`, `${PAGE}/index.html`]) {
        const answer = await get(`${other}?transactions=7&x=%2F`);
        expect([answer.status, answer.headers.get('Location')]).toEqual([307, `${PAGE}?transactions=7&x=%2F`]);
      }
      expect((await get('/index.html')).headers.get('Location')).toBe('/');
    });

    it('that have not changed are not sent again', async () => {
      for (const [path, headers] of [
        [PAGE, {}],
        [PAGE, MARKDOWN],
        ['/icon.svg', {}],
      ] as const) {
        const etag = (await get(path, headers)).headers.get('ETag') ?? '';
        expect(etag).toMatch(/^(W\/)?"\w+"$/);
        const again = await get(path, { ...headers, 'If-None-Match': etag });
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect((await get(path, { ...headers, 'If-None-Match': '"another"' })).status).toBe(200);
      }
    });

    it('come without their text for HEAD', async () => {
      for (const [path, status] of [
        [PAGE, 200],
        ['/nowhere', 404],
        ['/faucet', 302],
      ] as const) {
        const [head, whole] = [await rawRequest(edge.url, `HEAD ${path}`), await get(path)];
        expect([head.status, head.body]).toEqual([status, '']);
        expect(head.headers.get('content-type')).toBe(whole.headers.get('Content-Type') ?? undefined);
      }
    });

    it('are compressed for whoever can read that', async () => {
      const packed = await rawRequest(edge.url, `GET ${PAGE}`, ['Accept-Encoding: gzip']);
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.body.length).toBeLessThan(fileText(`${PAGE}/index.html`).length / 2);
      const plain = await rawRequest(edge.url, `GET ${PAGE}`);
      expect(plain.headers.get('content-encoding')).toBeUndefined();
    });
  });

  describe('files', () => {
    it('with a hash in their name may be kept for ever, and have their types', async () => {
      const names = readdirSync(join(folder, 'assets'), { recursive: true, encoding: 'utf8' });
      const files = names.filter((name) => /\.\w+$/.test(name));
      expect(files.length).toBeGreaterThan(10);
      for (const file of files) {
        const { status, headers } = await get(`/assets/${file}`);
        expect([status, headers.get('Cache-Control')], file).toEqual([200, IMMUTABLE]);
        expect(headers.get('Content-Type')).toMatch(TYPES[file.split('.').at(-1) ?? ''] ?? /^no type$/);
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
        expect(headers.get('Vary') ?? '').not.toMatch(/Accept(?!-)/);
      }
    });

    it('without one are asked for again each time, and no other form of them is sought', async () => {
      for (const path of ['/sitemap.xml', '/robots.txt', '/llms.txt', '/icon.svg', '/notices.xml']) {
        const answer = await get(path, MARKDOWN);
        expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, REVALIDATED]);
        expect(await answer.text()).toBe(fileText(path));
      }
    });

    it('large ones come whole, asked for a part too', async () => {
      const text = fileText('llms-full.txt');
      for (const range of [undefined, 'bytes=0-99', 'bytes=-1', 'bytes=99999999-']) {
        const answer = await get('/llms-full.txt', range === undefined ? {} : { Range: range });
        expect([answer.status, await answer.text()]).toEqual([200, text]);
      }
    });
  });

  it('leads on wherever _redirects says, and by the status it says', async () => {
    expect(redirects.length).toBeGreaterThan(10);
    for (const [from = '', to, status] of redirects) {
      for (const headers of [{}, MARKDOWN]) {
        const answer = await get(from, headers);
        expect([answer.status, answer.headers.get('Location')], from).toEqual([Number(status), to]);
      }
    }
  });

  it('leads away in one step, with a slash at the end too', async () => {
    const [plain, slash] = [await get('/faucet'), await get('/faucet/')];
    expect([slash.status, slash.headers.get('Location')]).toEqual([302, plain.headers.get('Location')]);
  });

  describe('Markdown', () => {
    it.each([
      ['/', '/index.md'],
      [PAGE, `${PAGE}.md`],
      [`${PAGE}/`, `${PAGE}.md`],
      [`${PAGE}?transactions=7`, `${PAGE}.md`],
    ])('%s is %s for whoever prefers it', async (path, twin) => {
      const answer = await get(path, MARKDOWN);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      expect(answer.headers.get('Content-Location')).toBe(twin);
      expect(answer.headers.get('Vary')).toBe('Accept');
      expect(answer.headers.get('Cache-Control')).toBe(REVALIDATED);
      expect(answer.headers.get('X-Robots-Tag')).toBeNull();
      expect(await answer.text()).toBe(fileText(twin));
    });

    it('has an address of its own, which search engines leave out', async () => {
      const answer = await get(`${PAGE}.md`, { Accept: 'text/html' });
      expect([answer.status, await answer.text()]).toEqual([200, fileText(`${PAGE}.md`)]);
      expect(answer.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      expect(answer.headers.get('X-Robots-Tag')).toBe('noindex');
    });

    it.each([
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
      ['*/*', 'text/html'],
      ['text/html, text/markdown', 'text/html'],
      ['text/markdown;q=0.5, text/html;q=0.6', 'text/html'],
      ['text/markdown;q=0', 'text/html'],
      ['text/html;q=0.8, text/markdown', 'text/markdown'],
      ['text/markdown, */*', 'text/markdown'],
    ])('Accept: %s gives %s', async (accept, type) => {
      expect((await get(PAGE, { Accept: accept })).headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
    });
  });

  describe('what is not there', () => {
    it.each([
      '/nowhere',
      '/nowhere/',
      `${PAGE}/nowhere`,
      '/assets/nowhere.js',
      '/_headers',
      '/_redirects',
      '/BUILDERS',
      '/404',
      '/404/',
      '/404.html',
      '/404.md',
      '/500',
      '/500.html',
      '/500.md',
    ])('%s is the page that says so, and nobody keeps it', async (path) => {
      const [page, markdown] = [await get(path), await get(path, MARKDOWN)];
      expect([page.status, await page.text()]).toEqual([404, fileText('404.html')]);
      expect([markdown.status, await markdown.text()]).toEqual([404, fileText('404.md')]);
      for (const { headers } of [page, markdown]) {
        expect(headers.get('Cache-Control')).toBe('no-store');
        expect(headers.get('ETag')).toBeNull();
      }
      expect(markdown.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
    });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s, and says what it answers', async (method) => {
    for (const path of [PAGE, '/nowhere', '/faucet', '/assets/nowhere.js']) {
      const answer = await get(path, {}, method);
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('a method that HTTP does not know is refused', async () => {
    expect((await rawRequest(edge.url, 'BREW /')).status).toBeOneOf([405, 501]);
  });

  it.each(
    [
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/..%5cpackage.json',
      '/.git/config',
      '/%00',
      `${PAGE}%00.md`,
      '/%',
      '/%zz',
      '/%E0%A4%A',
      '/%ff%fe',
      '//example.org',
      '//example.org/..',
      '//example.org%2f..',
      '/\\example.org',
      '/%2f%2fexample.org/',
      '/%5cexample.org/',
      `/${'a'.repeat(8000)}`,
      `/${'%2e%2e/'.repeat(1000)}etc/passwd`,
      `/${'/'.repeat(8000)}`,
      `/${'a/'.repeat(4000)}`,
    ].map((path) => [path.slice(0, 60), path] as const),
  )('%s ends on this site, and not in a failure', async (_, path) => {
    for (const accept of ['Accept: */*', 'Accept: text/markdown']) {
      let target = path;
      for (let hops = 0; ; hops += 1) {
        const { status, headers, body } = await rawRequest(edge.url, `GET ${target}`, [accept]);
        expect(status).toBeOneOf([200, 307, 400, 404, 414]);
        expect(body).not.toMatch(/"name": "conductor"|root:x:0/);
        if (status !== 307) break;
        expect(hops).toBeLessThan(3);
        target = headers.get('location') ?? '';
        // A path of this host; `//` and `/\` would begin the name of another.
        expect(target).toMatch(/^\/(?![/\\])/);
      }
    }
  });
});
