import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe.ts';
import { useBrowser } from './suite.ts';

const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'";
const page = (style: string, image: string) =>
  `<!doctype html><html lang="en"><title>A page</title><style>${style}</style>
   <main><h1>A page</h1><p>Words in it.</p>${image}</main>`;
const pages: Readonly<Record<string, string>> = {
  '/sound': page('p { color: #222; background: #fff }', '<img alt="A dot" src="data:,">'),
  '/faint': page('p { color: #ddd; background: #fff }', '<img src="data:,">'),
  '/night': page('@media (prefers-color-scheme: dark) { p { color: #333; background: #000 } }', ''),
};

describe('axe over a page', () => {
  const browser = useBrowser();
  let server: Bun.Server<undefined>;

  beforeAll(() => {
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const url = new URL(request.url);
        const headers = {
          'Content-Type': 'text/html',
          ...(url.search === '?strict' ? { 'Content-Security-Policy': POLICY } : {}),
        };
        return new Response(pages[url.pathname], { headers });
      },
    });
  });

  afterAll(() => server.stop(true));

  async function violations(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> {
    const opened = await browser.newPage({ colorScheme });
    await opened.goto(new URL(path, server.url).href);
    return axeViolations(opened);
  }

  it('is content with a sound page, also under a policy that forbids foreign scripts', async () => {
    expect(await violations('/sound')).toEqual([]);
    expect(await violations('/sound?strict')).toEqual([]);
  });

  it('names rule, place and reason of each mistake', async () => {
    const found = await violations('/faint');
    expect(found).toEqual([
      expect.stringMatching(/^color-contrast: .*: p: .*contrast/),
      expect.stringMatching(/^image-alt: .*: img: /),
    ]);
  });

  it('sees the theme that the page is shown in', async () => {
    expect(await violations('/night', 'light')).toEqual([]);
    expect(await violations('/night', 'dark')).toEqual([expect.stringMatching(/^color-contrast: /)]);
  });
});
