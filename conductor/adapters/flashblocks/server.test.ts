/** The port of the clients on real sockets: slow, dead, talkative, malformed and good ones. */
import { describe, expect, test, vi } from 'vitest';
import * as fc from 'fast-check';
import { flashblocksLimits } from './limits.ts';
import { upgradeRequest } from './testing/raw-websocket.ts';
import { listen, newSource, raw, startRelay, testTimeoutMs, until } from './testing/relay-world.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

describe('clients', () => {
  test('paths: /ws alone, and only for websockets and for pages of the same origin', async () => {
    const relay = await startRelay(newSource().url);
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(`http://127.0.0.1:${relay.port}${path}`, { headers })).status;
    expect(await Promise.all(['/', '/ws/', '/ws/x', '/healthz', '/WS'].map((path) => status(path)))).toEqual(
      Array.from({ length: 5 }, () => 404),
    );
    expect(await status('/ws')).toBe(426);
    expect(await status('/ws?token=1')).toBe(426);
    expect(await status('/ws', { Origin: 'https://evil.example' })).toBe(403);
    expect(await status('/ws', { Origin: 'null' })).toBe(403);
    expect(await status('/ws', { Origin: `http://127.0.0.1:${relay.port}` })).toBe(426);
  });

  test('an empty Host header is answered by the path, not with a stack', async () => {
    const relay = await startRelay(newSource().url);
    const client = raw(relay.port, 'GET /ws HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n');
    await until('the end', () => client.isClosed());
    expect(client.received()).toMatch(/^HTTP\/1.1 426 /);
  });

  test('a port is one server’s alone', async () => {
    const { relay, port } = await startRelay(newSource().url);
    const again = (): unknown => relay.listen({ hostname: '127.0.0.1', port, withheld: () => null });
    expect(again).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
  });

  test('one that does not read is dropped, a good one beside it gets everything', async () => {
    const source = newSource();
    const relay = await startRelay(source.url, { clientMessagesMax: 8 });
    const good = await listen(relay.port);
    const deaf = raw(relay.port, upgradeRequest(), true);
    await until('both', () => relay.counts.clients === 2);
    const sent = 60;
    for (let count = 0; count < sent; count += 1) {
      source.send(`${count} ${'w'.repeat(500_000)}`);
      await until('the good client', () => good.got.length === count + 1);
    }
    expect(relay.counts.dropped('queue-full')).toBe(1);
    expect(relay.counts.clients).toBe(1);
    deaf.socket.resume();
    await until('the end of the deaf one', () => deaf.isClosed());
    expect(good.got.map((message) => Number.parseInt(String(message), 10))).toEqual(
      Array.from({ length: sent }, (_, i) => i),
    );
  });

  test('one that stops in the middle of a message has the write timeout, no longer', async () => {
    const source = newSource();
    const relay = await startRelay(source.url, { writeTimeoutMs: 100 });
    raw(relay.port, upgradeRequest(), true);
    await until('the client', () => relay.counts.clients === 1);
    for (let count = 0; count < 5; count += 1) source.send('v'.repeat(5_000_000));
    await until('its end', () => relay.counts.dropped('write-timeout') === 1);
    expect(relay.counts.clients).toBe(0);
  });

  test('one that answers no pings is dropped; one that does stays', async () => {
    const relay = await startRelay(newSource().url, { pingIntervalMs: 50, pongTimeoutMs: 1000 });
    const good = await listen(relay.port);
    raw(relay.port, upgradeRequest());
    await until('both', () => relay.counts.clients === 2);
    await until('the end of one', () => relay.counts.dropped('pong-timeout') === 1);
    expect(relay.counts.clients).toBe(1);
    expect(good.state.closed).toBe(0);
  });

  test('one too many is answered with 503, and its connection closed', async () => {
    const relay = await startRelay(newSource().url, { clientsMax: 2 });
    await Promise.all([listen(relay.port), listen(relay.port)]);
    const third = raw(relay.port, upgradeRequest());
    await until('the end', () => third.isClosed());
    expect(third.received()).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n/i);
    expect(relay.counts.clients).toBe(2);
  });

  test('what a client says is read and forgotten; too much, or too long, and it is dropped', async () => {
    const source = newSource();
    const relay = await startRelay(source.url, { sweepMs: 500 });
    const [quiet, talkative, verbose] = await Promise.all([listen(relay.port), listen(relay.port), listen(relay.port)]);
    quiet.socket.send('hello');
    for (let count = 0; count < 1000; count += 1) talkative.socket.send('hello');
    verbose.socket.send('h'.repeat(flashblocksLimits.clientSaysBytesMax + 1));
    await until('the end of two', () => talkative.state.closed > 0 && verbose.state.closed > 0);
    source.send('still here');
    await until('the message', () => quiet.got.length === 1);
    expect(relay.counts.dropped('talkative')).toBe(1);
  });

  test.each([
    ['no key', upgradeRequest({ 'Sec-WebSocket-Key': '' })],
    ['another version', upgradeRequest({ 'Sec-WebSocket-Version': '7' })],
    ['no upgrade', upgradeRequest({ Upgrade: '', Connection: '' })],
    ['another upgrade', upgradeRequest({ Upgrade: 'h2c' })],
    ['a body', `POST /ws HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'b'.repeat(100_000)}`],
    ['no HTTP', '\u0000\u0001\u0002 rubbish\r\n\r\n'],
  ])('bad upgrade: %s is no client and disturbs nobody', async (_, request) => {
    const source = newSource();
    const relay = await startRelay(source.url);
    const good = await listen(relay.port);
    const bad = raw(relay.port, request);
    await until('an answer or the end', () => bad.isClosed() || bad.received() !== '');
    expect(bad.received()).not.toContain('101 Switching');
    source.send('on');
    await until('the message', () => good.got.length === 1);
    expect(relay.counts.clients).toBe(1);
  });

  test('any bytes after the upgrade: never an exception, the others go on', async () => {
    const source = newSource();
    const relay = await startRelay(source.url);
    const good = await listen(relay.port);
    const head = Buffer.from(upgradeRequest());
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (some) => {
        const client = raw(relay.port, Buffer.concat([head, some]));
        await until('the upgrade', () => client.received().includes('\r\n\r\n'));
        client.socket.destroy();
        source.send(String(++sent));
        await until('the message', () => good.got.length === sent);
      }),
      { numRuns: 60 },
    );
    await until('all to be gone', () => relay.counts.clients === 1);
  });
});
