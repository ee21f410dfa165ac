/** The client against a server with real sockets that checks tokens as op-geth does. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newPayload, readPayloadStatus } from '#conductor/core/node/engine-calls';
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import { buildBlock } from '#conductor/core/payload/build-block';
import { verifyJwt } from '../auth/jwt.ts';
import { EngineClient } from './engine-client.ts';
import { engineToken } from './engine-token.ts';

const secretText = 'ab'.repeat(32);
const otherText = 'cd'.repeat(32);
const question: NodeRequest = { target: 'engine', method: 'eth_syncing', params: '[]', timeoutMs: 5000 };

interface Asked {
  readonly method: string;
  readonly params: unknown[];
  readonly token: string;
  readonly port: number;
}

const world = {
  folder: '',
  file: '',
  secret: Buffer.from(secretText, 'hex') as Uint8Array,
  nowMs: 1_700_000_000_000,
  monotonicMs: 0,
  asked: [] as Asked[],
  refused: 0,
  /** The answer to a token that is refused. */
  refusal: (): Response => new Response('stale token\n', { status: 401, statusText: 'Unauthorized' }),
  logs: [] as string[],
  counts: [] as string[],
  /** Histograms by name and labels, with what was observed. */
  observed: [] as (readonly [key: string, value: number])[],
  answer: (_asked: Asked): Response | Promise<Response> => Response.json({ jsonrpc: '2.0', id: 1, result: false }),
};
let server: Bun.Server<undefined>;

function listen(port = 0): void {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch: async (request, { requestIP }) => {
      const token = (request.headers.get('Authorization') ?? '').replace('Bearer ', '');
      const verdict = verifyJwt(world.secret, token, world.nowMs / 1000);
      if (verdict.kind !== 'valid') {
        world.refused += 1;
        return world.refusal();
      }
      const call = (await request.json()) as Asked;
      const asked = { ...call, token, port: requestIP.call(server, request)?.port ?? 0 };
      world.asked.push(asked);
      return world.answer(asked);
    },
  });
}

beforeEach(() => {
  world.folder = mkdtempSync(join(tmpdir(), 'engine-'));
  world.file = join(world.folder, 'jwt.txt');
  writeFileSync(world.file, `0x${secretText}\n`, { mode: 0o600 });
  world.secret = Buffer.from(secretText, 'hex');
  world.monotonicMs = 0;
  world.asked = [];
  world.refused = 0;
  world.refusal = () => new Response('stale token\n', { status: 401, statusText: 'Unauthorized' });
  world.logs = [];
  world.counts = [];
  world.observed = [];
  world.answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: false });
  listen();
});
afterEach(async () => {
  await server.stop(true);
  rmSync(world.folder, { recursive: true });
});

