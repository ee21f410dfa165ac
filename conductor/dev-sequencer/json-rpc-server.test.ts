import { afterAll, describe, expect, it } from 'vitest';
import { RpcError, serveJsonRpc } from './json-rpc-server.ts';

const server = serveJsonRpc({
  hostname: '127.0.0.1',
  port: 0,
  delayMs: () => 0,
  methods: {
    echo: (params) => params,
    nothing: () => undefined,
    refuse: () => {
      throw new RpcError('no', -32001);
    },
    crash: () => Promise.reject(new TypeError('inner')),
  },
});
const url = `http://127.0.0.1:${server.port}`;

async function post(body: string, type = 'application/json'): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  return { status: response.status, text: await response.text() };
}

afterAll(() => server.stop());

describe('the JSON-RPC server of a development sequencer', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"echo","params":[1,"a"]}', '{"jsonrpc":"2.0","id":1,"result":[1,"a"]}\n'],
    ['{"jsonrpc":"2.0","id":"x","method":"nothing"}', '{"jsonrpc":"2.0","id":"x","result":null}\n'],
    ['{"jsonrpc":"2.0","method":"echo"}', ''],
    [
      '{"jsonrpc":"2.0","id":1,"method":"refuse","params":null}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no"}}\n',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"crash"}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"inner"}}\n',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"method":"toString"}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method toString does not exist/is not available"}}\n',
    ],
    [
      '[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","id":2,"method":"nothing"}]',
      '[{"jsonrpc":"2.0","id":1,"result":[]},{"jsonrpc":"2.0","id":2,"result":null}]\n',
    ],
  ])('answers %s', async (body, text) => expect(await post(body)).toEqual({ status: 200, text }));

  it('refuses batches of more than a hundred calls', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"nothing"}';
    expect((await post(`[${Array(101).fill(call).join(',')}]`)).text).toContain('batch too large');
  });

  it('refuses other content types and methods, and answers an empty GET', async () => {
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
    expect(await (await fetch(url)).text()).toBe('');
  });

  it.each([['{'], ['nonsense'], ['{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}}'], ['[1,null]'], ['null']])(
    'answers %s with an error and goes on',
    async (body) => {
      expect((await post(body)).text).toContain('"error"');
      expect((await post('{"jsonrpc":"2.0","id":1,"method":"nothing"}')).status).toBe(200);
    },
  );
});
