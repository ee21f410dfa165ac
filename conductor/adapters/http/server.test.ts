/** The JSON-RPC service on real sockets: requests in any cut, what is refused, and what is bounded. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Outcome } from '#conductor/core/rpc/message';
import { answers, asked, call, EchoServer, said, type EchoOptions } from './testing/echo-server.ts';
import { post, type RawClient } from './testing/raw-client.ts';

const bodyBytesMax = 1024 * 1024;
let server: EchoServer;

function serve(options: EchoOptions = {}): void {
  server = new EchoServer({ bodyBytesMax, ...options });
}

const client = (): RawClient => server.client();

afterEach(() => server[Symbol.asyncDispose]());

const chunked = (coding: string): string =>
  `POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`;
const head = 'POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
const late: Outcome = { kind: 'result', json: '"late"' };

describe('requests', () => {
  test('sent ahead on one connection are answered in order', async () => {
    serve();
    const texts = Array.from({ length: 300 }, (_, each) => `text ${each}`);
    const received = await client()
      .send(texts.map(asked).join(''))
      .until((all) => answers(all).length === 300);
    expect(answers(received)).toEqual(texts.map(said));
  });

  test('sent ahead of an answer that takes time are not answered before it', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    serve({ invoke: ({ values }) => (values[0] === 'slow' ? promise : { kind: 'result', json: '"early"' }) });
    const one = client().send(asked('slow') + asked('fast'));
    expect(await one.ended()).toBe('');
    resolve(late);
  });

  test('mean the same however their bytes are cut', async () => {
    serve();
    const body = call('abcde');
    const chunks = [body.slice(0, 7), body.slice(7)].map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`);
    const text = `${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`;
    for (const size of [1, 2, 3, 7, 64]) {
      const one = client();
      for (const [count, whole] of [asked('first'), text, asked('last')].entries()) {
        for (let at = 0; at < whole.length; at += size) {
          one.send(whole.slice(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await one.until((received) => answers(received).length === count + 1);
      }
      expect(answers(one.received)).toEqual(['first', 'abcde', 'last'].map(said));
    }
  });

  test.each([
    ['with a length', (body: string) => post(body)],
    [
      'in chunks',
      (body: string) => {
        const parts = body.match(/[^]{1,70000}/g) ?? [];
        const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
        return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`;
      },
    ],
  ])('of all sizes arrive whole, %s', async (_, request) => {
    serve();
    const one = client();
    for (const length of [0, 5, 20_000, 40_000, 200_000, 400_000, bodyBytesMax - call('').length]) {
      const text = Array.from({ length }, (__, at) => String.fromCharCode(97 + ((at * 7919) % 26))).join('');
      const count = answers(one.received).length;
      const received = await one.send(request(call(text))).until((all) => answers(all).length > count);
      expect(answers(received).at(-1)).toBe(said(text));
    }
  });

  test('that wait for leave to send their body get it', async () => {
    serve();
    const body = call('ab');
    const one = client().send(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
    await one.until((received) => received.includes('100 Continue'));
    expect(answers(await one.send(body).until((received) => answers(received).length === 1))).toEqual([said('ab')]);
  });

  test('that are refused before their body leave the connection in order', async () => {
    serve();
    const refused = 'PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc';
    const received = await client()
      .send(refused + asked('next'))
      .until((all) => answers(all).length === 1);
    expect(received).toMatch(/^HTTP\/1\.1 405 /);
    expect(answers(received)).toEqual([said('next')]);
  });
});

describe('what two readers could understand differently is refused and the connection closed', () => {
  test.each([
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['the same length twice', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', 400],
    ['a list of lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\na', 400],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n', 400],
    ['a length with a plus', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\na', 400],
    ['another coding', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 400],
    ['a folded field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n', 400],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : h\r\n\r\n', 400],
    ['a bare carriage return in a field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n', 400],
    ['a bare line feed in a field', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\nY: b\r\n\r\n', 400],
    ['a bare line feed before a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: \nOrigin: y\r\n\r\n', 400],
    ['a bare line feed after a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\n\r\n\r\n', 400],
    ['a bare carriage return after a value', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\r\n\r\n', 400],
    ['a control character before the coding', chunked('\u000bchunked'), 400],
    ['a control character after the coding', chunked('chunked\u000c'), 400],
    ['a space of another script before the coding', chunked('\u00a0chunked'), 400],
    ['the coding twice', chunked('chunked, chunked'), 400],
    ['the coding in two fields', chunked('chunked\r\nTransfer-Encoding: chunked'), 400],
    ['the coding in two fields of which one is empty', chunked('\r\nTransfer-Encoding: chunked'), 400],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n', 400],
    ['line feeds alone', 'GET / HTTP/1.1\nHost: h\n\n', 505],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['an asterisk that is not for OPTIONS', 'GET * HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n', 400],
    ['two hosts on a path of the probes', 'GET /healthz HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a target that is no path', 'GET x HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['TLS', '\u0016\u0003\u0001\u0002\r\n\r\n', 400],
    ['a bad chunk size', `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n`, 400],
    ['a chunk longer than it says', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n`, 400],
    ['a chunk size ended by a line feed', `${head}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n`, 400],
    ['too many fields', `GET / HTTP/1.1\r\nHost: h\r\n${'X: y\r\n'.repeat(200)}\r\n`, 431],
    ['a head without end', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'y'.repeat(16_400)}`, 431],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: h\r\nExpect: cake\r\n\r\n', 417],
  ])('%s', async (_, text, status) => {
    serve();
    const received = await client().send(Buffer.from(text, 'latin1')).ended();
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
    expect(received.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });
});

test.each([
  ['a trailer field', 'T: 1\r\n\r\n'],
  ['a request', 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a bare line feed and a request', '\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n'],
])('%s in the place of trailers ends the connection, and is no request', async (_, trailers) => {
  serve();
  const body = call('x');
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`;
  const received = await client().send(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${trailers}`).ended();
  expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(answers(received)).toEqual([said('x')]);
});

test('a port is one server’s alone', () => {
  serve();
  expect(() => new EchoServer({ port: server.port })).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
});

describe('bounds', () => {
  test('a chunked body over the limit is refused in words, and the client may go on sending meanwhile', async () => {
    serve();
    const one = client().send(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let each = 0; each < 32; each += 1) one.send(chunk);
    expect(await one.until((received) => received.includes('large'))).toMatch(
      /^HTTP\/1\.1 413 [^]*content length too large \(more than 1048576\)\n$/,
    );
    expect(answers(await one.send(`0\r\n\r\n${asked('next')}`).until((all) => answers(all).length === 1))).toEqual([
      said('next'),
    ]);
  });

  test('bodies that stop arriving hold three of the largest at most: the oldest makes room for one that waits', async () => {
    serve();
    const text = 'x'.repeat(bodyBytesMax - call('').length);
    const request = asked(text);
    const slow = Array.from({ length: 3 }, () => client().send(request.slice(0, -1)));
    await client()
      .send(asked('all of them are there'))
      .until((all) => answers(all).length === 1);
    const waiting = client().send(request);
    expect(answers(await waiting.until((all) => answers(all).length === 1))).toEqual([said(text)]);
    const refused = await Promise.race(slow.map(async (one) => one.ended()));
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*too many bodies arrive at once/);
    expect(await server.shed('memory')).toBeGreaterThan(0);
    const last = slow.findLast((one) => !one.isClosed);
    expect(answers((await last?.send('}').until((all) => answers(all).length === 1)) ?? '')).toEqual([said(text)]);
  });

  test.each([
    ['a small body', `${head}Content-Length: 1000\r\n\r\n{`],
    ['a large body', `${head}Content-Length: ${bodyBytesMax}\r\n\r\n{`],
    ['chunks', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('%s that never ends is given up, and what is not late goes on', async (_, begun) => {
    let skippedMs = 0;
    serve({ now: () => performance.now() + skippedMs });
    const slow = client().send(begun);
    const idle = client();
    await client()
      .send(asked('it is there'))
      .until((all) => answers(all).length === 1);
    skippedMs = 31_000;
    const later = client().send(asked('x').slice(0, -1));
    expect(await slow.ended()).toContain('408 ');
    expect([idle.isClosed, later.isClosed]).toEqual([false, false]);
    expect(answers(await later.send('}').until((all) => answers(all).length === 1))).toEqual([said('x')]);
    expect([await server.shed('slow'), await server.shed('memory')]).toEqual([1, 0]);
  });

  test('an answer that takes long is not hurried, and the end waits for it', async () => {
    let skippedMs = 0;
    const begun = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    serve({
      now: () => performance.now() + skippedMs,
      invoke: () => {
        begun.resolve();
        return promise;
      },
    });
    const one = client().send(asked('x'));
    await begun.promise;
    skippedMs = 1_000_000;
    const stopped = server.stop(10_000);
    resolve(late);
    expect(await one.until((received) => received.includes('late'))).toContain('late');
    await stopped;
  });

  test('the end does not wait for idle clients, nor longer than its deadline for busy ones', async () => {
    const begun = Promise.withResolvers<void>();
    serve({ invoke: () => (begun.resolve(), new Promise(() => undefined)) });
    client();
    const one = client().send(asked('x'));
    await begun.promise;
    const started = performance.now();
    await server.stop(50);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await one.ended()).toBe('');
  });

  test('a client that is gone before its answer harms nobody', async () => {
    const begun = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    serve({
      invoke: () => {
        begun.resolve();
        return promise;
      },
    });
    const gone = client().send(asked('x'));
    await begun.promise;
    gone.destroy();
    resolve(late);
    expect(
      await client()
        .send(asked('still here'))
        .until((received) => received.includes('late')),
    ).toContain('200 OK');
  });

  test('an answer larger than the socket takes at once arrives whole', async () => {
    const large = 'é'.repeat(8 * 1024 * 1024);
    serve({ invoke: () => ({ kind: 'result', json: JSON.stringify(large) }) });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers, body: call('x') });
    expect(((await response.json()) as { result: string }).result === large).toBe(true);
  });
});

describe('what is counted of calls', () => {
  /** A value on the page of metrics, of the calls of a method; undefined where there is none. */
  const shown = async (family: string, method: string): Promise<number | undefined> => {
    const start = `op_conductor_${family}{rpc="main",method="${method}"} `;
    const line = (await server.metrics.page()).split('\n').find((one) => one.startsWith(start));
    return line === undefined ? undefined : Number(line.slice(start.length));
  };
  const asks = (body: string, expected: string): Promise<string> =>
    client()
      .send(post(body))
      .until((received) => received.includes(expected));

  test('each call is counted by its method, with the bytes of its parameters and of its result', async () => {
    serve({ invoke: () => ({ kind: 'result', json: '"12345"' }) });
    await asks(call('ab'), '12345');
    expect(await shown('rpc_server_requests_total', 'conductor_removeServer')).toBe(1);
    expect(await shown('rpc_server_params_size_total', 'conductor_removeServer')).toBe('["ab",0]'.length);
    expect(await shown('rpc_server_results_size_total', 'conductor_removeServer')).toBe('"12345"'.length);
    await asks(call('cdefg'), '12345');
    expect(await shown('rpc_server_requests_total', 'conductor_removeServer')).toBe(2);
    expect(await shown('rpc_server_params_size_total', 'conductor_removeServer')).toBe('["ab",0]["cdefg",0]'.length);
    expect(await shown('rpc_server_results_size_total', 'conductor_removeServer')).toBe('"12345""12345"'.length);
  });

  test('a method that is not in the table is counted as other, and has no result', async () => {
    serve();
    await asks('{"jsonrpc":"2.0","id":1,"method":"made_up","params":[1]}', '-32601');
    expect(await shown('rpc_server_requests_total', 'other')).toBe(1);
    expect(await shown('rpc_server_params_size_total', 'other')).toBe('[1]'.length);
    expect(await shown('rpc_server_request_duration_seconds_count', 'other')).toBe(1);
    expect(await shown('rpc_server_results_size_total', 'other')).toBeUndefined();
    expect(await shown('rpc_server_requests_total', 'made_up')).toBeUndefined();
  });

  test('how long a call took until its answer is observed in seconds, also when that is an error', async () => {
    const tookMs = 3;
    const busy = (): void => {
      const end = performance.now() + tookMs;
      while (performance.now() < end) continue;
    };
    serve({ invoke: () => (busy(), { kind: 'error', code: -32000, message: 'nothing doing' }) });
    const began = performance.now();
    await asks(call('x'), 'nothing doing');
    const seconds = await shown('rpc_server_request_duration_seconds_sum', 'conductor_removeServer');
    expect(seconds).toBeGreaterThanOrEqual(tookMs / 1000);
    expect(seconds).toBeLessThanOrEqual((performance.now() - began) / 1000);
    expect(await shown('rpc_server_request_duration_seconds_count', 'conductor_removeServer')).toBe(1);
    expect(await shown('rpc_server_results_size_total', 'conductor_removeServer')).toBeUndefined();
  });
});
