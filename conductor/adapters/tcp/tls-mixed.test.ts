import { createConnection } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Metrics } from '#conductor/core/ports';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { dialRoutes, routesAfter } from './dial-routes.ts';
import { PlainPeers } from './plain-peers.ts';
import { Endpoint, acknowledge, append } from './testing/endpoint.ts';
import { rawConnect } from './testing/raw-peer.ts';
import { ThrowawayCa } from './testing/throwaway-ca.ts';
import type { TcpTransportOptions } from './transport.ts';
import type { TlsSettings } from './tls.ts';

const WAIT_MS = 10_000;
const POLL_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'conductor-mixed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ca = new ThrowawayCa('cluster ca');
const foreignCa = new ThrowawayCa('cluster ca');
let files = 0;
/** Of the endpoint opened last: open connections without TLS, by direction. */
let plain: Record<string, number> = {};
let rejections: string[] = [];
beforeEach(() => {
  plain = {};
  rejections = [];
});

function settings(commonName: string, isMixed: boolean, issuer = ca): TlsSettings {
  const { certPem, keyPem } = issuer.issue({ commonName });
  const write = (text: string): string => {
    files += 1;
    const path = join(folder, `${files}.pem`);
    writeFileSync(path, text);
    return path;
  };
  return { certFile: write(certPem), keyFile: write(keyPem), caFile: write(ca.caPem), isMixed };
}

/** Plain text without settings. */
async function open(tls?: TlsSettings, more: Partial<TcpTransportOptions> = {}): Promise<Endpoint> {
  const own: Record<string, number> = {};
  plain = own;
  const metrics: Metrics = {
    count: (name: string, labels?: Readonly<Record<string, string>>) => {
      if (name === 'raft_connections_rejected_total') rejections.push(String(labels?.['reason']));
    },
    gauge: (name: string, value: number, labels?: Readonly<Record<string, string>>) => {
      if (name === 'raft_plain_connections') own[String(labels?.['direction'])] = value;
    },
    observe: () => undefined,
  };
  const endpoint = await Endpoint.open({ ...(tls === undefined ? {} : { tls }), metrics, ...more });
  endpoint.answer = acknowledge;
  closers.push(() => endpoint.transport.close());
  return endpoint;
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while (!(await isTrue()))
    if (performance.now() > deadlineMs) throw new Error(`waited ${WAIT_MS} ms in vain for ${what}`);
}

