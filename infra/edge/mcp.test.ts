import { describe, expect, it } from 'vitest';
import { answerMcp, type Server } from './mcp.ts';

const ADDRESS = 'https://docs.example.org/mcp';
const echo = {
  ...{ name: 'echo', title: 'Echo', description: 'Says it again.', inputSchema: { type: 'object' }, annotations: {} },
  call: (given: Readonly<Record<string, unknown>>) =>
    given['fails'] === true
      ? Promise.reject(new Error('the secret reason'))
      : Promise.resolve({ content: [{ type: 'text' as const, text: JSON.stringify(given) }] }),
};
const server: Server = { name: 'docs', version: '1.0.0', instructions: 'Ask.', tools: [echo] };
const STATELESS = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': STATELESS };

type Headers_ = Readonly<Record<string, string>>;

/** What is looked at of an answer; each has some of it. */
interface Body {
  readonly id: unknown;
  readonly result: Readonly<Record<string, unknown>> & { readonly tools: readonly object[] };
  readonly error: { readonly code: number; readonly data: unknown };
}

async function post(body: unknown, headers: Headers_ = {}): Promise<{ status: number; body: Body }> {
  const response = await answerMcp(
    new Request(ADDRESS, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    server,
  );
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
}

const request = (method: string, params: Readonly<Record<string, unknown>> = {}, id: unknown = 7) => ({
  ...{ jsonrpc: '2.0', id, method, params },
});
const stateless = (method: string, params: Readonly<Record<string, unknown>> = {}, more: Headers_ = {}) =>
  post(request(method, { ...params, _meta: META }), {
    'MCP-Protocol-Version': STATELESS,
    'Mcp-Method': method,
    ...more,
  });

describe('clients that begin with a handshake', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('that ask for %s are offered %s', async (asked, offered) => {
    const { status, body } = await post(request('initialize', { protocolVersion: asked, capabilities: {} }));
    expect([status, body.id, body.result['protocolVersion']]).toEqual([200, 7, offered]);
    expect(body.result['capabilities']).toEqual({ tools: {} });
  });

  it('are answered by the id they gave, and not at all where they gave none', async () => {
    expect((await post(request('ping', {}, 'seven'))).body).toEqual({ jsonrpc: '2.0', id: 'seven', result: {} });
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ status: 202, body: null });
  });

  it('list and call tools', async () => {
    const { body } = await post(request('tools/list'), { 'MCP-Protocol-Version': '2025-06-18' });
    expect(body.result).toEqual({ tools: [expect.objectContaining({ name: 'echo' })] });
    expect(body.result.tools[0]).not.toHaveProperty('call');
    const called = await post(request('tools/call', { name: 'echo', arguments: { a: 1 } }));
    expect(called.body.result).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
  });

  it.each([
    ['server/discover', {}, 200, -32601],
    ['resources/list', {}, 200, -32601],
    ['tools/call', { name: 'nothing' }, 400, -32602],
    ['tools/call', { name: 'echo', arguments: [] }, 400, -32602],
  ])('%s with %j is refused', async (method, params, status, code) => {
    const answer = await post(request(method, params));
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, 7]);
  });
});

describe('clients of the stateless revision', () => {
  it('learn by server/discover what there is', async () => {
    const { status, body } = await stateless('server/discover');
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [STATELESS, '2025-11-25', '2025-06-18'],
      capabilities: { tools: {} },
      cacheScope: 'public',
    });
  });

  it('list and call tools, and results say that they are complete', async () => {
    expect((await stateless('tools/list')).body.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000 });
    const { body } = await stateless('tools/call', { name: 'echo' }, { 'Mcp-Name': 'echo' });
    expect(body.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: '{}' }] });
  });

  it.each([
    ['no version in the headers', { 'MCP-Protocol-Version': '' }, -32020],
    ['an older version in the headers', { 'MCP-Protocol-Version': '2025-11-25' }, -32020],
    ['another method in the headers', { 'Mcp-Method': 'tools/list' }, -32020],
    ['no name of the tool in the headers', {}, -32020],
    ['the name of another tool in the headers', { 'Mcp-Name': 'other' }, -32020],
  ])('%s is refused', async (_, headers, code) => {
    const { status, body } = await stateless('tools/call', { name: 'echo' }, headers);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  it('of a revision that is not spoken are told which are', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    for (const answer of [
      await post(request('tools/list', { _meta: meta }), { 'MCP-Protocol-Version': '2099-01-01' }),
      await post(request('tools/list'), { 'MCP-Protocol-Version': '2099-01-01' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, -32022]);
      expect(answer.body.error.data).toMatchObject({ supported: expect.arrayContaining([STATELESS]) });
    }
  });

  it('that forget their metadata are told what is missing', async () => {
    const { status, body } = await post(request('tools/list'), { 'MCP-Protocol-Version': STATELESS });
    expect([status, body.error.code]).toEqual([400, -32602]);
  });

  it.each(['initialize', 'ping', 'resources/list'])('have no %s', async (method) => {
    const { status, body } = await stateless(method);
    expect([status, body.error.code]).toEqual([404, -32601]);
  });
});

describe('what is no message of the protocol', () => {
  it.each([
    ['no JSON', '{', 400, -32700],
    ['a list', [request('ping')], 400, -32600],
    ['null', 'null', 400, -32600],
    ['another version of JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['an id that is an object', request('ping', {}, {}), 400, -32600],
    ['an id that is null', request('ping', {}, null), 400, -32600],
    ['params in a list', { ...request('ping'), params: [] }, 400, -32602],
  ])('%s is refused', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, null]);
  });

  it('another type of content is refused', async () => {
    expect((await post(request('ping'), { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('pages of other sites are refused, those of this one are not', async () => {
    expect((await post(request('ping'), { Origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post(request('ping'), { Origin: 'null' })).status).toBe(403);
    expect((await post(request('ping'), { Origin: 'https://docs.example.org' })).status).toBe(200);
  });
});

it('a failure of the site is said without its reason', async () => {
  const { status, body } = await post(request('tools/call', { name: 'echo', arguments: { fails: true } }));
  expect([status, body.error.code]).toEqual([500, -32603]);
  expect(JSON.stringify(body)).not.toContain('secret');
});
