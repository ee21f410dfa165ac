import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { ConfigError, StartupError } from '#conductor/core/errors';
import { listenOn } from './listen-on.ts';
import { Endpoint, acknowledge } from './testing/endpoint.ts';
import { ThrowawayCa, type CertificateRequest } from './testing/throwaway-ca.ts';
import { TlsWatch, type RenewableListener } from './tls-watch.ts';
import type { TlsSettings } from './tls.ts';

vi.mock('./listen-on.ts', { spy: true });

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'conductor-tls-watch-'));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ca = new ThrowawayCa();
const ofB: CertificateRequest = { commonName: 'b', validDays: 100 };
let files = 0;

function issue(request: CertificateRequest, issuer = ca): TlsSettings {
  files += 1;
  const path = (what: string): string => join(folder, `${files}.${what}`);
  const settings = { certFile: path('pem'), keyFile: path('key'), caFile: path('ca') };
  replace(settings, request, issuer);
  return settings;
}

function replace(settings: TlsSettings, request: CertificateRequest, issuer = ca): void {
  const { certPem, keyPem } = issuer.issue(request);
  writeFileSync(settings.certFile, certPem);
  writeFileSync(settings.keyFile, keyPem);
  writeFileSync(settings.caFile, issuer.caPem);
}

const unconcerned: RenewableListener = { reload: () => undefined, listenAgain: () => undefined, isListening: true };

function watch(settings: TlsSettings, listener = unconcerned) {
  const lines: string[] = [];
  const clock = { nowMs: Date.now() };
  const log = (level: string, message: string, fields = {}): void =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const shown = { expirySeconds: NaN };
  const ignore = (): void => undefined;
  const gauge = (_name: string, value: number): void => void (shown.expirySeconds = value);
  const counts: string[] = [];
  const count = (name: string, labels?: object): void => void counts.push(`${name} ${JSON.stringify(labels)}`);
  const metrics = { count, observe: ignore, gauge };
  const options = { settings, serverId: 'b', logger: { log }, metrics, listener, nowMs: () => clock.nowMs };
  const watched = new TlsWatch(options);
  watched.close();
  const settle = (): void => {
    watched.poll();
    watched.poll();
  };
  return { lines, clock, shown, counts, settle, watched };
}

async function open(tls: TlsSettings): Promise<Endpoint> {
  const endpoint = await Endpoint.open({ tls });
  endpoint.answer = acknowledge;
  closers.push(() => endpoint.transport.close());
  return endpoint;
}

