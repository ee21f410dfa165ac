/** Which content types the JSON-RPC port takes, over a real socket. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpListener } from './server.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';

let server: HttpListener;
beforeAll(() => {
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 1024,
    batchItemsMax: 1,
    dispatch: { isAdminEnabled: false, isProxyEnabled: false, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke: () => ({ kind: 'result', json: 'true' }),
    readiness: () => '',
  });
});
afterAll(() => server.stop(0));

async function statusOf(type: string): Promise<number> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}';
  const headers = { 'Content-Type': type };
  return (await fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body, headers })).status;
}

test('parameters of a JSON content type are not read', async () => {
  for (const parameters of ['', '; charset=utf-8', ';', '; charset="x'])
    expect(await statusOf(`application/json${parameters}`)).toBe(200);
});

test.each(['text/plain', 'application/json;;', 'application/jsonx', 'multipart/form-data'])(
  '%s is refused',
  async (type) => expect(await statusOf(type)).toBe(415),
);
