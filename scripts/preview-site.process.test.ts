/** `npm run docs:preview` as a process: it serves, it leaves nothing running however it ends, and it writes nowhere else. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../tests/cluster/wait.ts';
import { edgeCommand } from './edge-command.ts';

const START_MS_MAX = 60_000;
const END_MS_MAX = 20_000;
const SCRIPT = join(import.meta.dirname, 'preview-site.ts');

describe('the preview', () => {
  let folder = '';
  let site = '';
  let running: Bun.Subprocess[] = [];

  beforeEach((context) => {
    const command = edgeCommand(0, '');
    if (typeof command === 'string') context.skip(command);
    folder = mkdtempSync(join(tmpdir(), 'preview-'));
    site = mkdtempSync(join(tmpdir(), 'preview-site-'));
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>Home</title>');
    writeFileSync(join(site, '404.html'), '<!doctype html><title>Not found</title>');
  });

  afterEach(() => {
    for (const one of running) one.kill('SIGKILL');
    running = [];
    rmSync(folder, { recursive: true, force: true });
    rmSync(site, { recursive: true, force: true });
  });

  /** Started in an empty home and an empty folder for what is temporary. */
  function start(...options: readonly string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder };
    const preview = Bun.spawn([process.execPath, SCRIPT, '--site', site, ...options], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(preview);
    return preview;
  }

  async function addressOf(preview: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<string> {
    let output = '';
    const decoder = new TextDecoder();
    for await (const chunk of preview.stdout) {
      output += decoder.decode(chunk, { stream: true });
      const [address] = /http:\/\/\S+/.exec(output) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error(`It ended before it served: ${await preview.stderr.text()}`);
  }

  function noAnswer(address: string): Promise<true> {
    return waitFor('the port to be closed', END_MS_MAX, async () => ((await answers(address)) ? null : true));
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'serves until %s, and then nothing answers any more',
    async (signal, code) => {
      const preview = start('--port', '0');
      const address = await addressOf(preview);
      const home = await fetch(address);
      expect([home.status, await home.text()]).toEqual([200, '<!doctype html><title>Home</title>']);
      expect((await fetch(new URL('/nowhere', address))).status).toBe(404);
      preview.kill(signal);
      expect(await preview.exited).toBe(code);
      await noAnswer(address);
      expect(readdirSync(folder)).toEqual([]);
    },
    START_MS_MAX + END_MS_MAX,
  );

  it(
    'leaves nothing running when it is killed with −9',
    async () => {
      const preview = start('--port', '0');
      const address = await addressOf(preview);
      preview.kill('SIGKILL');
      await noAnswer(address);
    },
    START_MS_MAX + END_MS_MAX,
  );

  it(
    'ends with a sentence when its port is taken',
    async () => {
      const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
      const preview = start('--port', String(taken.port));
      expect(await preview.exited).not.toBe(0);
      expect(await preview.stderr.text()).toMatch(new RegExp(`${taken.port}.*in use`, 'is'));
      taken.stop(true);
    },
    START_MS_MAX,
  );

  it.each(['-1', '65536', 'http', '1e3'])('refuses --port=%s', async (port) => {
    const preview = start(`--port=${port}`);
    expect(await preview.exited).toBe(2);
    expect(await preview.stderr.text()).toContain('--port is');
  });

  it('refuses a --site where there is none, and builds nothing there', async () => {
    rmSync(join(site, 'index.html'));
    const preview = start('--port', '0');
    expect(await preview.exited).toBe(2);
    expect(await preview.stderr.text()).toBe(
      `There is no built site in ${site}; npm run docs:build -- --out builds one there.\n`,
    );
    expect(readdirSync(site)).toEqual(['404.html']);
  });
});

async function answers(address: string): Promise<boolean> {
  try {
    await fetch(address, { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError';
  }
}
