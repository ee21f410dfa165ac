/**
 * The built site, served on the loopback for the tests of one `describe`: a plain server that tests can look into and
 * disturb. How the edge serves it is looked at in tests/browser/edge.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { BUILD_MS_MAX, siteFolder } from './site-folder.ts';
import type { BrowserSuite } from './suite.ts';

export interface BuiltSite {
  /** With a slash at the end. */
  readonly url: string;
  /** Absolute. */
  readonly folder: string;
  /** Paths of all requests since the last call, in order. */
  takeRequests(): string[];
  /** Answers 503 to paths that match, until `null` is given. */
  refuse(paths: RegExp | null): void;
  /** Answers these paths with other texts than those of the folder, until others are given. */
  replace(texts: Readonly<Record<string, string>>): void;
}

/** Call it inside `describe`. */
export function useBuiltSite(): BuiltSite {
  let server: Bun.Server<undefined> | null = null;
  let folder = '';
  let requests: string[] = [];
  let refused: RegExp | null = null;
  let replaced: Readonly<Record<string, string>> = {};
  beforeAll(() => {
    folder = siteFolder();
    const headers = headersOfAll(folder);
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const path = decodeURIComponent(new URL(request.url).pathname);
        requests.push(path);
        if (refused?.test(path) === true) return new Response('refused by the test', { status: 503 });
        const text = replaced[path];
        if (text !== undefined) {
          const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
          return new Response(text, { headers: [...headers, ['Content-Type', `${type}; charset=utf-8`]] });
        }
        for (const name of [path, `${path}.html`, `${path}/index.html`]) {
          const file = Bun.file(join(folder, name));
          if (!name.endsWith('/') && (await file.exists())) return new Response(file, { headers });
        }
        return new Response(Bun.file(join(folder, '404.html')), { status: 404, headers });
      },
    });
  }, BUILD_MS_MAX);
  afterAll(() => server?.stop(true));
  return {
    get url() {
      if (server === null) throw new Error('The site is served while the tests of its describe run.');
      return server.url.href;
    },
    get folder() {
      return folder;
    },
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    refuse: (paths) => {
      refused = paths;
    },
    replace: (texts) => {
      replaced = texts;
    },
  };
}

/** Opens a page of the site by its path below the address, in a window as `usual` unless it is told another. */
export function pageOpener(
  browser: BrowserSuite,
  site: BuiltSite,
  usual: BrowserContextOptions = {},
): (path: string, options?: BrowserContextOptions) => Promise<Page> {
  return async (path, options = usual) => {
    const page = await browser.newPage(options);
    await page.goto(site.url + path);
    return page;
  };
}

/** The headers that the build wants on every answer, but for the one that asks browsers to come back by TLS. */
function headersOfAll(folder: string): Headers {
  const headers = new Headers();
  const [, block = ''] = /^\/\*\n((?: .*\n)*)/m.exec(readFileSync(join(folder, '_headers'), 'utf8')) ?? [];
  for (const [, name = '', value = ''] of block.matchAll(/^ +([^:]+): (.*)$/gm)) headers.set(name, value);
  headers.delete('Strict-Transport-Security');
  return headers;
}