/** Time is the machine's, unless `isStill`: then `world.monotonicMs`. */
function client(isStill = false): EngineClient {
  return new EngineClient({
    url: `http://127.0.0.1:${server.port}`,
    jwtSecretFile: world.file,
    unixMs: () => world.nowMs,
    now: () => (isStill ? world.monotonicMs : performance.now()),
    logger: { log: (level, message, fields) => world.logs.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`) },
    metrics: {
      count: (name: string, labels?: Readonly<Record<string, string>>) =>
        void world.counts.push(`${name} ${Object.values(labels ?? {}).join(' ')}`),
      gauge: () => undefined,
      observe: (name: string, value: number, labels?: Readonly<Record<string, string>>) =>
        void world.observed.push([`${name} ${Object.values(labels ?? {}).join(' ')}`, value]),
    },
  });
}

const heard = (result: CallResult): unknown => (result.kind === 'result' ? result.value : result.message);

describe('tokens', () => {
  test('each request carries one of its own, issued now', async () => {
    const engine = client();
    expect(heard(await engine.execute(question))).toBe(false);
    world.nowMs += 3_600_000;
    expect(heard(await engine.execute(question))).toBe(false);
    const issued = world.asked.map(({ token }) => JSON.parse(atob(token.split('.')[1]!)) as unknown);
    expect(issued).toEqual([{ iat: 1_700_000_000 }, { iat: 1_700_003_600 }]);
  });

  test('are what others make of the same secret', () => {
    const token = engineToken(world.secret, 1_700_000_000.9);
    expect(JSON.parse(atob(token.split('.')[0]!))).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(verifyJwt(world.secret, token, 1_700_000_000)).toEqual({ kind: 'valid', name: 'jwt' });
  });

  test.each([secretText, `0x${secretText}`, ` ${secretText.toUpperCase()}\r\n\n`])('secret file %j', async (text) => {
    writeFileSync(world.file, text);
    expect(heard(await client().execute(question))).toBe(false);
  });

  test('a secret that cannot be used ends the start, without its text', () => {
    writeFileSync(world.file, 'ef'.repeat(31));
    expect(() => client()).toThrow(/--execution.jwt-secret: .*jwt.txt cannot be used: it is not 32 bytes/);
    expect(() => client()).not.toThrow(/efef/);
    rmSync(world.file);
    expect(() => client()).toThrow('ENOENT');
  });
});

describe('a refused token', () => {
  test('is told from every other failure, once in the log, with what to compare', async () => {
    const engine = client();
    world.secret = Buffer.from(otherText, 'hex');
    for (const request of [question, question]) {
      const result = await engine.execute(request);
      expect(result).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
      expect(readPayloadStatus(result)).toEqual({ kind: 'none', reason: 'unauthorized' });
      expect(heard(result)).toMatch(/401 Unauthorized: stale token/);
    }
    expect(world.logs).toEqual([expect.stringContaining('compare the secrets, and the clocks of both machines')]);
    world.secret = Buffer.from(secretText, 'hex');
    await engine.execute(question);
    expect(world.logs.at(-1)).toMatch(/info the engine API takes our tokens again/);
    expect(world.counts).toEqual([
      'engine_requests_total eth_syncing unauthorized',
      'engine_requests_total eth_syncing unauthorized',
      'engine_requests_total eth_syncing result',
    ]);
  });

  test.each([401, 403])(
    'is none of the client’s answers when status %i comes with JSON, either (Nethermind)',
    async (status) => {
      const error = { code: -32600, message: 'Authentication error' };
      world.refusal = () => Response.json({ jsonrpc: '2.0', id: null, error }, { status });
      const engine = client(true);
      world.secret = Buffer.from(otherText, 'hex');
      const result = await engine.execute(question);
      expect(result).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
      expect(heard(result)).toContain('Authentication error');
      expect(world.logs).toEqual([expect.stringContaining('compare the secrets, and the clocks of both machines')]);
      writeFileSync(world.file, otherText);
      expect(heard(await engine.execute(question))).toBe(false);
      expect(world.refused).toBe(2);
    },
  );

  test('is told from a host that the client does not serve, which op-geth looks at after the token', async () => {
    world.answer = () => new Response('invalid host specified\n', { status: 403, statusText: 'Forbidden' });
    expect(await client().execute(question)).toMatchObject({ kind: 'failed', reason: 'unauthorized' });
    expect(world.logs).toEqual([
      expect.stringMatching(/^error .*virtual hosts.*403 Forbidden: invalid host specified/),
    ]);
  });

  test('has the secret read again at once: a new one costs no request', async () => {
    const engine = client(true);
    world.secret = Buffer.from(otherText, 'hex');
    writeFileSync(world.file, otherText);
    expect(heard(await engine.execute(question))).toBe(false);
    expect(world.asked).toHaveLength(1);
    expect(world.logs).toEqual([expect.stringContaining('read a file with secrets again')]);
  });

  test('a file that turned bad changes nothing', async () => {
    const engine = client(true);
    writeFileSync(world.file, 'half');
    expect(heard(await engine.execute(question))).toBe(false);
    world.nowMs += 100_000;
    world.secret = Buffer.from(otherText, 'hex');
    expect(await engine.execute(question)).toMatchObject({ reason: 'unauthorized' });
  });

  test('neither secret nor token shows in a message, a log line or a metric', async () => {
    const engine = client(true);
    world.secret = Buffer.from('ef'.repeat(32), 'hex');
    const results = [await engine.execute(question)];
    writeFileSync(world.file, otherText);
    results.push(await engine.execute(question));
    await server.stop(true);
    results.push(await engine.execute(question));
    const said = JSON.stringify([results, world.logs, world.counts]);
    for (const secret of [secretText, otherText, engineToken(Buffer.from(secretText, 'hex'), world.nowMs / 1000)])
      expect(said).not.toContain(secret);
  });
});

test('a changed secret is noticed without a refusal, too: when two looks a second apart agree', async () => {
  const engine = client(true);
  writeFileSync(world.file, otherText);
  utimesSync(world.file, 1, 2);
  world.monotonicMs = 1000;
  expect(heard(await engine.execute(question))).toBe(false);
  world.secret = Buffer.from(otherText, 'hex');
  world.monotonicMs = 2000;
  expect(heard(await engine.execute(question))).toBe(false);
  expect(world.refused).toBe(0);
});

describe('connections', () => {
  test('are kept alive', async () => {
    const engine = client();
    for (let each = 0; each < 5; each += 1) await engine.execute(question);
    expect(new Set(world.asked.map(({ port }) => port)).size).toBe(1);
  });

  test('a client that was restarted is reached by the next request', async () => {
    const engine = client();
    await engine.execute(question);
    const { port } = server;
    await server.stop(true);
    // 'unreachable' where the kept connection's reset comes after the request has gone out on it.
    const gone = await engine.execute(question);
    expect(gone.kind === 'failed' && gone.reason).toBeOneOf(['refused', 'unreachable']);
    listen(port);
    expect(heard(await engine.execute(question))).toBe(false);
  });

  test('a client restarted between two requests costs none', async () => {
    const engine = client();
    await engine.execute(question);
    const { port } = server;
    await server.stop(true);
    listen(port);
    expect(heard(await engine.execute(question))).toBe(false);
  });
});

describe('bounds', () => {
  /** A server that answers only when it is told to. */
  function held(): { release(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.answer = async () => {
      await promise;
      return Response.json({ jsonrpc: '2.0', id: 1, result: { status: 'VALID' } });
    };
    return { release: resolve };
  }
  const payload = newPayload(buildBlock({ parent: null, timestamp: 1, transactions: [] }), 5000);
  const until = async (condition: () => boolean): Promise<void> => {
    const deadline = performance.now() + 5000;
    while (!condition()) {
      if (performance.now() > deadline) throw new Error('the condition did not come true');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  test('four payloads are under way at a time, 64 wait, more are not sent; questions pass them', async () => {
    const engine = client();
    const { release } = held();
    const results = Array.from({ length: 69 }, () => engine.execute(payload));
    await until(() => world.asked.length === 4);
    expect(await results.at(-1)).toMatchObject({ kind: 'failed', reason: 'overflow' });
    const asked = engine.execute(question);
    await until(() => world.asked.length === 5);
    expect(world.asked.at(-1)?.method).toBe('eth_syncing');
    release();
    expect((await Promise.all(results)).filter(({ kind }) => kind === 'result')).toHaveLength(68);
    await asked;
    expect(world.asked).toHaveLength(69);
  });

  test('what waits ends at its own deadline, and so does what gets no answer', async () => {
    const engine = client();
    const { release } = held();
    const silent = Array.from({ length: 4 }, () => engine.execute({ ...payload, timeoutMs: 1000 }));
    await until(() => world.asked.length === 4);
    expect(await engine.execute({ ...payload, timeoutMs: 20 })).toMatchObject({
      reason: 'timeout',
      message: 'engine_newPayloadV4 had no turn at the engine API within 20 ms',
    });
    for (const result of await Promise.all(silent)) expect(result).toMatchObject({ reason: 'timeout' });
    expect(world.asked).toHaveLength(4);
    release();
  });

  test('a request that is too large, and more than can be held, is not sent', async () => {
    const engine = client();
    const { release } = held();
    const large = { ...payload, params: 'x'.repeat(100 * 1024 * 1024) };
    const results = [large, large, large].map((request) => engine.execute({ ...request, timeoutMs: 50 }));
    expect(await results[2]).toMatchObject({ reason: 'overflow', message: expect.stringContaining('268435456') });
    const larger = { ...payload, params: 'x'.repeat(129 * 1024 * 1024) };
    expect(await engine.execute(larger)).toMatchObject({
      reason: 'overflow',
      message: expect.stringContaining('134217728'),
    });
    release();
    await Promise.all(results);
    world.answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: false });
    expect(heard(await engine.execute(question))).toBe(false);
  });

  test('an answer that is too large is given up', async () => {
    world.answer = () => new Response(new Uint8Array(33 * 1024 * 1024));
    expect(await client().execute(question)).toMatchObject({ kind: 'failed', reason: 'malformed' });
  });
});

test('how long a request took is observed in seconds, by its method, whether it was answered or not', async () => {
  const engine = client(true);
  world.answer = () => {
    world.monotonicMs += 250;
    return Response.json({ jsonrpc: '2.0', id: 1, result: false });
  };
  await engine.execute(question);
  await server.stop(true);
  await engine.execute({ ...question, method: 'eth_chainId' });
  expect(world.observed).toEqual([
    ['engine_request_seconds eth_syncing', 0.25],
    ['engine_request_seconds eth_chainId', 0],
  ]);
});

test('the answer to a payload is read', async () => {
  world.answer = ({ params, method }) => {
    const [{ blockHash }] = params as [{ blockHash: string }];
    expect(method).toBe('engine_newPayloadV4');
    return Response.json({
      jsonrpc: '2.0',
      id: 1,
      result: { status: 'INVALID', latestValidHash: blockHash, validationError: 'invalid merkle root' },
    });
  };
  const block = buildBlock({ parent: null, timestamp: 1, transactions: [Uint8Array.of(1, 2, 3)] });
  const hash = `0x${block.executionPayload.blockHash.toHex()}`;
  expect(readPayloadStatus(await client().execute(newPayload(block, 5000)))).toEqual({
    kind: 'invalid',
    message: 'invalid merkle root',
    latestValidHash: hash,
  });
});
