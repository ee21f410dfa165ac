/** What the console demands beyond loopback, and its own TLS: who is let in, and certificates that are renewed. */
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest';
import { noCredentials } from '#conductor/operate/cluster-config';
import { certificateEndMs } from './certificates.ts';
import { startConsole, type ConsoleOptions, type RunningConsole } from './console.ts';
import { loopbackConsole } from './testing/loopback-console.ts';
import { ConsoleListener, whyTooOpen, type ConsoleTls } from './listener.ts';
import { StandInCluster } from './testing/stand-in-cluster.ts';

const makeCa = join(import.meta.dirname, '../../infra/tls/make-ca.sh');

const hasOpenssl = Bun.which('openssl') !== null;
const folder = mkdtempSync(join(tmpdir(), 'console-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two authorities, each with the same names. */
beforeAll(() => {
  for (const authority of hasOpenssl ? ['own', 'other'] : []) {
    const { exitCode, stderr } = Bun.spawnSync(['sh', makeCa, join(folder, authority), 'localhost', 'alice']);
    if (exitCode !== 0) throw new Error(stderr.toString());
  }
}, 60_000);

function certificates(context: TestContext): Record<'own' | 'other', (name: string) => string> {
  if (!hasOpenssl) context.skip('openssl is not installed');
  return { own: (name) => join(folder, 'own', name), other: (name) => join(folder, 'other', name) };
}

async function start(tls: ConsoleTls | null, more: Partial<ConsoleOptions> = {}): Promise<RunningConsole> {
  const cluster = new StandInCluster();
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const running = await startConsole(loopbackConsole([cluster.config], { tls, version: 'v0', ...more }));
  onTestFinished(() => running.stop());
  return running;
}

const given = { hostname: '0.0.0.0', tls: null, tokensFile: '', publicUrl: null } as const;
const plain: ConsoleTls = { certFile: 'c', keyFile: 'k', clientCaFile: '' };
const mutual: ConsoleTls = { ...plain, clientCaFile: 'ca' };

test.each([
  ['loopback alone', { ...given, hostname: '127.0.0.1' }, null],
  ['nothing', given, '--tokens-file'],
  ['its own TLS and nobody asked who they are', { ...given, tls: plain }, '--tls-client-ca'],
  ['tokens in the open', { ...given, tokensFile: 't' }, 'in the open'],
  ['tokens, and a proxy without TLS', { ...given, tokensFile: 't', publicUrl: new URL('http://a/') }, 'in the open'],
  ['tokens, and a proxy with TLS', { ...given, tokensFile: 't', publicUrl: new URL('https://a/') }, null],
  ['tokens behind its own TLS', { ...given, tls: plain, tokensFile: 't' }, null],
  ['mutual TLS', { ...given, tls: mutual }, null],
])('beyond loopback: %s', async (_, exposure, why) => {
  if (why === null) return expect(whyTooOpen(exposure)).toBeNull();
  expect(whyTooOpen(exposure)).toContain(why);
  // It is asked before anything is opened.
  return expect(start(exposure.tls, exposure)).rejects.toThrow(why);
});

test('with mutual TLS nobody gets an answer without a certificate of the authority, and whoever has one may look', async (context) => {
  const { own: file, other } = certificates(context);
  const running = await start({
    certFile: file('localhost.pem'),
    keyFile: file('localhost.key'),
    clientCaFile: file('ca.pem'),
  });
  const ca = readFileSync(file('ca.pem'), 'utf8');
  const at = `https://localhost:${running.port}`;
  const ask = (path: string, from: typeof file | null, headers: Record<string, string> = {}): Promise<Response> => {
    const shown =
      from === null
        ? {}
        : { cert: readFileSync(from('alice.pem'), 'utf8'), key: readFileSync(from('alice.key'), 'utf8') };
    return fetch(`${at}${path}`, { tls: { ca, ...shown }, headers, redirect: 'manual', keepalive: false });
  };
  await expect(ask('/', null)).rejects.toThrow(/TLS|closed/);
  const credentials = { ...noCredentials, clientCertFile: file('alice.pem'), clientKeyFile: file('alice.key') };
  const cluster = new StandInCluster();
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const server = { ...cluster.config.servers[0]!, conductor: at, credentials };
  const endMs = Date.parse(new X509Certificate(readFileSync(file('localhost.pem'))).validTo);
  expect(await certificateEndMs(server)).toBe(endMs);
  expect(await certificateEndMs({ ...server, conductor: `https://127.0.0.1:${running.port}` })).toBe(endMs);
  await expect(ask('/', other)).rejects.toThrow(/TLS|closed/);
  const page = await ask('/', file);
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  expect(page.headers.get('set-cookie')).toContain('; Secure');
  expect(await (await ask('/api/session', file, { cookie })).json()).toMatchObject({ name: '', mayAct: false });
  const { proof } = (await (await ask('/api/session', file, { cookie })).json()) as { proof: string };
  const refused = await fetch(`${at}/api/clusters/mainnet/silences`, {
    method: 'POST',
    tls: { ca, cert: readFileSync(file('alice.pem'), 'utf8'), key: readFileSync(file('alice.key'), 'utf8') },
    headers: { cookie, 'x-console-proof': proof },
    body: JSON.stringify({ text: 'x', reason: 'y', hours: 1 }),
  });
  expect([refused.status, await refused.text()]).toEqual([403, 'nobody knows who you are\n']);
  // The link still says who is there.
  const entered = await ask(new URL(running.link()).pathname, file);
  const named = entered.headers.get('set-cookie')!.split(';')[0]!;
  expect(await (await ask('/api/session', file, { cookie: named })).json()).toMatchObject({ mayAct: true });
});

test('a renewed certificate is taken into use, one that cannot be used is not', async (context) => {
  const { own: file, other: renewed } = certificates(context);
  const [certFile, keyFile] = [join(folder, 'used.pem'), join(folder, 'used.key')];
  copyFileSync(file('localhost.pem'), certFile);
  copyFileSync(file('localhost.key'), keyFile);
  const said: string[] = [];
  const running = await start(
    { certFile, keyFile, clientCaFile: '' },
    { logger: { log: (_, text) => void said.push(text) } },
  );
  const isServedBy = async (ca: string): Promise<boolean> => {
    const asked = fetch(`https://localhost:${running.port}/healthz`, {
      tls: { ca: readFileSync(ca, 'utf8') },
      keepalive: false,
    });
    return asked.then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    const deadlineMs = performance.now() + 20_000;
    while (!(await holds())) {
      expect(performance.now()).toBeLessThan(deadlineMs);
      await Bun.sleep(50);
    }
  };
  expect(await isServedBy(file('ca.pem'))).toBe(true);
  writeFileSync(certFile, 'nothing');
  await until(() => said.includes('the changed certificate of the console cannot be used'));
  expect(await isServedBy(file('ca.pem'))).toBe(true);
  copyFileSync(renewed('localhost.key'), keyFile);
  copyFileSync(renewed('localhost.pem'), certFile);
  await until(() => isServedBy(renewed('ca.pem')));
});

test('a port that another program has ends the start, with the option that chooses another', () => {
  const options = { hostname: '127.0.0.1', tls: null, app: new Hono() as never, logger: { log: () => undefined } };
  const first = new ConsoleListener({ ...options, port: 0 });
  onTestFinished(() => first.stop());
  expect(() => new ConsoleListener({ ...options, port: first.port })).toThrow(/address already in use: .*--listen/);
});

test('a port that somebody takes while the certificate is renewed is taken back when it is free', async (context) => {
  const { own: file } = certificates(context);
  const [certFile, keyFile] = [join(folder, 'lost.pem'), join(folder, 'lost.key')];
  copyFileSync(file('localhost.pem'), certFile);
  copyFileSync(file('localhost.key'), keyFile);
  const said: string[] = [];
  const logger = { log: (_: string, text: string) => void said.push(text) };
  const tls = { certFile, keyFile, clientCaFile: '' };
  const app = new Hono().get('/', (answer) => answer.text('here'));
  const listener = new ConsoleListener({ hostname: '127.0.0.1', port: 0, tls, app: app as never, logger });
  onTestFinished(() => listener.stop());
  copyFileSync(file('alice.pem'), certFile);
  copyFileSync(file('alice.key'), keyFile);
  await listener.poll();
  const renewing = listener.poll();
  const other = Bun.serve({ hostname: '127.0.0.1', port: listener.port, fetch: () => new Response('other') });
  onTestFinished(() => other.stop(true));
  await renewing;
  await listener.poll();
  expect(said).toEqual(['the console cannot listen again']);
  await other.stop(true);
  await listener.poll();
  const url = `https://127.0.0.1:${listener.port}/`;
  const answer = await fetch(url, { tls: { rejectUnauthorized: false }, keepalive: false });
  expect([await answer.text(), said.at(-1)]).toEqual(['here', 'the certificate of the console was read again']);
});

test('files that do not belong together are refused at the start, by the flag', async (context) => {
  const { own: file } = certificates(context);
  const tls = { certFile: file('localhost.pem'), keyFile: file('alice.key'), clientCaFile: '' };
  await expect(start(tls)).rejects.toThrow('--tls-key');
  await expect(start({ ...tls, keyFile: file('nothing') })).rejects.toThrow('--tls-key');
  await expect(start({ ...tls, keyFile: file('localhost.key'), clientCaFile: makeCa })).rejects.toThrow(
    '--tls-client-ca',
  );
});
