import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockByHash, latestBlock, readHeader, type NodeRequest } from '#conductor/core/node/calls';
import { aliveProbe, l1Block } from '#conductor/core/node/engine-calls';
import { executeRequest } from './sequencer.ts';

let answer: () => Response | Promise<Response> = () => new Response('{}');
let server: ReturnType<typeof Bun.serve>;
const received: string[] = [];
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      received.push(await request.text());
      return answer();
    },
  });
});
afterAll(() => server.stop(true));

const call = (request: NodeRequest = latestBlock) => {
  const url = `http://127.0.0.1:${server.port}`;
  return executeRequest({ node: url, execution: url, executionPeers: url, rollupBoost: url }, request);
};

describe('requests to the node', () => {
  test('carry method and parameters, and bring back the result', async () => {
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: { number: '0x1' } });
    expect(await call()).toMatchObject({ kind: 'result', value: { number: '0x1' } });
    expect(JSON.parse(received.at(-1) ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    });
  });

  test('the hash that an execution client claims for a head is not believed', async () => {
    const claimed = { number: '0x1', hash: `0x${'ab'.repeat(32)}`, parentHash: `0x${'cd'.repeat(32)}` };
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: claimed });
    for (const request of [latestBlock, blockByHash(claimed.hash)]) {
      const result = await call(request);
      expect(result).toEqual({ kind: 'result', value: { ...claimed, hash: null } });
      expect(readHeader((result as { value: unknown }).value)).toBeNull();
    }
    expect(await call({ ...latestBlock, isVerbatim: true })).toEqual({
      kind: 'result',
      value: JSON.stringify(claimed),
    });
  });

  test('the hash of an L1 header is kept: a later fork may have added fields to it', async () => {
    const header = { number: '0x1', hash: `0x${'ab'.repeat(32)}`, parentHash: `0x${'cd'.repeat(32)}` };
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: { ...header, fieldOfALaterFork: '0x1' } });
    const url = `http://127.0.0.1:${server.port}`;
    const endpoints = { node: '', execution: '', executionPeers: '', rollupBoost: '', l1: url };
    const result = await executeRequest(endpoints, l1Block(1n));
    expect(readHeader((result as { value: unknown }).value)).toEqual({ ...header, number: 1n });
  });

  test('who is not configured is not asked, and the flag is named', async () => {
    expect(await call(l1Block('latest'))).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/--l1\.rpc/),
    });
    expect(await call(aliveProbe('engine'))).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/--execution\.engine-rpc/),
    });
  });

  test.each([401, 403])('status %i is told from every other', async (status) => {
    answer = () => new Response('stale token', { status });
    expect(await call()).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
  });

  test.each([400, 401, 403])("a server's own error keeps code and text, also with status %i", async (status) => {
    const error = { code: -32000, message: 'sequencer not running' };
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, error }, { status });
    expect(await call()).toEqual({ kind: 'error', code: -32000, message: 'sequencer not running' });
  });

  test.each([
    ['HTTP errors', () => new Response('oops', { status: 500, statusText: 'Internal Server Error' }), /500/],
    ['no JSON', () => new Response('hello'), /was not answered with JSON/],
    ['neither result nor error', () => Response.json({ id: 1 }), /no result/],
    ['null', () => Response.json(null), /no result/],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), /./],
  ])('%s are failures with a reason', async (_, give, text) => {
    answer = give;
    expect(await call()).toMatchObject({ kind: 'failed', message: expect.stringMatching(text) });
  });

  test('an answer beyond the size bound is given up, announced or not', async () => {
    answer = () => new Response(new Uint8Array(33 * 1024 * 1024));
    expect(await call()).toMatchObject({
      kind: 'failed',
      reason: 'malformed',
      message: expect.stringContaining('larger than'),
    });
    answer = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
        }),
      );
    expect(await call()).toMatchObject({ kind: 'failed', reason: 'malformed' });
  });

  test('the header of a block with 300 000 transactions is read', async () => {
    const header = { number: '0x1', transactions: Array.from({ length: 300_000 }, () => `0x${'ab'.repeat(32)}`) };
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: header });
    expect(await call({ ...latestBlock, timeoutMs: 20_000 })).toMatchObject({
      kind: 'result',
      value: { number: '0x1' },
    });
  });

  test('a block of 40 MB is passed on as it came', async () => {
    const block = `{"number":"0x1","transactions":[{"input":"0x${'ab'.repeat(20_000_000)}","b":1,"a":2}]}`;
    answer = () => new Response(`{"jsonrpc":"2.0","id":1,"result":${block}}`);
    const { value } = (await call({ ...latestBlock, isVerbatim: true, timeoutMs: 20_000 })) as { value: string };
    expect(value.length).toBe(block.length);
    expect(value.slice(-20)).toBe(block.slice(-20));
  });

  test('a large answer that breaks off is no JSON', async () => {
    answer = () => new Response(`{"jsonrpc":"2.0","id":1,"result":{"a":"${'x'.repeat(9_000_000)}"`);
    const call9MB = call({ ...latestBlock, isVerbatim: true, timeoutMs: 20_000 });
    expect(await call9MB).toMatchObject({ kind: 'failed', message: expect.stringContaining('not answered with JSON') });
  });

  test('silence ends at the deadline', async () => {
    answer = () => new Promise<Response>(() => undefined);
    expect(await call({ ...latestBlock, timeoutMs: 50 })).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  test('nobody there is refused, in the words of the dialler', async () => {
    const down = 'http://127.0.0.1:1';
    const result = await executeRequest(
      { node: down, execution: down, executionPeers: down, rollupBoost: down },
      latestBlock,
    );
    expect(result).toEqual({
      kind: 'failed',
      reason: 'refused',
      message: 'Post "http://127.0.0.1:1": dial tcp 127.0.0.1:1: connect: connection refused',
    });
  });

  test('credentials in the URL never show in a message', async () => {
    const down = 'http://user:secret@127.0.0.1:1';
    const result = await executeRequest(
      { node: down, execution: down, executionPeers: down, rollupBoost: down },
      latestBlock,
    );
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

describe('dialling a peer', () => {
  const dial = (address: string) =>
    call({ target: 'peer', method: 'dial', params: JSON.stringify([address]), timeoutMs: 1000 });

  test('reaches a listener', async () =>
    expect(await dial(`127.0.0.1:${server.port}`)).toEqual({ kind: 'result', value: true }));
  test('without a host it is this machine, as in Go', async () =>
    expect(await dial(`:${server.port}`)).toEqual({ kind: 'result', value: true }));
  test('the name of a service is refused in words of ours', async () =>
    expect(await dial('127.0.0.1:http')).toMatchObject({
      kind: 'failed',
      message: 'dial tcp: address 127.0.0.1:http: the port must be a number; names of services are not known',
    }));
  test.each([
    ['', 'dial tcp: missing address'],
    ['127.0.0.1', 'dial tcp: address 127.0.0.1: missing port in address'],
    ['127.0.0.1:99999', 'dial tcp: address 99999: invalid port'],
    ['127.0.0.1:1', 'dial tcp 127.0.0.1:1: connect: connection refused'],
    ['127.0.0.1:0', 'dial tcp 127.0.0.1:0: connect: connection refused'],
    [':1', 'dial tcp :1: connect: connection refused'],
    ['::1:1', 'dial tcp: address ::1:1: too many colons in address'],
    ['[fe80::1%nowhere]:1', expect.stringMatching(/^dial tcp \[fe80::1%nowhere\]:1: connect: /) as string],
    ['conductor.invalid:1', 'dial tcp: lookup conductor.invalid: no such host'],
  ])('%j fails as in Go', async (address, message) =>
    expect(await dial(address)).toMatchObject({ kind: 'failed', message }),
  );
});
