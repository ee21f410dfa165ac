/** More proxied calls to a backend that hangs than may wait for it: everybody else is served. Real sockets. */
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { proxiesWaitingMax, ProxyCalls } from '#conductor/core/rpc/proxy';
import type { Outcome } from '#conductor/core/rpc/message';
import { post, RawClient } from './testing/raw-client.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';
import { executeRequest, type Endpoints } from '../sequencer/sequencer.ts';

const calls = 1100;
const probes = 20;

/** A server that takes every call and answers none; returns its URL. */
async function freeze(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => socket.destroy())));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** The server with the proxy behind it. */
function serve(endpoints: Endpoints): number {
  const answers = new Map<number, (outcome: Outcome) => void>();
  const proxies = new ProxyCalls({
    outbox: {
      call: (request, then) => void executeRequest(endpoints, request).then(then),
      answer: (answerId, outcome) => answers.get(answerId)?.(outcome),
    },
    raft: { position: () => ({ role: 'leader', isSure: true }) },
    override: { isOn: false },
    command: () => undefined,
  });
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 64 * 1024,
    batchItemsMax: 10,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke: ({ method, values, from, as }) => {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const answerId = answers.size + 1;
      answers.set(answerId, resolve);
      if (proxies.handle({ kind: 'rpc', answerId, method, values, from, as })) return promise;
      return { kind: 'result', json: 'true' };
    },
    readiness: () => '',
  });
  onTestFinished(() => server.stop(0));
  return server.port;
}

function connect(port: number): RawClient {
  const client = new RawClient(port);
  onTestFinished(() => client.destroy());
  return client;
}

test('calls to a backend that hangs leave every other caller alone', async () => {
  const frozen = await freeze();
  const healthy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({ id: 1, result: {} }) });
  onTestFinished(() => healthy.stop(true));
  const endpoints = { node: frozen, execution: healthy.url.href, executionPeers: '', rollupBoost: '' };
  const port = serve(endpoints);
  const hanging = Array.from({ length: calls }, () =>
    connect(port).send(post('{"jsonrpc":"2.0","id":1,"method":"optimism_syncStatus"}')),
  );
  for (let probe = 0; probe < probes; probe += 1) {
    const read = connect(port).send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}'));
    expect(await read.until((received) => received.endsWith('\n'))).toContain('"result":true');
    const alive = connect(port).send('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await alive.until((received) => received.endsWith('\n'))).toMatch(/^HTTP\/1\.1 200 /);
    const other = connect(port).send(
      post('{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}'),
    );
    expect(await other.until((received) => received.endsWith('\n'))).toContain('"result":');
    const ours = { target: 'execution', method: 'x', params: '[]', timeoutMs: 5000 } as const;
    expect(await executeRequest(endpoints, ours)).toEqual({ kind: 'result', value: {} });
  }
  // The rest have been answered once the server has come to all of them.
  await vi.waitFor(
    () => {
      const waiting = hanging.filter(({ received, isClosed }) => received === '' && !isClosed);
      expect(waiting).toHaveLength(proxiesWaitingMax);
    },
    { timeout: 10_000 },
  );
  const refused = hanging.filter(({ received }) =>
    received.includes(`${proxiesWaitingMax} proxied calls already wait`),
  );
  expect(refused.length).toBeGreaterThan(calls / 2);
});
