/**
 * What a real op-node sent to its conductor, sent again byte for byte with its headers over a real socket;
 * and what a real op-node and op-geth answered, given again to our client, compressed as they were.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { Outcome } from '#conductor/core/rpc/message';
import { ConductorWorld } from '#conductor/core/testing/conductor-world';
import type { HttpListener } from '../http/server.ts';
import { RawClient } from '../http/testing/raw-client.ts';
import type { Invocation } from '../http/calls.ts';
import { serveHttp } from '../http/http.ts';
import { createMetrics } from '../metrics/prometheus.ts';
import { executeRequest } from './sequencer.ts';

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Exchange {
  readonly http: { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> };
  readonly request: { readonly id: unknown; readonly method: string; readonly params?: unknown };
  readonly status: number;
  readonly response: Answer;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../../core/payload/testdata');
const samples = JSON.parse(readFileSync(join(folder, 'real-op-node-samples.json'), 'utf8')) as {
  commitUnsafePayload: Record<string, Record<string, Exchange>>;
  commitRefusedBeforeEcotone: Record<string, Exchange>;
  exchanges: Record<string, Record<string, { first: Exchange; last: Exchange }>>;
};

const commits = Object.entries(samples.commitUnsafePayload).flatMap(([fork, blocks]) =>
  Object.entries(blocks).map(([block, exchange]) => ({ title: `${fork} ${block}`, exchange })),
);
const refused = Object.entries(samples.commitRefusedBeforeEcotone).map(([title, exchange]) => ({ title, exchange }));
const firstAndLast = (link: string) =>
  Object.entries(samples.exchanges[link] ?? {}).flatMap(([method, { first, last }]) => [
    { title: `${method}, first`, exchange: first },
    { title: `${method}, last`, exchange: last },
  ]);

let server: HttpListener;
beforeAll(() => {
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 64 * 1024 * 1024,
    batchItemsMax: 100,
    dispatch: { isAdminEnabled: false, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke,
    readiness: () => '',
  });
});
afterAll(() => server.stop(0));

/** Whether the conductor that was asked led. */
let isLeader = true;

/** Each call is made to a conductor of its own, which holds no payload yet. */
function invoke({ method, values }: Invocation): Outcome {
  const world = isLeader ? ConductorWorld.bootstrapped() : new ConductorWorld();
  const { error, result } = world.ask(method, values);
  if (error === undefined) return { kind: 'result', json: JSON.stringify(result) };
  return { kind: 'error', code: error.code, message: error.message };
}

async function send({ http, request }: Exchange): Promise<{ status: number; answer: Answer }> {
  const body = JSON.stringify(request);
  const headers = { ...http.headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = new RawClient(server.port).send(
    `${http.method} ${http.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`,
  );
  const received = await client.until((text) => text.endsWith('}\n'));
  client.destroy();
  const answer = JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as Answer;
  return { status: Number(received.slice(9, 12)), answer };
}

describe('what a real op-node sends is answered as a real op-conductor did', () => {
  test.each([...commits, ...refused, ...firstAndLast('opnode-to-conductor')])('$title', async ({ exchange }) => {
    isLeader = exchange.response.result !== false;
    const { status, answer } = await send(exchange);
    expect(status).toBe(exchange.status);
    expect(answer).toEqual(exchange.response);
  });
});

describe('what real nodes answer is read', () => {
  test.each([...firstAndLast('conductor-to-opnode'), ...firstAndLast('conductor-to-opgeth')])(
    '$title',
    async ({ exchange }) => {
      const { request, response } = exchange;
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      const node = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        // As geth's server: compressed for whoever takes it so.
        fetch: (asked) =>
          asked.headers.get('Accept-Encoding')?.includes('gzip') === true
            ? new Response(gzipSync(JSON.stringify(response)), { status: exchange.status, headers })
            : Response.json(response, { status: exchange.status }),
      });
      const url = `http://127.0.0.1:${node.port}`;
      const call: NodeRequest = {
        target: 'node',
        method: request.method,
        params: JSON.stringify(request.params ?? []),
        timeoutMs: 5000,
      };
      const endpoints = { node: url, execution: url, executionPeers: url, rollupBoost: '' };
      const { error } = response;
      const read = error === undefined ? { kind: 'result', value: response.result } : { kind: 'error', ...error };
      expect(await executeRequest(endpoints, call)).toMatchObject(read);
      const verbatim = await executeRequest(endpoints, { ...call, isVerbatim: true });
      if (error === undefined) expect(verbatim).toEqual({ kind: 'result', value: JSON.stringify(response.result) });
      await node.stop(true);
    },
  );
});
