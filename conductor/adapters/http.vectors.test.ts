import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differenceOf } from '#conductor/rpc/compatibility';
import { serveHttp } from './http.ts';
import type { HttpListener } from './http/server.ts';
import { createMetrics } from './prometheus.ts';

interface TranscriptCase {
  readonly name: string;
  readonly request: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string | null;
    bodyHex?: string;
  };
  readonly response: { status: number | null; headers?: [string, string][]; body?: string | null };
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../rpc/testdata');
const file = JSON.parse(readFileSync(join(folder, 'rpc-transcripts.json'), 'utf8')) as { cases: TranscriptCase[] };
const bodyBytesMax = 5 * 1024 * 1024;

let server: HttpListener;
let ready = '';
beforeAll(() => {
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax,
    batchItemsMax: 2000,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v1.19.6' },
    version: 'v1.19.6',
    metrics: createMetrics('v1.19.6'),
    invoke: async () => ({ kind: 'result', json: 'true' }),
    readiness: () => ready,
  });
});
afterAll(() => server.stop(100));

/** fetch cannot say these: it normalises paths, refuses methods or bodies, or adds a content type. */
const beyondFetch =
  /HEAD|TRACE|FOO|websocket|HTTP\/1.0|\/\/$|\.\.|%2e|gzip|expect 100|closed|no body sent|over the limit|chunked$|GET with a json-rpc body|OPTIONS with a json|other host/;
/** Names that make a GET look like a request; ours answers all of them with a page. */
const cases = file.cases.filter(
  (one) => one.name.startsWith('http:') && !beyondFetch.test(one.name) && typeof one.request.body === 'string',
);

async function send(request: TranscriptCase['request']): Promise<Response> {
  const body = request.body === '' ? null : (request.body ?? null);
  const headers = new Headers(request.headers);
  const url = `http://127.0.0.1:${server.port}${request.path}`;
  // A body as bytes gets no content type of its own.
  return fetch(url, {
    method: request.method,
    headers,
    body: body === null ? null : new TextEncoder().encode(body),
    redirect: 'manual',
  });
}

describe('recorded HTTP exchanges', () => {
  test.each(cases)('$name', async (one) => {
    const response = await send(one.request);
    expect(response.status).toBe(one.response.status ?? 0);
    if (differenceOf(one.name) === undefined) expect(await response.text()).toBe(one.response.body ?? '');
    for (const [name, value] of one.response.headers ?? []) {
      if (/^(Access-Control-|Vary$|X-Content)/i.test(name)) expect(response.headers.get(name), name).toBe(value);
    }
  });
  test('they are enough to mean something', () => expect(cases.length).toBeGreaterThan(25));
});

describe('bodies', () => {
  const call = (bytes: number): string =>
    `{"jsonrpc":"2.0","id":1,"method":"conductor_leader"${' '.repeat(bytes - 53)}}`;

  test.each([bodyBytesMax - 1, bodyBytesMax])('of %i bytes are read', async (bytes) => {
    const body = call(bytes);
    const response = await send({ method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body });
    expect(await response.json()).toMatchObject({ result: true });
  });

  test('over the limit are refused with 413 however they arrive', async () => {
    const whole = await send({
      method: 'POST',
      path: '/',
      headers: { 'Content-Type': 'application/json' },
      body: call(bodyBytesMax + 60),
    });
    expect(whole.status).toBe(413);
    const chunks = new ReadableStream({
      start(controller) {
        for (let each = 0; each < 90; each += 1) controller.enqueue(new Uint8Array(65_536).fill(32));
        controller.close();
      },
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const chunked = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: chunks });
    expect(chunked.status).toBe(413);
  });
});

test('/readyz says why it is not ready', async () => {
  ready = 'no leader is known';
  const not = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  expect([not.status, await not.text()]).toEqual([503, 'not ready: no leader is known\n']);
  ready = '';
  expect((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status).toBe(200);
});
