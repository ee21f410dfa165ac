import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockByHash, latestBlock, readHeader, type NodeRequest } from '#conductor/core/node/calls';
import { aliveProbe, badBlocks, l1Block, readBadBlocks } from '#conductor/core/node/engine-calls';
import { executeRequest, type Endpoints } from './sequencer.ts';

let answer: () => Response | Promise<Response> = () => new Response('{}');
let asked: (request: Request) => void = () => undefined;
let server: ReturnType<typeof Bun.serve>;
const received: string[] = [];
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      asked(request);
      received.push(await request.text());
      return answer();
    },
  });
});
afterAll(() => server.stop(true));
const MiB = 1024 * 1024;

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

  test.each(['1e400', '-1e400', '1.5', '9007199254740992', '"7"', 'null'])(
    'a code that is no whole number JSON keeps, %s, is passed on as -32000',
    async (code) => {
      answer = () => new Response(`{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"no","data":[1.50]}}`);
      const expected = { kind: 'error', code: -32000, message: 'no', data: '[1.50]' };
      for (const isVerbatim of [false, true]) expect(await call({ ...latestBlock, isVerbatim })).toEqual(expected);
    },
  );

  test.each([
    ['no JSON', 'hello', /was not answered with JSON/],
    ['a list', '[]', /was not answered with JSON/],
    ['JSON and more', '{"result":{}} x', /was not answered with JSON/],
    ['an error that is no JSON', '{"error":{"code":x}}', /was not answered with JSON/],
    ['neither result nor error', '{"id":1,"error":null}', /no result/],
    ['an error beyond any', `{"error":{"code":1,"data":"${'x'.repeat(300_000)}"}}`, /an error of more than/],
  ])('%s is nothing to pass on', async (_, text, message) => {
    answer = () => new Response(text);
    expect(await call({ ...latestBlock, isVerbatim: true })).toMatchObject({
      kind: 'failed',
      reason: 'malformed',
      message: expect.stringMatching(message),
    });
  });

  test('of an answer that is passed on the last result counts, whatever stands around it', async () => {
    answer = () => new Response(' {"result":1,"error":null,"id":[{"result":2}],"result":{"a":1.50} }\n');
    expect(await call({ ...latestBlock, isVerbatim: true })).toEqual({ kind: 'result', value: '{"a":1.50}' });
  });

  test.each([
    ['values', `[${'1,'.repeat(MiB)}1]`],
    ['objects', `[${'{},'.repeat(MiB)}1]`],
    ['members', `{${'"":1,'.repeat(600_000)}"a":1}`],
    ['texts', `[${'"",'.repeat(MiB)}1]`],
  ])('millions of small %s are not read: that would take longer than a lease', async (_, result) => {
    answer = () => new Response(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
    const url = `http://127.0.0.1:${server.port}`;
    const endpoints = { node: '', execution: '', executionPeers: '', rollupBoost: '', l1: url };
    expect(await executeRequest(endpoints, { ...l1Block(1n), timeoutMs: 20_000 })).toMatchObject({
      kind: 'failed',
      reason: 'malformed',
      message: expect.stringMatching(/^the answer of eth_getBlockByNumber has more than \d+ /),
    });
  });

  test('ten bad blocks of a thousand transactions are read', async () => {
    const transaction = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`field${at}`, '0x1']));
    const block = {
      hash: `0x${'ab'.repeat(32)}`,
      block: { transactions: Array.from({ length: 1000 }, () => transaction) },
    };
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: Array.from({ length: 10 }, () => block) });
    const answered = await call({ ...badBlocks, timeoutMs: 20_000 });
    expect(readBadBlocks(answered)).toHaveLength(10);
  });

  test('nothing is asked for compressed, and what comes so is not unpacked', async () => {
    let accepted: string | null = null;
    const packed = Bun.gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}');
    answer = () => new Response(packed, { headers: { 'Content-Encoding': 'gzip' } });
    asked = ({ headers }) => (accepted = headers.get('Accept-Encoding'));
    expect(await call()).toEqual({
      kind: 'failed',
      reason: 'malformed',
      message: 'the answer of eth_getBlockByNumber is compressed (gzip), which the request forbids',
    });
    expect(accepted).toBe('identity');
    answer = () =>
      new Response('{"jsonrpc":"2.0","id":1,"result":"a"}', { headers: { 'Content-Encoding': 'identity' } });
    expect(await call({ ...latestBlock, isVerbatim: true })).toEqual({ kind: 'result', value: '"a"' });
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

  test.each(['http://user:secret@HOST', 'http://HOST/v3/secret', 'http://HOST/?key=secret', 'http://HOST#secret'])(
    'what may be secret in %s never shows in a message',
    async (url) => {
      const at = (host: string): Endpoints => {
        const to = url.replace('HOST', host);
        return { node: to, execution: to, executionPeers: to, rollupBoost: to };
      };
      for (const request of [latestBlock, { ...latestBlock, isVerbatim: true }]) {
        const refused = await executeRequest(at('127.0.0.1:1'), request);
        expect(refused).toMatchObject({ message: expect.stringContaining('Post "http://127.0.0.1:1": dial tcp') });
        expect(JSON.stringify(refused)).not.toContain('secret');
        answer = () => new Promise<Response>(() => undefined);
        const silent = await executeRequest(at(`127.0.0.1:${server.port}`), { ...request, timeoutMs: 50 });
        expect(silent).toMatchObject({ reason: 'timeout' });
        expect(JSON.stringify(silent)).not.toContain('secret');
        answer = () => new Response(`Cannot POST /v3/secret or /?key=secret`, { status: 404 });
        const lost = await executeRequest(at(`127.0.0.1:${server.port}`), request);
        const isSaid = url.includes('/v3') ? '/v3/secret' : '?key=secret';
        if (/v3|key/.test(url)) expect(JSON.stringify(lost)).not.toContain(isSaid);
      }
    },
  );
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
