/** `GET /events` over real sockets: order, resumption, who may, how many, and readers that do not read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { noListener } from '#conductor/core/published-event';
import { createAdminGate } from '../auth/admin-gate.ts';
import { Credentials } from '../auth/credentials.ts';
import { EventRing } from '../events/event-ring.ts';
import { streamsMax } from '../events/event-stream.ts';
import { createMetrics } from '../metrics/prometheus.ts';
import { serveHttp } from './http.ts';
import { RawClient } from './testing/raw-client.ts';

const token = 'alice-token-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'conductor-events-'));
const tokensFile = join(folder, 'tokens');
writeFileSync(tokensFile, `alice ${token}\n`, { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const logger = { log: () => undefined };

function serveEvents({ hasCredentials = false, now = () => performance.now(), eventsMax = 8 } = {}) {
  const events = new EventRing({ server: 'a', version: 'v0', now, unixMs: () => 36 ** 2, eventsMax });
  const metrics = createMetrics('v0');
  const credentials = hasCredentials
    ? new Credentials({ tokensFile, jwtSecretFile: '', logger, nowMs: Date.now })
    : null;
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 1024,
    batchItemsMax: 10,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics,
    gate: createAdminGate({ credentials, logger, metrics, events: noListener, now: () => 0 }),
    events,
    now,
    invoke: () => ({ kind: 'result', json: 'true' }),
    readiness: () => '',
  });
  onTestFinished(async () => {
    credentials?.close();
    await server.stop(0);
  });
  const publish = (reason: string): void => events.publish({ kind: 'shutdown', reason });
  const openFrom = (address: string, ...headers: string[]): RawClient => {
    const client = new RawClient(server.port, address);
    onTestFinished(() => client.destroy());
    return client.send(`GET /events HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`);
  };
  const open = (...headers: string[]): RawClient => openFrom('127.0.0.1', ...headers);
  return { events, metrics, server, publish, open, openFrom };
}

const reasonsIn = (text: string): string[] => [...text.matchAll(/"reason":"(\w+)"/g)].map(([, reason]) => reason ?? '');

test('a reader has every event in order, and goes on after the last one it names', async () => {
  const { publish, open } = serveEvents();
  publish('a');
  const first = open();
  await first.until((text) => text.includes('"reason":"a"'));
  publish('b');
  publish('c');
  const seen = await first.until((text) => text.includes('"reason":"c"'));
  expect(seen).toContain('Content-Type: text/event-stream');
  expect(seen).toMatch(
    /event: hello\ndata: \{[^\n]*"server":"a","version":"v0","life":"100","resumed":false,"first":1/,
  );
  expect(reasonsIn(seen)).toEqual(['a', 'b', 'c']);
  const again = open('Last-Event-ID: 100-2');
  const rest = await again.until((text) => text.includes('"reason":"c"'));
  expect(rest).toContain('"resumed":true');
  expect(reasonsIn(rest)).toEqual(['c']);
});

test('one that was away for too long, or comes from an earlier life, is told that it was not resumed', async () => {
  const { publish, open } = serveEvents({ eventsMax: 2 });
  for (const reason of ['a', 'b', 'c', 'd']) publish(reason);
  for (const id of ['100-1', 'zz-4']) {
    const text = await open(`Last-Event-ID: ${id}`).until((received) => received.includes('"reason":"d"'));
    expect(text).toContain('"resumed":false,"first":3');
    expect(reasonsIn(text)).toEqual(['c', 'd']);
  }
});

test('where tokens are configured nobody reads without one', async () => {
  const { publish, open } = serveEvents({ hasCredentials: true });
  publish('a');
  const refused = await open('Connection: close').ended();
  expect(refused).toContain('401 Unauthorized');
  expect(refused).toContain('WWW-Authenticate: Bearer');
  expect(refused).not.toContain('"reason"');
  const allowed = await open(`Authorization: Bearer ${token}`).until((text) => text.includes('"reason":"a"'));
  expect(allowed).toContain('200 OK');
});

test.each([
  'Host: localhost\r\nOrigin: http://evil.example',
  'Host: evil.example',
  'Host: localhost\r\nSec-Fetch-Site: cross-site',
])('a web page (%j) reads nothing', async (header) => {
  const { publish, server } = serveEvents();
  publish('a');
  const client = new RawClient(server.port);
  onTestFinished(() => client.destroy());
  const refused = await client.send(`GET /events HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`).ended();
  expect(refused).toContain('401 Unauthorized');
  expect(refused).not.toContain('"reason"');
});

test('who asks for the head alone opens no stream', async () => {
  const { server, publish, open } = serveEvents();
  for (let each = 0; each < streamsMax; each += 1) {
    const client = new RawClient(server.port);
    onTestFinished(() => client.destroy());
    client.send('HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await client.until((text) => text.includes('\r\n\r\n'))).toContain('405 Method Not Allowed');
  }
  publish('a');
  await open().until((text) => text.includes('"reason":"a"'));
});

test('more readers than there is room for are refused, and room comes back with one that leaves', async () => {
  const { publish, open } = serveEvents();
  publish('a');
  const readers = Array.from({ length: streamsMax }, () => open());
  for (const reader of readers) await reader.until((text) => text.includes('"reason":"a"'));
  expect(await open('Connection: close').ended()).toContain('503 Service Unavailable');
  readers[0]!.destroy();
  const deadlineMs = performance.now() + 10_000;
  for (;;) {
    const text = await open('Connection: close').until((received) => /"reason"|503/.test(received));
    if (text.includes('"reason":"a"')) break;
    expect(performance.now()).toBeLessThan(deadlineMs);
  }
});

test('an address that takes all the room gives way to others, up to its share', async () => {
  const { publish, openFrom } = serveEvents();
  publish('a');
  const isServed = (text: string): boolean => /"reason":"a"|503/.test(text);
  const greedy = Array.from({ length: streamsMax }, () => openFrom('127.0.0.2'));
  for (const reader of greedy) await reader.until(isServed);
  const others: RawClient[] = [];
  for (let each = 0; each < streamsMax / 2; each += 1) {
    const other = openFrom('127.0.0.3');
    expect(await other.until(isServed)).toContain('200 OK');
    await greedy[each]!.ended();
    others.push(other);
  }
  for (const address of ['127.0.0.2', '127.0.0.3'])
    expect(await openFrom(address, 'Connection: close').ended()).toContain('503 Service Unavailable');
  expect([...greedy.slice(streamsMax / 2), ...others].filter(({ isClosed }) => isClosed)).toEqual([]);
});

test('nobody loses the only stream of an address', async () => {
  const { publish, openFrom } = serveEvents();
  publish('a');
  const readers = Array.from({ length: streamsMax }, (_, each) => openFrom(`127.0.0.${each + 2}`));
  for (const reader of readers) await reader.until((text) => text.includes('"reason":"a"'));
  expect(await openFrom('127.0.0.99', 'Connection: close').ended()).toContain('503 Service Unavailable');
});

test('a server that stops ends its streams in order', async () => {
  const { publish, open, server } = serveEvents();
  publish('a');
  const reader = open();
  await reader.until((text) => text.includes('"reason":"a"'));
  await server.stop(5000);
  expect(await reader.ended()).toContain('0\r\n\r\n');
});