describe('in mixed mode', () => {
  const modes = ['plain', 'mixed', 'require'] as const;
  const of = (id: string, mode: (typeof modes)[number]): TlsSettings | undefined =>
    mode === 'plain' ? undefined : settings(id, mode === 'mixed');
  const pairs = modes.flatMap((from) => modes.map((to) => [from, to] as const));

  test.each(pairs.filter((pair) => pair.includes('mixed')))(
    'a server hears every other: %s dials %s',
    async (from, to) => {
      const b = await open(of('b', to));
      const inbound = plain;
      const a = await open(of('a', from));
      const large = a.send(b.address, { channel: 'replicate', request: append(1, 5_000_000) });
      expect(await a.outcome(large)).toMatchObject({ kind: 'response' });
      expect(b.of('request')[0]?.request).toMatchObject({ prevLogIndex: 1, id: 'a' });
      const isTls = from !== 'plain' && to !== 'plain';
      expect([plain['out'], inbound['in']]).toEqual(isTls ? [0, 0] : [1, 1]);
    },
  );

  test.each(pairs.filter((pair) => !pair.includes('mixed') && pair[0] !== pair[1]))(
    'and only then: %s does not reach %s',
    async (from, to) => {
      const [a, b] = [await open(of('a', from)), await open(of('b', to))];
      expect((await a.outcome(a.send(b.address))).kind).toBe('failed');
      expect(b.of('request')).toHaveLength(0);
    },
  );

  test('a certificate that is refused costs the encryption, not the connection, and is counted', async () => {
    const b = await open(settings('b', true));
    const a = await open(settings('a', true, foreignCa));
    await until('an answer', async () => (await a.outcome(a.send(b.address))).kind === 'response');
    expect(plain['out']).toBe(1);
    expect(rejections).toContain('unauthorized');
  });

  test('a request over TLS that names another server than the certificate is refused as ever', async () => {
    const [a, b] = [await open(settings('a', true)), await open(settings('b', true))];
    expect(await a.outcome(a.send(b.address, { request: append(1, undefined, 'c') }))).toMatchObject({
      kind: 'failed',
    });
    expect(b.of('request')).toHaveLength(0);
  });

  test('a plain connection gives way to TLS once the peer takes it', async () => {
    let nowMs = performance.now();
    const b = await open();
    const a = await open(settings('a', true), { now: () => nowMs });
    const port = b.transport.port;
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect(plain['out']).toBe(1);
    const out = plain;
    await b.transport.close();
    const again = await open(settings('b', true), { listen: { hostname: '127.0.0.1', port } });
    await until('TLS', async () => {
      nowMs += 60_000;
      return (await a.outcome(a.send(again.address))).kind === 'response' && out['out'] === 0;
    });
  });

  test('what one side sends in one go and the other reads late arrives whole, both ways', async () => {
    const [a, b] = [await open(settings('a', true)), await open(settings('b', true))];
    const sent = Array.from({ length: 30 }, (_, at) =>
      a.send(b.address, { channel: 'replicate', request: append(at, 1_000_000) }),
    );
    const answers = await a.received('response', sent.length);
    expect(answers.map(({ requestId }) => requestId)).toEqual(sent);
  });

  test('a peer that is gone in the middle of a handshake leaves nothing behind', async () => {
    const b = await open(settings('b', true));
    for (let at = 0; at < 20; at += 1) {
      const raw = await rawConnect(b.transport.port);
      raw.write(Uint8Array.of(0x16, 3, 1, 0));
      if (at % 2 === 0) raw.socket.terminate();
      else raw.socket.end();
    }
    const a = await open(settings('a', true));
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect(b.of('request')).toHaveLength(1);
  });

  test('a peer that is turned away and does not close its side holds no connection', async () => {
    const b = await open(settings('b', true));
    const socket = createConnection({ host: '127.0.0.1', port: b.transport.port, allowHalfOpen: true });
    closers.push(() => socket.destroy());
    let hasFailed = false;
    socket.on('error', () => {
      hasFailed = true;
    });
    socket.resume();
    socket.write(new Uint8Array(64).fill(0x16));
    await until('the connection to be gone', async () => {
      if (!socket.destroyed) socket.write(new Uint8Array(1));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      return hasFailed || socket.destroyed;
    });
  });

  test('reading the files again serves new certificates at the same port', async () => {
    const ofB = settings('b', true);
    const b = await open(ofB);
    const { port } = b.transport;
    const renewed = ca.issue({ commonName: 'renewed' });
    writeFileSync(ofB.certFile, renewed.certPem);
    writeFileSync(ofB.keyFile, renewed.keyPem);
    b.transport.reload();
    expect(b.transport.port).toBe(port);
    const a = await open(settings('a', false));
    expect(await a.outcome(a.send(b.address))).toMatchObject({ reason: 'unauthorized' });
    expect((await a.outcome(a.send(b.address, { peerId: 'renewed' }))).kind).toBe('response');
  });

  test('a connection in plain text says what it wants to, as without TLS', async () => {
    const b = await open(settings('b', true));
    const raw = await rawConnect(b.transport.port);
    for (const byte of Buffer.concat(encodeRequest(append(7)))) raw.write(Uint8Array.of(byte));
    await b.received('request');
    expect(plain['in']).toBe(1);
  });
});

describe('routes of a dial', () => {
  const tls = settings('a', true);

  test('are each address, with TLS first', () => {
    expect(dialRoutes(['1', '2'], tls, false)).toEqual([
      { address: '1', tls },
      { address: '1', tls: null },
      { address: '2', tls },
      { address: '2', tls: null },
    ]);
    expect(dialRoutes(['1'], tls, true)).toEqual([{ address: '1', tls: null }]);
    const required = { ...tls, isMixed: false };
    expect(dialRoutes(['1'], required, true)).toEqual([{ address: '1', tls: required }]);
  });

  test('lead past an address where nobody listens', () => {
    const [first, ...others] = dialRoutes(['1', '2'], tls, false);
    const left = (reason: 'refused' | 'unreachable' | 'reset' | 'unauthorized'): string[] =>
      routesAfter({ reason, message: '' }, first!, others).map(({ address }) => address);
    expect([left('refused'), left('unreachable')]).toEqual([
      ['2', '2'],
      ['2', '2'],
    ]);
    expect([left('reset'), left('unauthorized')]).toEqual([
      ['1', '2', '2'],
      ['1', '2', '2'],
    ]);
  });
});

test('a peer that refused us is dialled without TLS for a while, or until that fails', () => {
  let nowMs = 0;
  const peers = new PlainPeers(true, () => nowMs);
  const refusal = { reason: 'unauthorized', message: '' } as const;
  peers.lost('b', { reason: 'reset', message: '' }, true);
  expect(peers.has('b')).toBe(false);
  peers.lost('b', refusal, true);
  expect([peers.has('b'), peers.has('c')]).toEqual([true, false]);
  peers.lost('b', { reason: 'reset', message: '' }, false);
  expect(peers.has('b')).toBe(false);
  peers.lost('b', refusal, true);
  nowMs += 60_000;
  expect(peers.has('b')).toBe(false);
  const strict = new PlainPeers(false, () => nowMs);
  strict.lost('b', refusal, true);
  expect(strict.has('b')).toBe(false);
});
