/** Addresses of a page are exchanged for real ones on the way out, and back on the way in. */
import { expect, onTestFinished, test } from 'vitest';
import { AddressProxy, type Addresses } from './address-proxy.ts';

/** A server that answers with what it was sent, and the proxy before it. */
function echo(more: Addresses = new Map()) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => new Response(`${request.headers.get('authorization') ?? ''}|${await request.text()}`),
  });
  const real = `127.0.0.1:${server.port}`;
  const proxy = new AddressProxy(new Map([['conductor-0:8547', real], ...more]));
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]();
    await server.stop(true);
  });
  const post = async (host: string, body: string): Promise<string> => {
    const answer = await fetch(`http://${host}/`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer x' },
      proxy: proxy.url,
    });
    return answer.text();
  };
  return { proxy, real, post };
}

test('a host of the page leads to the real server, with headers and body', async () => {
  const { post } = echo();
  expect(await post('conductor-0:8547', 'hello')).toBe('Bearer x|hello');
});

test('what comes back names the addresses of the page', async () => {
  const { post, real } = echo();
  expect(await post('conductor-0:8547', `at ${real}`)).toBe('Bearer x|at conductor-0:8547');
});

test('only whole addresses are exchanged, each once', () => {
  const { proxy, real } = echo(
    new Map([
      ['127.0.0.1:8547', '127.0.0.1:8548'],
      ['127.0.0.1:8548', '127.0.0.1:9'],
    ]),
  );
  expect(proxy.toReal('conductor-0:8547 xconductor-0:8547 conductor-0:85470')).toBe(
    `${real} xconductor-0:8547 conductor-0:85470`,
  );
  expect(proxy.toReal('127.0.0.1:8547 127.0.0.1:8548')).toBe('127.0.0.1:8548 127.0.0.1:9');
});

test('a host that the test does not have is refused with its name', async () => {
  const { post } = echo();
  expect(await post('conductor-7:8547', '')).toContain('conductor-7:8547');
});
