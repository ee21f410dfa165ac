/** What a server gets to see of a request besides its content: the user and password of its URL, also past a redirect. */
import { describe, expect, test } from 'vitest';
import type { NodeRequest } from '#conductor/core/node/calls';
import { postCall } from './json-rpc-post.ts';
import { executeRequest } from './sequencer.ts';

describe('a user and password in a URL', () => {
  /** What a server of one path gets to see, by the name of the target that is asked there. */
  const seen = async (user: string, ask: (url: string) => Promise<unknown>): Promise<(string | null)[]> => {
    const headers: (string | null)[] = [];
    await using gate = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ headers: given }) => {
        headers.push(given.get('Authorization'));
        return Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' });
      },
    });
    await ask(`http://${user}@127.0.0.1:${gate.port}/path`);
    return headers;
  };
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

  test.each(['node', 'execution', 'executionPeers', 'l1', 'rollupBoost'] as const)(
    'are sent to %s as Basic authorization',
    async (target) => {
      const ask = (url: string) =>
        executeRequest(
          { node: '', execution: '', executionPeers: '', rollupBoost: '', [target]: url },
          { target, method: 'any', params: '[]', timeoutMs: 5000 },
        );
      expect(await seen('name:pa%40ss%3Aword', ask)).toEqual([basic('name:pa@ss:word')]);
      expect(await seen('name', ask)).toEqual([basic('name:')]);
    },
  );

  test('give way to the token of the engine API', async () => {
    const headers = { Authorization: 'Bearer token' };
    const request: NodeRequest = { target: 'engine', method: 'any', params: '[]', timeoutMs: 5000 };
    expect(await seen('name:word', (url) => postCall(url, request, { headers }))).toEqual(['Bearer token']);
  });
});

describe('redirects', () => {
  interface Hop {
    readonly path: string;
    readonly authorization: string | null;
    readonly body: string;
  }

  /** A server that sends each request on to the URL that `next` names; what it saw. */
  const sender = (status: number, next: (path: string) => string | null) => {
    const hops: Hop[] = [];
    const gate = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const { pathname: path } = new URL(request.url);
        hops.push({ path, authorization: request.headers.get('Authorization'), body: await request.text() });
        const location = next(path);
        return location === null
          ? Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
          : new Response('moved', { status, headers: { Location: location } });
      },
    });
    return { gate, hops, url: `http://name:word@127.0.0.1:${gate.port}/first` };
  };
  const request = { method: 'eth_chainId', params: '[]', timeoutMs: 5000 } as const;
  const ask = (url: string, target: 'node' | 'execution' | 'executionPeers' | 'l1' = 'node') =>
    executeRequest(
      { node: url, execution: url, executionPeers: url, rollupBoost: '', l1: url },
      { ...request, target },
    );

  test.each([
    [307, 'node'],
    [308, 'execution'],
    [307, 'executionPeers'],
    [308, 'l1'],
  ] as const)(
    '%i: the same POST is sent again, of %s, with user and password on the same server',
    async (status, target) => {
      const { gate, hops, url } = sender(status, (path) => (path === '/first' ? '/second' : null));
      await using _ = gate;
      expect(await ask(url, target)).toEqual({ kind: 'result', value: '0x1' });
      expect(hops.map(({ path }) => path)).toEqual(['/first', '/second']);
      expect(hops[1]).toEqual({ ...hops[0], path: '/second' });
      expect(hops[1]!.authorization).toMatch(/^Basic /);
    },
  );

  test('another server is given no user and password', async () => {
    const other = sender(307, () => null);
    await using elsewhere = other.gate;
    const { gate, url } = sender(307, () => `http://127.0.0.1:${elsewhere.port}/there`);
    await using _ = gate;
    expect(await ask(url)).toEqual({ kind: 'result', value: '0x1' });
    expect(other.hops).toMatchObject([{ path: '/there', authorization: null }]);
  });

  test.each([301, 302, 303])('%i, which a POST does not survive, is told', async (status) => {
    const { gate, hops, url } = sender(status, () => '/second');
    await using _ = gate;
    expect(await ask(url)).toMatchObject({ kind: 'failed', message: expect.stringContaining(String(status)) });
    expect(hops).toHaveLength(1);
  });

  test.each(['file:///etc/hostname', 'data:application/json,{"result":1}', 'http://', ''])(
    'to %j are not followed',
    async (location) => {
      const { gate, hops, url } = sender(307, () => location);
      await using _ = gate;
      expect(await ask(url)).toMatchObject({ kind: 'failed', message: expect.stringContaining('307') });
      expect(hops).toHaveLength(1);
    },
  );

  test('in a circle end after a few', async () => {
    const { gate, hops, url } = sender(307, (path) => path);
    await using _ = gate;
    expect(await ask(url)).toMatchObject({ kind: 'failed', message: expect.stringContaining('307') });
    expect(hops).toHaveLength(5);
  });

  test('lead to no time of their own: the deadline is that of the first request', async () => {
    await using silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) =>
        new URL(url).pathname === '/silence'
          ? new Promise<Response>(() => undefined)
          : new Response(null, { status: 307, headers: { Location: '/silence' } }),
    });
    const result = await postCall(`http://127.0.0.1:${silent.port}`, { ...request, target: 'node', timeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  test('of the engine API are not followed: its token stays where it is', async () => {
    const { gate, hops, url } = sender(307, () => '/second');
    await using _ = gate;
    const result = await postCall(
      url,
      { ...request, target: 'engine' },
      { headers: { Authorization: 'Bearer token' } },
    );
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('307') });
    expect(hops).toHaveLength(1);
  });
});
