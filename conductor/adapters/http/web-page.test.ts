/** Admin methods and web pages, over real sockets: who is refused, who is not, and that reads are as before. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { noListener } from '#conductor/core/published-event';
import { asksWhoCalls } from '#conductor/core/rpc/method';
import { methodTable } from '#conductor/core/rpc/methods';
import type { ParamSpec } from '#conductor/core/rpc/params';
import { createAdminGate } from '../auth/admin-gate.ts';
import { Credentials } from '../auth/credentials.ts';
import { RawClient } from './testing/raw-client.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';

const token = 'alice-token-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'conductor-page-'));
const tokensFile = join(folder, 'tokens');
writeFileSync(tokensFile, `alice ${token}\n`, { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const logger = { log: () => undefined };

interface Asked {
  readonly headers: readonly string[];
  readonly method?: string;
  readonly hostname?: string;
  readonly hasCredentials?: boolean;
}

/** Sends one call with these headers; returns the answer and the methods that were carried out. */
async function ask({ headers, method = 'conductor_pause', hostname = '127.0.0.1', hasCredentials = false }: Asked) {
  const done: string[] = [];
  const metrics = createMetrics('v0');
  const credentials = hasCredentials
    ? new Credentials({ tokensFile, jwtSecretFile: '', logger, nowMs: Date.now })
    : null;
  const server = serveHttp({
    hostname,
    port: 0,
    bodyBytesMax: 64 * 1024,
    batchItemsMax: 10,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics,
    gate: createAdminGate({ credentials, logger, metrics, events: noListener, now: () => 0 }),
    invoke: (call) => {
      done.push(call.method);
      return { kind: 'result', json: 'true' };
    },
    readiness: () => '',
  });
  onTestFinished(async () => {
    credentials?.close();
    await server.stop(0);
  });
  const client = new RawClient(server.port);
  onTestFinished(() => client.destroy());
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${paramsOf(method)}}`;
  const lines = ['Content-Type: application/json', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
  client.send(`POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  return { answer: await client.ended(), done, page: await metrics.page() };
}

function paramsOf(method: string): string {
  const params: readonly ParamSpec[] = methodTable.find(({ name }) => name === method)?.params ?? [];
  return JSON.stringify(params.map(({ example }) => example));
}

const local = 'Host: 127.0.0.1:8545';

test.each<[string, Asked]>([
  ['of any origin', { headers: [local, 'Origin: https://evil.example'] }],
  ['of a file, whose origin is null', { headers: [local, 'Origin: null'] }],
  ['with an empty origin', { headers: [local, 'Origin:'] }],
  ['of this machine', { headers: [local, 'Origin: http://127.0.0.1:8545'] }],
  ['with a header whose name has other letters', { headers: [local, 'oRIGIN: https://evil.example'] }],
  ['on a listener for everybody', { headers: [local, 'Origin: https://evil.example'], hostname: '0.0.0.0' }],
  ['whose own name resolves to this machine', { headers: ['Host: evil.example:8545'] }],
  ['of another site', { headers: [local, 'Sec-Fetch-Site: cross-site'] }],
  ['with a token where there are none', { headers: [local, 'Origin: null', `Authorization: Bearer ${token}`] }],
  ['with the wrong token', { headers: [local, 'Origin: null', 'Authorization: Bearer x'], hasCredentials: true }],
  ['of any origin, where there are tokens', { headers: [local, 'Origin: null'], hasCredentials: true }],
])('a web page cannot call admin methods: %s', async (_, asked) => {
  const { answer, done, page } = await ask(asked);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/"code":-40100,"message":"unauthorized: .*Authorization: Bearer/);
  expect(done).toEqual([]);
  expect(page).toContain('op_conductor_admin_calls_total{method="conductor_pause",outcome="unauthorized"} 1\n');
});

test.each(methodTable.filter(asksWhoCalls).map(({ name }) => name))('nor %s', async (method) => {
  const { answer, done } = await ask({ headers: [local, 'Origin: https://evil.example'], method });
  expect(answer).toContain('"code":-40100');
  expect(done).toEqual([]);
  const tool = await ask({ headers: [local], method });
  expect(tool.done).toEqual([method]);
});

test.each<[string, Asked]>([
  ['a tool on this machine', { headers: [local] }],
  ['a tool through a tunnel', { headers: ['Host: localhost:9999'] }],
  ['a tool that names no host', { headers: ['Host:'], hostname: '0.0.0.0' }],
  ['a tool from elsewhere, on a listener for everybody', { headers: ['Host: node-1:8545'], hostname: '0.0.0.0' }],
  [
    'a page that proves who it is',
    { headers: [local, 'Origin: https://ops.example', `Authorization: Bearer ${token}`], hasCredentials: true },
  ],
  [
    'a tool for another host that proves who it is',
    { headers: ['Host: node-1:8545', `Authorization: Bearer ${token}`], hasCredentials: true },
  ],
  ['a page that reads', { headers: [local, 'Origin: https://evil.example'], method: 'conductor_leader' }],
  ['a page that reads through a name of its own', { headers: ['Host: evil.example'], method: 'conductor_leader' }],
])('%s is answered', async (_, asked) => {
  const { answer, done } = await ask(asked);
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"result":true/);
  expect(done).toEqual([asked.method ?? 'conductor_pause']);
});

const commit = 'conductor_commitUnsafePayload';

test.each<[string, Asked]>([
  ['of any origin', { headers: [local, 'Origin: https://evil.example'] }],
  ['of a file, whose origin is null', { headers: [local, 'Origin: null'] }],
  ['on a listener for everybody', { headers: [local, 'Origin: https://evil.example'], hostname: '0.0.0.0' }],
  ['where there are tokens, with none', { headers: [local, 'Origin: null'], hasCredentials: true }],
])('a web page cannot commit payloads: %s', async (_, asked) => {
  const { answer, done } = await ask({ ...asked, method: commit });
  expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*"code":-40100,"message":"unauthorized: /);
  expect(done).toEqual([]);
});

test.each<[string, Asked]>([
  ['op-node on this machine', { headers: [local] }],
  ['op-node that knows this machine by another name', { headers: ['Host: conductor:8545'] }],
  ['op-node without a token, where there are tokens', { headers: [local], hasCredentials: true }],
  ['a page with a token', { headers: [local, 'Origin: null', `Authorization: Bearer ${token}`], hasCredentials: true }],
])('%s commits', async (_, asked) => {
  const { answer, done } = await ask({ ...asked, method: commit });
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"result":true/);
  expect(done).toEqual([commit]);
});