describe('certificates', () => {
  test.each<[string, CertificateRequest]>([
    ['another server', { commonName: 'a', dnsNames: ['a', 'c'] }],
    ['nobody', { commonName: '' }],
  ])('of %s are refused at the start, in words', (_, request) => {
    expect(() => watch(issue(request))).toThrow(ConfigError);
    expect(() => watch(issue(request))).toThrow(/not for the server id b: no conductor would talk to this one/);
  });

  test('of this server by either kind of name are taken, silently while they last', () => {
    expect(watch(issue(ofB)).lines).toEqual([]);
    expect(watch(issue({ commonName: '', dnsNames: ['x', 'b'], validDays: 100 })).lines).toEqual([]);
  });

  test('that expire are announced, once, and again as an error when it has happened', () => {
    const { lines, clock, settle } = watch(issue(ofB));
    clock.nowMs += 90 * DAY_MS;
    for (let each = 0; each < 3; each += 1) settle();
    expect(lines).toEqual([
      expect.stringMatching(/^warn the TLS certificate of this conductor expires soon .*validTo/),
    ]);
    clock.nowMs += 20 * DAY_MS;
    for (let each = 0; each < 3; each += 1) settle();
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^error the TLS certificate of this conductor has expired/)]);
  });

  test('that are renewed are used for new connections without a restart, and open ones stay', async () => {
    const [dialler, listener] = [issue({ commonName: 'a' }), issue(ofB)];
    const [a, b] = [await open(dialler), await open(listener)];
    const { lines, shown, settle } = watch(listener, b.transport);
    const before = shown.expirySeconds;
    expect(before * 1000).toBeGreaterThan(Date.now() + 99 * DAY_MS);
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    const renewed = new ThrowawayCa('new ca');
    replace(listener, { ...ofB, validDays: 200 }, renewed);
    replace(dialler, { commonName: 'a' }, renewed);
    settle();
    expect(shown.expirySeconds - before).toBeGreaterThan((99 * DAY_MS) / 1000);
    expect(lines).toEqual([expect.stringMatching(/^info read the TLS files again, for new connections/)]);
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect((await a.outcome(a.send(b.address, { channel: 'vote' }))).kind).toBe('response');
    expect(b.of('inboundClosed')).toHaveLength(0);
  });

  test('that are renewed when the port cannot be opened again: an alarm, each minute, and tries until it is open', async () => {
    const [dialler, listener] = [issue({ commonName: 'a' }), issue(ofB)];
    const [a, b] = [await open(dialler), await open(listener)];
    const { lines, clock, shown, counts, watched } = watch(listener, b.transport);
    const before = shown.expirySeconds;
    const renewed = new ThrowawayCa('new ca');
    replace(listener, { ...ofB, validDays: 200 }, renewed);
    replace(dialler, { commonName: 'a' }, renewed);
    const taken = vi.mocked(listenOn).mockImplementation(() => {
      throw new StartupError('the raft transport cannot listen (EADDRINUSE)');
    });
    closers.push(() => taken.mockRestore());
    watched.reload();
    watched.poll();
    watched.poll();
    expect(b.transport.isListening).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^error the raft port is closed.*EADDRINUSE/)]);
    expect((await a.outcome(a.send(b.address))).kind).not.toBe('response');
    clock.nowMs += 60_000;
    watched.poll();
    expect(lines).toHaveLength(2);
    expect(counts).toEqual(Array(2).fill('alarms_total {"kind":"port-closed"}'));
    taken.mockRestore();
    watched.poll();
    expect(b.transport.isListening).toBe(true);
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^info the raft port is open again/),
      expect.stringMatching(/^info read the TLS files again/),
    ]);
    expect(shown.expirySeconds).toBeGreaterThan(before);
    expect((await a.outcome(a.send(b.address, { channel: 'vote' }))).kind).toBe('response');
  });

  test('are read when somebody asks for it, changed or not, and not once more when the change has settled', () => {
    const settings = issue(ofB);
    const { lines, settle, watched } = watch(settings);
    replace(settings, { ...ofB, validDays: 200 });
    watched.reload();
    settle();
    watched.reload();
    expect(lines).toEqual(Array(2).fill(expect.stringMatching(/^info read the TLS files again/)));
    writeFileSync(settings.certFile, 'x');
    watched.reload();
    settle();
    expect(lines.slice(2)).toEqual([expect.stringMatching(/^warn the TLS files cannot be used as they are now/)]);
  });

  test.each<[string, (settings: TlsSettings) => void]>([
    ['another server', (settings) => replace(settings, { commonName: 'a' })],
    ['nothing', (settings) => rmSync(settings.certFile)],
    ['no certificate', (settings) => writeFileSync(settings.certFile, 'x')],
    ['another key', (settings) => writeFileSync(settings.keyFile, ca.issue(ofB).keyPem)],
    ['no CA', (settings) => writeFileSync(settings.caFile, '')],
  ])('replaced by those of %s leave the listener as it was, with one warning', async (_, change) => {
    const [dialler, listener] = [issue({ commonName: 'a' }), issue(ofB)];
    const [a, b] = [await open(dialler), await open(listener)];
    const { lines, shown, settle } = watch(listener, b.transport);
    const before = shown.expirySeconds;
    change(listener);
    for (let each = 0; each < 3; each += 1) settle();
    expect(shown.expirySeconds).toBe(before);
    expect(lines).toEqual([expect.stringMatching(/^warn the TLS files cannot be used as they are now/)]);
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    replace(listener, ofB);
    settle();
    expect((await a.outcome(a.send(b.address, { channel: 'vote' }))).kind).toBe('response');
  });
});
