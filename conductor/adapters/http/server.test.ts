import { afterEach, describe, expect, test } from 'vitest';
import type { HttpRequest } from './connection-host.ts';
import { connectionsMax } from './connections.ts';
import { listenHttp, type HttpListener, type HttpServerOptions } from './server.ts';
import { post, RawClient } from './testing/raw-client.ts';

const bodyBytesMax = 1024 * 1024;
let listener: HttpListener | null = null;
const clients: RawClient[] = [];
let shed: string[] = [];

function serve(options: Partial<HttpServerOptions> = {}): void {
  shed = [];
  listener = listenHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax,
    unsentBytesMax: 64 * 1024 * 1024,
    now: () => performance.now(),
    begin: () => null,
    answer: ({ method, path, body }: HttpRequest) => ({
      status: 200,
      headers: '',
      body: `${method} ${path} ${body.length} ${Bun.hash(body)};`,
    }),
    tooLarge: (bytes) => ({ status: 413, headers: '', body: `too large: ${bytes}` }),
    shed: (reason) => shed.push(reason),
    ...options,
  });
}

function client(): RawClient {
  const one = new RawClient(listener?.port ?? 0);
  clients.push(one);
  return one;
}

afterEach(async () => {
  for (const one of clients.splice(0)) one.destroy();
  await listener?.stop(0);
});

const chunked = (coding: string): string =>
  `POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`;
const said = (body: string): string => `POST / ${body.length} ${Bun.hash(body)};`;
const answers = (received: string): string[] => received.match(/POST \/ \d+ \d+;/g) ?? [];

