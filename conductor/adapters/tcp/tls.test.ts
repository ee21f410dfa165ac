import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/core/errors';
import type { Metrics } from '#conductor/core/ports';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { Endpoint, acknowledge, append, eventually } from './testing/endpoint.ts';
import { RawServer, rawConnect } from './testing/raw-peer.ts';
import { ThrowawayCa, type CertificateRequest } from './testing/throwaway-ca.ts';
import { readTlsMaterial, type TlsSettings } from './tls.ts';
import type { TcpTransportOptions } from './transport.ts';

const folder = mkdtempSync(join(tmpdir(), 'conductor-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ca = new ThrowawayCa('cluster ca');
const foreignCa = new ThrowawayCa('cluster ca');
let files = 0;

function write(text: string): string {
  files += 1;
  const path = join(folder, `${files}.pem`);
  writeFileSync(path, text);
  return path;
}

/** Settings of a server whose certificate `issuer` signed and who trusts `trusted`. */
function settings(request: CertificateRequest, issuer = ca, trusted = ca): TlsSettings {
  const { certPem, keyPem } = issuer.issue(request);
  return { certFile: write(certPem), keyFile: write(keyPem), caFile: write(trusted.caPem) };
}

async function open(tls: TlsSettings, counted?: string[]): Promise<Endpoint> {
  const metrics: Metrics = {
    count: (name: string, labels?: Readonly<Record<string, string>>) =>
      void counted?.push([name, ...Object.values(labels ?? {})].join(' ')),
    gauge: () => undefined,
    observe: () => undefined,
  };
  const endpoint = await Endpoint.open({ tls, metrics });
  endpoint.answer = acknowledge;
  closers.push(() => endpoint.transport.close());
  return endpoint;
}

const A: CertificateRequest = { commonName: 'a' };
const B: CertificateRequest = { commonName: 'b' };

describe('mutual TLS', () => {
  test.each([
    ['common names', A, B],
    ['alternative names', { commonName: '', dnsNames: ['other', 'a'] }, { commonName: 'x', dnsNames: ['b', 'other'] }],
  ] as const)('carries requests between servers named by %s', async (_, ofA, ofB) => {
    const [a, b] = [await open(settings(ofA)), await open(settings(ofB))];
    const ids = Array.from({ length: 20 }, (_unused, i) =>
      a.send(b.address, { channel: 'replicate', request: append(i, i === 3 ? 20_000_000 : 1000) }),
    );
    const responses = await a.received('response', 20);
    expect(responses.map((one) => one.requestId)).toEqual(ids);
    expect(b.of('request')[3]!.request).toMatchObject({ prevLogIndex: 3 });
    const entries = b
      .of('request')
      .map((one) => (one.request.kind === 'append' ? one.request.entries![0]!.data! : null));
    expect(Buffer.compare(entries[3]!, new Uint8Array(20_000_000).fill(3))).toBe(0);
  });

  const serverCases: readonly (readonly [string, () => TlsSettings])[] = [
    ['another CA of the same name', () => settings(B, foreignCa)],
    ['another name', () => settings({ commonName: 'c', dnsNames: ['c'] })],
    ['an expired one', () => settings({ ...B, validDays: -1 })],
  ];
  test.each(serverCases)('a listener whose certificate is %s gets no request', async (_, tls) => {
    const [a, b] = [await open(settings(A)), await open(tls())];
    expect(await a.outcome(a.send(b.address))).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    expect(b.of('request')).toHaveLength(0);
  });

  test('a CA file of two authorities accepts both, so that one can follow the other without an interruption', async () => {
    const next = new ThrowawayCa('next ca');
    const both = write(`${next.caPem}${ca.caPem}`);
    const [a, b] = [
      await open({ ...settings(A, ca), caFile: both }),
      await open({ ...settings(B, next), caFile: both }),
    ];
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    const fromB = append(1, undefined, 'b');
    expect((await b.outcome(b.send(a.address, { peerId: 'a', request: fromB }))).kind).toBe('response');
  });

  test('a flood behind an unanswered request is not read either', async () => {
    const flood = 100;
    const request = append(1, 1_000_000);
    const limits = { sendQueueBytesMax: 2 * flood * 1_000_000 };
    let queued = 0;
    const metrics: Metrics = {
      count: () => undefined,
      gauge: (name: string, value: number) => {
        if (name === 'raft_send_queue_bytes') queued = value;
      },
      observe: () => undefined,
    };
    const a = await Endpoint.open({ tls: settings(A), limits, metrics });
    closers.push(() => a.transport.close());
    const b = await open(settings(B));
    b.answer = (one) => (one.kind === 'append' && one.entries !== null ? null : acknowledge(one));
    for (let i = 0; i < flood; i += 1) a.send(b.address, { channel: 'replicate', request, timeoutMs: 60_000 });
    const [first] = await b.received('request');
    for (let i = 0; i < 20; i += 1) expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    await eventually('a report', () => queued > 0 && a.send(b.address) > 0);
    expect(queued).toBeGreaterThan((flood / 2) * 1_000_000);
    b.answer = acknowledge;
    b.transport.reply(first!.inboundId, acknowledge(first!.request));
    await a.received('response', flood + 21);
  });

  test('a wildcard is no server id', async () => {
    const [a, b] = [await open(settings(A)), await open(settings({ commonName: 'x', dnsNames: ['*.cluster.test'] }))];
    const outcome = await a.outcome(a.send(b.address, { peerId: 'b.cluster.test' }));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    expect(outcome).toMatchObject({ message: expect.stringContaining('*.cluster.test') as string });
  });

  test('a name that contains separators is not taken for several', async () => {
    const [a, b] = [await open(settings({ commonName: 'c', dnsNames: ['x, DNS:a, DNS:y'] })), await open(settings(B))];
    expect(await a.outcome(a.send(b.address))).toMatchObject({ kind: 'failed' });
    expect(b.of('request')).toHaveLength(0);
  });

  const clientCases: readonly (readonly [string, () => TlsSettings])[] = [
    ['another CA of the same name', () => settings(A, foreignCa)],
    ['an expired one', () => settings({ ...A, validDays: -1 })],
  ];
  test.each(clientCases)('a dialler whose certificate is %s is not heard', async (_, tls) => {
    const counted: string[] = [];
    const [a, b] = [await open(tls()), await open(settings(B), counted)];
    expect(await a.outcome(a.send(b.address))).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    await eventually('the rejection', () => counted.includes('raft_connections_rejected_total unauthorized'));
    expect(b.of('request')).toHaveLength(0);
  });

  test('a dialler without a certificate is not heard', async () => {
    const b = await open(settings(B));
    let isClosed = false;
    await Bun.connect({
      hostname: '127.0.0.1',
      port: b.transport.port,
      tls: { ca: ca.caPem, serverName: 'b' },
      socket: {
        data: () => undefined,
        error: () => undefined,
        handshake: (socket) => void socket.write(Buffer.concat(encodeRequest(append(1)))),
        close: () => {
          isClosed = true;
        },
      },
    });
    await eventually('the connection to be closed', () => isClosed);
    expect(b.of('request')).toHaveLength(0);
  });

  test('a request that names another server than the certificate closes the connection', async () => {
    const counted: string[] = [];
    const [a, b] = [await open(settings(A)), await open(settings(B), counted)];
    await a.outcome(a.send(b.address));
    const failed = await a.outcome(a.send(b.address, { request: append(2, undefined, 'c') }));
    expect(failed).toMatchObject({ kind: 'failed' });
    expect(b.of('request')).toHaveLength(1);
    await b.received('inboundClosed');
    expect(counted).toContain('raft_connections_rejected_total unauthorized');
    const anonymous = { ...append(3), id: null };
    expect(await a.outcome(a.send(b.address, { request: anonymous }))).toMatchObject({ reason: 'unauthorized' });
    expect(b.of('request')).toHaveLength(1);
  });

  describe('a listener that never begins its handshake', () => {
    async function openOfDial(dial: Pick<TcpTransportOptions, 'limits' | 'resolve'>): Promise<Endpoint> {
      const a = await Endpoint.open({ tls: settings(A), ...dial });
      closers.push(() => a.transport.close());
      return a;
    }

    function silentServer(): RawServer {
      const server = new RawServer();
      closers.push(() => server.close());
      return server;
    }

    const open = ({ connections }: RawServer): number => connections.filter(({ isClosed }) => !isClosed).length;

    test('holds no connection but the last: a dial that is given up is closed', async () => {
      const server = silentServer();
      const a = await openOfDial({ limits: { dialMs: 20 } });
      await eventually('redials', () => {
        a.send(server.address);
        return server.connections.length >= 4;
      });
      await eventually('the end of all but one', () => open(server) === 1);
      a.transport.forget('b');
      await eventually('the end of the last', () => open(server) === 0);
    });

    test('is closed when the next address of the name is tried', async () => {
      const server = silentServer();
      const a = await openOfDial({
        limits: { addressMs: 20 },
        resolve: () => Promise.resolve(['127.0.0.1', 'localhost']),
      });
      a.send(`b.test:${server.port}`);
      await server.accepted(1);
      await eventually('the end of the first', () => server.connections[0]!.isClosed);
      expect(open(server)).toBe(1);
    });
  });

  test('there is no fallback to plain text on either side', async () => {
    const b = await open(settings(B));
    const plain = await rawConnect(b.transport.port);
    plain.write(Buffer.concat(encodeRequest(append(1))));
    await plain.closed();
    expect(b.of('request')).toHaveLength(0);
    const server = new RawServer((connection) => connection.write(new Uint8Array(100).fill(0xa0)));
    closers.push(() => server.close());
    const a = await open(settings(A));
    expect(await a.outcome(a.send(server.address))).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    const decoded = Buffer.from((await server.accepted()).bytes).toString('latin1');
    expect(decoded).not.toContain('ProtocolVersion');
  });
});

describe('certificate files', () => {
  test('are read again at each dial, and by reload for the listener; open connections stay', async () => {
    const ofA = settings(A);
    const ofB = settings(B);
    const [a, b] = [await open(ofA), await open(ofB)];
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');

    const renewed = new ThrowawayCa('new ca');
    for (const [own, request] of [
      [ofA, A],
      [ofB, B],
    ] as const) {
      const { certPem, keyPem } = renewed.issue(request);
      writeFileSync(own.certFile, certPem);
      writeFileSync(own.keyFile, keyPem);
      writeFileSync(own.caFile, renewed.caPem);
    }
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect(await a.outcome(a.send(b.address, { channel: 'vote' }))).toMatchObject({ reason: 'unauthorized' });
    const { port } = b.transport;
    b.transport.reload();
    expect(b.transport.port).toBe(port);
    expect((await a.outcome(a.send(b.address, { channel: 'vote' }))).kind).toBe('response');
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect(b.of('inboundClosed')).toHaveLength(0);
  });

  test('that cannot be read are an error with the path; a dial then fails as unauthorized', async () => {
    const ofA = settings(A);
    const [a, b] = [await open(ofA), await open(settings(B))];
    rmSync(ofA.keyFile);
    expect(() => readTlsMaterial(ofA)).toThrow(ConfigError);
    expect(() => readTlsMaterial(ofA)).toThrow(ofA.keyFile);
    expect(() => a.transport.reload()).toThrow(ConfigError);
    expect(await a.outcome(a.send(b.address))).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    expect(() => readTlsMaterial({ ...ofA, keyFile: '/dev/null' })).toThrow(
      /\/dev\/null cannot be read: it is not a file$/,
    );
    writeFileSync(ofA.keyFile, 'x'.repeat(1024 * 1024 + 1));
    expect(() => readTlsMaterial(ofA)).toThrow(/at most 1048576 are read$/);
    writeFileSync(ofA.keyFile, 'no key at all');
    expect(await a.outcome(a.send(b.address))).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
  });

  const key = ca.issue(A).keyPem;
  const encrypted = createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  test.each<[string, 'certFile' | 'keyFile' | 'caFile', string, RegExp]>([
    ['no certificate', 'certFile', 'no certificate', /certificate file \S+ holds no certificate: want PEM/],
    ['nothing as certificate', 'certFile', '', /certificate file \S+ holds no certificate: want PEM/],
    ['a key as certificate', 'certFile', key, /certificate file \S+ holds no certificate but a private key/],
    ['no key', 'keyFile', 'no key', /key file \S+ holds no private key/],
    ['a certificate as key', 'keyFile', ca.caPem, /key file \S+ holds no private key/],
    ['another key', 'keyFile', key, /key file \S+ holds another key than that of the certificate/],
    ['an encrypted key', 'keyFile', encrypted.toString(), /key in \S+ is encrypted/],
    ['nothing as CA', 'caFile', '', /CA file \S+ holds no certificate: want PEM/],
    ['a key as CA', 'caFile', key, /CA file \S+ holds no certificate but a private key/],
  ])(
    'that hold %s are refused at start, naming the file and what is wrong with it',
    async (_, which, text, sentence) => {
      const path = write(text);
      const opened = Endpoint.open({ tls: { ...settings(A), [which]: path } });
      await expect(opened).rejects.toThrow(ConfigError);
      await expect(opened).rejects.toThrow(sentence);
      await expect(opened).rejects.toThrow(path);
    },
  );
});
