import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../cluster/wait.ts';
import { openBrowser } from './chromium.ts';
import { useBrowser } from './suite.ts';

const END_MS_MAX = 30_000;
const HOLDER = `
  import { openBrowser } from ${JSON.stringify(join(import.meta.dirname, 'chromium.ts'))};
  const browser = await openBrowser();
  if (typeof browser === 'string') throw new Error(browser);
  const page = await browser.newPage();
  await page.goto('data:text/html,<p>held');
  console.log('open');
  await new Promise(() => setInterval(() => {}, 1000));`;

describe('a browser for tests', () => {
  const suite = useBrowser();

  it('runs scripts and paints', async () => {
    const page = await suite.newPage({ viewport: { width: 320, height: 200 } });
    await page.goto('data:text/html,<body style="background:rgb(1,2,3)"><script>document.title = 6 * 7</script>');
    expect(await page.title()).toBe('42');
    const picture = await page.screenshot();
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([320, 200]);
  });

  it('keeps pages apart', async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') });
    try {
      const [writer, reader] = [await suite.newPage(), await suite.newPage()];
      await writer.goto(server.url.href);
      await reader.goto(server.url.href);
      await writer.evaluate(`localStorage.setItem('key', 'value')`);
      expect(await writer.evaluate(`localStorage.getItem('key')`)).toBe('value');
      expect(await reader.evaluate(`localStorage.getItem('key')`)).toBeNull();
    } finally {
      await server.stop(true);
    }
  });

  it('speaks one language, in one time zone, and has letters for it', async () => {
    const page = await suite.newPage();
    await page.goto('data:text/html,<span style="font-size:100px">mmm</span><span style="font-size:100px">iii</span>');
    expect(await page.evaluate('[navigator.language, (1234.5).toLocaleString(), new Date(0).getHours()]')).toEqual([
      'en-US',
      '1,234.5',
      0,
    ]);
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('span')].map((span) => span.getBoundingClientRect().width)`,
    );
    // Without fonts all letters are as wide as each other.
    expect(widths[0]).toBeGreaterThan(2 * (widths[1] ?? Number.NaN));
  });

  it('opens beside another', async () => {
    const others = await Promise.all([openBrowser(), openBrowser()]);
    for (const other of others) {
      if (typeof other === 'string') throw new Error(other);
      expect(other.isConnected()).toBe(true);
      await other.close();
    }
  });

  it('leaves no process when whoever opened it is killed', async () => {
    const holder = Bun.spawn([process.execPath, '-e', HOLDER], { stdout: 'pipe', stderr: 'inherit' });
    const { value } = await holder.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toContain('open');
    const family = descendants(holder.pid);
    expect(family.length).toBeGreaterThan(2);
    holder.kill('SIGKILL');
    await waitFor('Chromium to end', END_MS_MAX, () => family.every((pid) => !existsSync(`/proc/${pid}`)) || null);
  });
});

function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    try {
      // pid (name) state parent …; the name may hold spaces and brackets.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.set(pid, Number(fields[1]));
    } catch {
      // It ended since it was listed.
    }
  }
  const family = [root];
  for (const ancestor of family) {
    for (const [pid, parent] of parents) if (parent === ancestor) family.push(pid);
  }
  return family.slice(1);
}