describe('requests', () => {
  test('sent ahead on one connection are answered in order', async () => {
    serve();
    const bodies = Array.from({ length: 300 }, (_, each) => `body ${each}`);
    const received = await client()
      .send(bodies.map((body) => post(body)).join(''))
      .until((text) => answers(text).length === 300);
    expect(answers(received)).toEqual(bodies.map(said));
  });

  test('of all sizes sent ahead keep their bytes, whichever came together', async () => {
    serve();
    const bodies = Array.from({ length: 60 }, (_, each) => `${each} `.repeat((each * 7919) % 60_000));
    const received = await client()
      .send(bodies.map((body) => post(body)).join(''))
      .until((text) => answers(text).length === bodies.length);
    expect(answers(received)).toEqual(bodies.map(said));
  });

  test('mean the same however their bytes are cut', async () => {
    serve();
    const text = `${post('first')}POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n${post('last')}`;
    for (const size of [1, 2, 3, 7, 64]) {
      const one = client();
      for (let at = 0; at < text.length; at += size) {
        one.send(text.slice(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(answers(await one.until((received) => answers(received).length === 3))).toEqual(
        ['first', 'abcde', 'last'].map(said),
      );
    }
  });

  test('with a large body arrive whole', async () => {
    serve();
    const body = 'x'.repeat(bodyBytesMax - 1) + 'y';
    expect(
      answers(
        await client()
          .send(post(body))
          .until((received) => answers(received).length === 1),
      ),
    ).toEqual([said(body)]);
  });

  test('of a client that then says it is done are answered before the connection ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    serve({ answer: () => promise.then(() => ({ status: 200, headers: '', body: 'late' })) });
    const one = client().send(post('x')).finish();
    setImmediate(resolve);
    expect(await one.ended()).toContain('late');
  });

  test('HTTP/1.0 clients are closed unless they ask otherwise, and are told so', async () => {
    serve();
    expect(await client().send('POST / HTTP/1.0\r\n\r\n').ended()).toContain('Connection: close');
    const kept = client().send('POST / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    expect(await kept.until((received) => answers(received).length === 1)).toContain('Connection: keep-alive');
    expect(kept.isClosed).toBe(false);
  });

  test('that wait for leave to send their body get it', async () => {
    serve();
    const one = client().send('POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    await one.until((received) => received.includes('100 Continue'));
    expect(answers(await one.send('ab').until((received) => answers(received).length === 1))).toEqual([said('ab')]);
  });
});

describe('what two readers could understand differently is refused and the connection closed', () => {
  test.each([
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n', 400],
    ['a length with a plus', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\na', 400],
    ['another coding', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 501],
    ['a folded field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n', 400],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : h\r\n\r\n', 400],
    ['a bare carriage return in a field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n', 400],
    ['a bare line feed in a field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\nY: b\r\n\r\n', 400],
    ['a bare line feed before a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: \nOrigin: y\r\n\r\n', 400],
    ['a bare line feed after a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\n\r\n\r\n', 400],
    ['a bare carriage return after a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\r\n\r\n', 400],
    ['a control character before the coding', chunked('\u000bchunked'), 400],
    ['a control character after the coding', chunked('chunked\u000c'), 400],
    ['a space of another script before the coding', chunked('\u00a0chunked'), 501],
    ['the coding twice', chunked('chunked, chunked'), 501],
    ['the coding in two fields', chunked('chunked\r\nTransfer-Encoding: chunked'), 400],
    ['the coding in two fields of which one is empty', chunked('\r\nTransfer-Encoding: chunked'), 400],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n', 400],
    ['line feeds alone', 'GET / HTTP/1.1\nHost: h\n\n', 400],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['an asterisk that is not for OPTIONS', 'GET * HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a target that is no path', 'GET x HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['TLS', '\u0016\u0003\u0001\u0002\r\n\r\n', 400],
    ['a bad chunk size', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n', 400],
    ['a chunk longer than it says', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n', 400],
    ['too many fields', `GET / HTTP/1.1\r\nHost: h\r\n${'X: y\r\n'.repeat(200)}\r\n`, 431],
    ['a head without end', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'y'.repeat(40_000)}`, 431],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: h\r\nExpect: cake\r\n\r\n', 417],
  ])('%s', async (_, text, status) => {
    serve();
    const received = await client().send(Buffer.from(text, 'latin1')).ended();
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
    expect(received.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });
});

describe('bounds', () => {
  test('a chunked body over the limit is refused in words, and the client may go on sending meanwhile', async () => {
    serve();
    const one = client().send('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let each = 0; each < 32; each += 1) one.send(chunk);
    expect(await one.ended()).toContain('too large: null');
  });

  test('one connection too many costs the one that has been idle longest', async () => {
    serve();
    const idle = Array.from({ length: connectionsMax }, () => client());
    await Promise.all(
      idle.map((one, each) => one.send(post(`${each}`)).until((received) => answers(received).length === 1)),
    );
    const extra = client().send(post('extra'));
    expect(answers(await extra.until((received) => answers(received).length === 1))).toEqual([said('extra')]);
    const closed = await Promise.race(idle.map(async (one) => one.ended().then(() => one)));
    expect(idle.filter((one) => one.isClosed)).toEqual([closed]);
    expect(shed).toEqual(['connections']);
  });

  test('bodies that arrive together hold four times the limit at most: the oldest is refused', async () => {
    serve();
    const half = 'x'.repeat(bodyBytesMax - 1);
    const slow = Array.from({ length: 6 }, () => client());
    for (const one of slow) {
      one.send(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${bodyBytesMax}\r\n\r\n${half}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const refused = await Promise.race(slow.map(async (one) => one.ended()));
    expect(refused).toContain('503 Service Unavailable');
    expect(shed).toContain('memory');
    const last = slow.findLast((one) => !one.isClosed);
    expect(answers((await last?.send('y').until((received) => answers(received).length === 1)) ?? '')).toHaveLength(1);
  });

  test('a request that never ends is given up, and so is silence', async () => {
    let skippedMs = 0;
    serve({ now: () => performance.now() + skippedMs });
    const slow = client().send('POST / HTTP/1.1\r\nHost: h\r\nX: ');
    const idle = client();
    const busy = client().send(post('x'));
    await busy.until((received) => answers(received).length === 1);
    skippedMs = 31_000;
    expect(await slow.ended()).toContain('408 Request Timeout');
    expect(idle.isClosed).toBe(false);
    skippedMs = 200_000;
    expect(await idle.ended()).toBe('');
    expect(shed).toEqual(['slow']);
  });

  test('an answer that takes long is not hurried, and the end waits for it', async () => {
    let skippedMs = 0;
    const asked = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    serve({
      now: () => performance.now() + skippedMs,
      answer: () => {
        asked.resolve();
        return promise.then(() => ({ status: 200, headers: '', body: 'at last' }));
      },
    });
    const one = client().send(post('x'));
    await asked.promise;
    skippedMs = 1_000_000;
    const stopped = listener?.stop(10_000);
    resolve();
    expect(await one.ended()).toContain('at last');
    await stopped;
  });

  test('a client that is gone before its answer harms nobody', async () => {
    const asked = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    serve({
      answer: ({ body }) => {
        asked.resolve();
        const reply = { status: 200, headers: '', body: `${body.length}` };
        return promise.then(() => reply);
      },
    });
    const gone = client().send(post('x'));
    await asked.promise;
    gone.destroy();
    resolve();
    expect(
      await client()
        .send(post('still here'))
        .until((received) => received.includes('\r\n\r\n')),
    ).toContain('200 OK');
  });

  test('an answer larger than the socket takes at once arrives whole', async () => {
    const large = 'é'.repeat(8 * 1024 * 1024);
    serve({ answer: () => ({ status: 200, headers: '', body: large }) });
    const response = await fetch(`http://127.0.0.1:${listener?.port}/`, { method: 'POST', body: 'x' });
    expect(await response.text()).toBe(large);
  });
});
