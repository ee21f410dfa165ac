/** The relay and its source on real sockets, good and bad. */
import { describe, expect, test, vi } from 'vitest';
import * as fc from 'fast-check';
import { monotonicMs } from '../clock/clock.ts';
import { connectFlashblocks } from './relay.ts';
import { FakeSource } from './testing/fake-source.ts';
import { rawSource } from './testing/raw-websocket.ts';
import {
  afterwards,
  Counts,
  listen,
  newSource,
  quickLimits,
  startRelay,
  testTimeoutMs,
  until,
} from './testing/relay-world.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

describe('passing on', () => {
  test('text stays text, bytes stay bytes, in order, to every client', async () => {
    const source = newSource();
    const relay = await startRelay(source.url);
    const clients = await Promise.all([listen(relay.port), listen(relay.port), listen(relay.port)]);
    const text = '{"payload_id":"0x01","index":0,"note":"größer ≥"}';
    const bytes = Uint8Array.from([0, 255, 129, 10]);
    const sent = [text, bytes, '', 'x'.repeat(200_000)];
    for (const message of sent) source.send(message);
    for (const { got } of clients) {
      await until('all messages', () => got.length === sent.length);
      expect(got).toEqual([text, Buffer.from(bytes), '', 'x'.repeat(200_000)]);
    }
    expect(relay.counts.of('flashblocks_messages_total outcome=forwarded')).toBe(4);
    expect(relay.counts.clients).toBe(3);
  });

  test.each(['not-leader', 'lease-over', 'not-sequencing'] as const)(
    'nothing while withheld as %s; asked anew for each message',
    async (reason) => {
      const source = newSource();
      const relay = await startRelay(source.url);
      const { got } = await listen(relay.port);
      relay.setWithheld(reason);
      source.send('withheld');
      await until('the message', () => relay.counts.of(`flashblocks_messages_total outcome=${reason}`) === 1);
      relay.setWithheld(null);
      source.send('passed on');
      await until('a message', () => got.length > 0);
      expect(got).toEqual(['passed on']);
    },
  );

  test('how many clients are connected is shown from the start, and whenever one comes or goes', async () => {
    const relay = await startRelay(newSource().url);
    const shown = (): number | undefined => relay.counts.gauges.get('websocket_clients_connected');
    expect(shown()).toBe(0);
    const [first] = [await listen(relay.port), await listen(relay.port)];
    await until('both', () => shown() === 2);
    first.socket.close();
    await until('the end of one', () => shown() === 1);
  });

  test('the end is said to clients', async () => {
    const source = newSource();
    const relay = await startRelay(source.url);
    const { state } = await listen(relay.port);
    await relay.relay.stop();
    await until('the close', () => state.closed > 0);
    expect(state.closed).toBe(1001);
    expect(relay.counts.clients).toBe(0);
    await until('the source to be left', () => source.connected === 0);
  });
});

