import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveFlashblocks, type FlashblocksServerOptions } from '../flashblocks/server.ts';
import { serveHttp } from '../http/http.ts';
import { createMetrics } from '../metrics/prometheus.ts';
import { listenOn } from '../tcp/listen-on.ts';
import { callerAddress, listenerHostname } from './every-interface.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
const everywhere = { hostname: '0.0.0.0', port: 0 };

describe('0.0.0.0 is every interface, by IPv6 too where the machine has it, as in Go:', () => {
  const reached = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
  const shown = hasIpv6 ? ['"127.0.0.1"', '"::1"'] : ['"127.0.0.1"'];

  test('raft', async () => {
    const listener = listenOn(everywhere, null, { data: () => undefined });
    onTestFinished(() => listener.stop(true));
    for (const hostname of reached) {
      const client = await Bun.connect({ hostname, port: listener.port, socket: { data: () => undefined } });
      expect(client.remotePort).toBe(listener.port);
      client.end();
    }
  });

  test('JSON-RPC, where a caller by IPv4 is shown as such', async () => {
    const server = serveHttp({
      ...{ ...everywhere, bodyBytesMax: 1024, batchItemsMax: 1, version: 'v0', metrics: createMetrics('v0') },
      dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
      invoke: ({ from }) => ({ kind: 'result', json: JSON.stringify(from) }),
      readiness: () => '',
    });
    onTestFinished(() => server.stop(0));
    const body = '{"jsonrpc":"2.0","id":1,"method":"conductor_paused","params":[]}';
    const headers = { 'Content-Type': 'application/json' };
    const answers = await Promise.all(
      reached.map(async (hostname) => {
        const url = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}`;
        return (await fetch(url, { method: 'POST', headers, body })).text();
      }),
    );
    expect(answers.map((answer) => /"result":(.*)\}/.exec(answer)?.[1])).toEqual(shown);
  });

  test('flashblocks', async () => {
    const limits = {
      clientSaysBytesMax: 1024,
      messageBytesMax: 1024,
      sweepMs: 1000,
    } as FlashblocksServerOptions['limits'];
    const fanOut = { isFull: true, closeAll: () => undefined, sweep: () => undefined };
    const server = serveFlashblocks({ ...everywhere, limits, fanOut: fanOut as FlashblocksServerOptions['fanOut'] });
    onTestFinished(() => server.stop());
    const hosts = hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'];
    const all = await Promise.all(hosts.map((host) => fetch(`http://${host}:${server.port}/ws`)));
    expect(all.every(({ status }) => status === 503)).toBe(true);
  });
});

test.each(['127.0.0.1', '192.0.2.1', '::1', '::', 'localhost'])('%s is listened on as it is', (hostname) =>
  expect(listenerHostname(hostname)).toBe(hostname),
);

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['::1', '::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['', ''],
])('a caller from %j is %j', (address, shown) => expect(callerAddress(address)).toBe(shown));
