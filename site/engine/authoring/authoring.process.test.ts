import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../tests/browser/suite.ts';
import { waitFor } from '../../../tests/cluster/wait.ts';
import { READY_MS_MAX, startAuthoring, type AuthoringProcess } from '../../../tests/browser/authoring-process.ts';

/** The goal is 300 ms on a free machine; a test that shares it can only tell seconds from minutes. */
const VISIBLE_MS_MAX = 20_000;

/** Short, for the next change of any other file would bring it to light. */
const LAST_SAVE_MS_MAX = 5_000;
/** As long as the watcher passes over changes of a file, and longer. */
const QUIET_MS = 300;

describe('the authoring server', () => {
  const browser = useBrowser();
  const work = mkdtempSync(join(tmpdir(), 'authoring-'));
  const pages = join(work, 'pages');
  const startFile = join(pages, 'guides', 'start.mdx');
  let server: AuthoringProcess;
  let url = '';

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, '..', 'testdata', 'small'), pages, { recursive: true });
    server = await startAuthoring(join(import.meta.dirname, '..', '..', '..'), pages);
    ({ url } = server);
  }, READY_MS_MAX);
  afterAll(async () => {
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  });

  const edit = (file: string, from: string, to: string): void => {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(
      file,
      text.replace(from, () => to),
    );
  };
  const open = async (path: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 500 } });
    await page.goto(new URL(path, url).href, { waitUntil: 'networkidle' });
    return page;
  };
  const sees = (page: Page, words: string): Promise<unknown> =>
    page.waitForFunction(`document.body?.innerText.includes(${JSON.stringify(words)})`, undefined, {
      timeout: VISIBLE_MS_MAX,
    });

  it('shows what the build would', async () => {
    const answers = await Promise.all(
      ['/', '/guides/start', '/guides/start.md', '/llms.txt', '/nowhere'].map((path) => fetch(new URL(path, url))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
    expect(await answers[1]?.text()).toMatch(/<h1[^>]*>First steps<\/h1>/);
    const styles = await (await fetch(new URL('/authoring/styles.css', url))).text();
    expect(styles.match(/prefers-reduced-motion|@media print/g)).toContain('@media print');
    const away = await fetch(new URL('/status', url), { redirect: 'manual' });
    expect([away.status, away.headers.get('Location')]).toEqual([302, 'https://status.example.org/now?from=docs']);
  });

  it('answers 400 to what is no address, and lives on', async () => {
    const { port } = new URL(url);
    for (const target of ['/%zz', '//', '//[', 'http://[', '/%c0%ae', '/site/%zz.ts'])
      expect([target, await statusLineOf(Number(port), target)]).toEqual([target, expect.stringContaining(' 400 ')]);
    expect((await fetch(url)).status).toBe(200);
  });

  it('lives through a connection for changes that breaks its protocol', async () => {
    const { port } = new URL(url);
    const upgrade = [
      'GET / HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: vite-ping',
    ];
    const answer = await exchange(
      Number(port),
      `${upgrade.join('\r\n')}\r\n\r\n`,
      '\r\n\r\n',
      new Uint8Array([0xff, 0xff, 0xff]),
    );
    expect(answer).toContain(' 101 ');
    expect((await fetch(url)).status).toBe(200);
  });

  it('shows an edit where the author is, without scrolling', async () => {
    const page = await open('/guides/start');
    await page.evaluate('scrollTo(0, 300)');
    const top = await page.evaluate('scrollY');
    expect(top).toBe(300);
    edit(startFile, 'The first of two.', 'The first of *several* steps.');
    await sees(page, 'The first of several steps.');
    await waitFor('the place in the page', VISIBLE_MS_MAX, async () =>
      (await page.evaluate('scrollY')) === top ? true : null,
    );
  });

  it.each([
    [2, 0],
    [2, 5],
    [2, 20],
    [2, 40],
    [20, 5],
  ])('shows the last of %i saves %i ms apart', async (saves, apart) => {
    const text = readFileSync(startFile, 'utf8');
    for (let save = 1; save <= saves; save += 1) {
      if (save > 1) await Bun.sleep(apart);
      writeFileSync(startFile, `${text}\nSave ${save} of ${saves}.\n`);
    }
    await waitFor('the last save', LAST_SAVE_MS_MAX, async () => {
      const shown = await (await fetch(new URL('/guides/start.md', url))).text();
      return shown.includes(`Save ${saves} of ${saves}.`) ? true : null;
    });
    writeFileSync(startFile, text);
    // The next begins with a file at rest.
    await Bun.sleep(QUIET_MS);
  });

  it('shows a mistake as a sentence with its line, and takes it away when it is fixed', async () => {
    const page = await open('/guides/start');
    edit(startFile, '(/guides/deep/leaf)', '(/guides/deep/loaf)');
    await sees(page, 'start.mdx:9: The link /guides/deep/loaf leads nowhere');
    edit(startFile, '(/guides/deep/loaf)', '(/guides/deep/leaf)');
    await page.waitForFunction(`document.querySelector('[data-problems]') === null`, undefined, {
      timeout: VISIBLE_MS_MAX,
    });
  });

  it('lives through a page that is no MDX', async () => {
    const page = await open('/guides/deep/leaf');
    const leaf = join(pages, 'guides', 'deep', 'leaf.mdx');
    edit(leaf, 'One sentence.', '<Callout>');
    await sees(page, 'leaf.mdx:7: This is not MDX');
    edit(leaf, '<Callout>', 'Fixed.');
    await sees(page, 'Fixed.');
  });

  it('takes in new pages and menus', async () => {
    const page = await open('/guides/new');
    expect(await page.title()).toContain('Not found');
    writeFileSync(
      join(pages, 'guides', 'new.mdx'),
      readFileSync(startFile, 'utf8').replace('title: First steps', 'title: Newest'),
    );
    await sees(page, 'No menu lists this page');
    edit(join(pages, 'guides', 'menu.yaml'), '- page: start', '- page: new\n  label: Newest of all\n- page: start');
    await sees(page, 'Newest of all');
    expect(await page.title()).toContain('Newest');
  });
});

describe('the command of the authoring server', () => {
  it.each([
    [['--port', '99999'], /^--port is 99999; it must be a port, or 0 for any\.\n$/],
    [['--port', 'abc'], /^--port is abc; it must be a port, or 0 for any\.\n$/],
    [['--prot', '0'], /^Unknown option '--prot'.*\n$/],
    [['--port', '0', '--pages', '/nowhere/pages'], /^\/nowhere\/pages is no folder of pages; .*\n$/],
  ])('refuses %j in a sentence', (options, sentence) => {
    const command = [process.execPath, join(import.meta.dirname, 'main.ts'), ...options];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdio: ['ignore', 'pipe', 'pipe'] });
    expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([2, '', expect.stringMatching(sentence)]);
  });
});

/** The first line of the answer to a request that a client would change before it is sent. */
function statusLineOf(port: number, target: string): Promise<string> {
  return exchange(port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`, '\r\n');
}

/** What a server sends, up to `end`; or, with `afterwards`, which is sent then, until the connection is over. */
async function exchange(port: number, request: string, end: string, afterwards?: Uint8Array): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(connection, bytes) {
        const isAnswer = text.includes(end);
        text += bytes.toString('latin1');
        if (isAnswer) resolve(text);
        else if (!text.includes(end)) return;
        else if (afterwards === undefined) resolve(text.slice(0, text.indexOf(end)));
        else if (connection.write(afterwards) > 0) connection.end();
      },
      close: () => resolve(text),
    },
  });
  socket.write(request);
  return promise.finally(() => socket.end());
}