describe('the source', () => {
  test('is dialled directly, also where the environment names a proxy', async () => {
    const asked: string[] = [];
    const proxy = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data: (socket, data) => {
          asked.push(data.toString().split(' ')[0] ?? '');
          socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
        },
      },
    });
    afterwards(() => proxy.stop(true));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy']) {
      const before = process.env[name];
      afterwards(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
      delete process.env[name];
    }
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    const { metrics, logger } = new Counts();
    const limits = { ...quickLimits, startTriesMax: 1, dialMs: 200 };
    const sourceUrl = 'ws://192.0.2.1:1';
    await expect(connectFlashblocks({ sourceUrl, metrics, logger, now: monotonicMs, limits })).rejects.toThrow(
      'failed to connect to rollup boost WebSocket',
    );
    expect(asked).toEqual([]);
    expect((await fetch('http://192.0.2.1:1/call')).status).toBe(502);
    expect(asked).toEqual(['GET']);
  });

  test('may be named by a URL of HTTP', async () => {
    const source = newSource();
    const relay = await startRelay(source.url.replace(/^ws:/, 'http:'));
    const { got } = await listen(relay.port);
    source.send('message');
    await until('the message', () => got.length === 1);
    expect(got).toEqual(['message']);
  });

  test('cannot be reached: a few tries with a line each, then a sentence without credentials', async () => {
    const source = new FakeSource();
    await source.stop();
    const counts = new Counts();
    const url = `ws://user:secret@127.0.0.1:${source.port}/secret/stream?key=secret`;
    const { metrics, logger } = counts;
    const tried = connectFlashblocks({ sourceUrl: url, metrics, logger, now: monotonicMs, limits: quickLimits });
    await expect(tried).rejects.toThrow(
      /failed to connect to rollup boost WebSocket ws:\/\/127\.0\.0\.1:\d+ in 2 tries/,
    );
    expect(counts.lines).toHaveLength(1);
    const shown = `ws://127.0.0.1:${source.port}`;
    expect(counts.of(`rollup_boost_connection_attempts_count success=false source=${shown}`)).toBe(2);
    expect(JSON.stringify([...counts.seen.keys(), ...counts.lines])).not.toContain('secret');
  });

  test('accepts but never answers: the try ends in time', async () => {
    const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
    afterwards(() => server.stop(true));
    const counts = new Counts();
    const { metrics, logger } = counts;
    const limits = { ...quickLimits, dialMs: 50 };
    const sourceUrl = `ws://127.0.0.1:${server.port}`;
    await expect(connectFlashblocks({ sourceUrl, metrics, logger, now: monotonicMs, limits })).rejects.toThrow(
      /no answer within 50 ms/,
    );
  });

  test('goes away and comes back: connected again, clients stay', async () => {
    const source = newSource();
    const relay = await startRelay(source.url);
    const { got, state } = await listen(relay.port);
    await source.stop();
    const attempts = (success: boolean): number =>
      relay.counts.of(`rollup_boost_connection_attempts_count success=${success} source=${source.url}`);
    await until('failed tries', () => attempts(false) >= 2);
    source.restart();
    await until('the source to be found again', () => source.connected === 1);
    await until('the count', () => attempts(true) === 2);
    source.send('again');
    await until('the message', () => got.length === 1);
    expect(state.closed).toBe(0);
  });

  test('that accepts and hangs up at once is not tried more often than every interval', async () => {
    const source = newSource();
    await startRelay(source.url, { reconnectMs: 60_000 });
    source.hangUp();
    await until('the loss', () => source.connected === 0);
    // Other work of the event loop, in which a retry without pause would have come.
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(source.accepted).toBe(1);
  });

  test('half-open: no sign of life after a ping ends the connection', async () => {
    const sockets: { isDestroyed: boolean }[] = [];
    const source = await rawSource((socket) => {
      const seen = { isDestroyed: false };
      sockets.push(seen);
      socket.on('data', () => undefined);
      socket.on('close', () => (seen.isDestroyed = true));
    });
    afterwards(() => source.close());
    await startRelay(source.url, { pingIntervalMs: 30, pongTimeoutMs: 30 });
    await until('a second connection', () => sockets.length >= 2);
    expect(sockets[0]?.isDestroyed).toBe(true);
  });

  test('a message above the bound ends the connection, the next one is made', async () => {
    const source = newSource();
    const relay = await startRelay(source.url, { messageBytesMax: 1000 });
    const { got } = await listen(relay.port);
    source.send('y'.repeat(1001));
    await until('a second connection', () => source.accepted === 2 && source.connected === 1);
    source.send('z'.repeat(1000));
    await until('the message', () => got.length === 1);
    expect(got[0]).toHaveLength(1000);
    expect(relay.counts.lines.join()).toMatch(/a message of 1001 bytes, allowed are 1000/);
  });

  test.each([
    ['a frame of a gigabyte', [0x82, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]],
    ['a frame of 2^63 bytes', [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]],
    ['reserved bits', [0xf1, 1, 65]],
    ['a masked frame', [0x81, 0x81, 1, 2, 3, 4, 65]],
    ['a continuation of nothing', [0x80, 1, 65]],
    ['text that is not UTF-8', [0x81, 2, 0xff, 0xfe]],
    ['a fragmented ping', [0x09, 1, 65]],
    ['an unknown opcode', [0x83, 1, 65]],
  ])('sends %s: the connection is ended and made again', async (_, bytes) => {
    let connections = 0;
    const source = await rawSource((socket) => {
      connections += 1;
      socket.write(Uint8Array.from(bytes));
    });
    afterwards(() => source.close());
    const relay = await startRelay(source.url);
    const { got, state } = await listen(relay.port);
    await until('a second connection', () => connections >= 2);
    expect(got).toEqual([]);
    expect(state.closed).toBe(0);
  });

  test('any bytes at all: never an exception, and a good client of the relay notices nothing', async () => {
    let bytes = new Uint8Array(0);
    let ended = 0;
    const source = await rawSource((socket) => {
      socket.on('close', () => (ended += 1));
      socket.end(bytes);
    });
    afterwards(() => source.close());
    const relay = await startRelay(source.url, { reconnectMs: 1 });
    const { state } = await listen(relay.port);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (some) => {
        bytes = new Uint8Array(some);
        const before = ended;
        await until('the bytes to be read', () => ended >= before + 2);
        expect(state.closed).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
