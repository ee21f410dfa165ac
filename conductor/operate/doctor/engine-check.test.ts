import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyJwt } from '#conductor/adapters/auth/jwt';
import type { Asked } from './asked.ts';
import { checkEngine } from './engine-check.ts';
import type { Subject } from './subject.ts';

const secret = 'ab'.repeat(32);
const execution: Asked = {
  url: 'http://127.0.0.1:1',
  why: '',
  answers: new Map([['eth_chainId', { kind: 'result', result: '0x385' }]]),
  clockAheadMs: 0,
};
let folder = '';
let server: Bun.Server<undefined>;
let results: Record<string, unknown> = {};
let refusal = (): Response => new Response('stale token', { status: 401 });
/** Which hosts the client serves, looked at after the token as in op-geth. */
let isHostServed = true;
/** How GET /livez is answered. */
let livez = 404;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-check-'));
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.method === 'GET') return new Response('OK', { status: livez });
      const { method } = (await request.json()) as { method: string };
      const token = (request.headers.get('Authorization') ?? '').slice('Bearer '.length);
      const verdict = verifyJwt(Uint8Array.fromHex(secret), token, Date.now() / 1000);
      if (method === 'eth_chainId' && verdict.kind !== 'valid') return refusal();
      if (!isHostServed) return new Response('invalid host specified', { status: 403 });
      return Response.json({ jsonrpc: '2.0', id: 1, result: results[method] });
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  const hash = `0x${'cd'.repeat(32)}`;
  refusal = () => new Response('stale token', { status: 401 });
  isHostServed = true;
  livez = 404;
  results = { eth_chainId: '0x385', eth_getBlockByNumber: { number: '0x64', hash, parentHash: hash } };
});

/** A running conductor that tells these members, suffrage 0 for voters. */
function conductorOf(suffrages: readonly number[]): Asked {
  const servers = suffrages.map((suffrage, at) => ({ id: `n${at}`, addr: `h:${at}`, suffrage }));
  const answers: Asked['answers'] = new Map([
    ['conductor_clusterMembership', { kind: 'result', result: { servers, version: 1 } }],
  ]);
  return { ...execution, answers };
}

const silent: Asked = { ...execution, why: 'connection refused', answers: new Map() };

async function findings(text: string, { url = '', l1Url = '' } = {}): Promise<string[]> {
  const jwtSecretFile = join(folder, 'jwt.txt');
  writeFileSync(jwtSecretFile, text, { mode: 0o600 });
  const engine = { url: url === '' ? `http://127.0.0.1:${server.port}` : url, jwtSecretFile };
  const subject = { config: { engine, l1Url }, execution, conductor: silent } as unknown as Subject;
  return (await checkEngine(subject)).map(({ verdict, says, advice }) => `${verdict}: ${says} ${advice}`.trim());
}

test('nothing is said of what is not configured', async () => {
  for (const config of [null, {}, { engine: null, l1Url: '' }])
    expect(await checkEngine({ config, execution } as unknown as Subject)).toEqual([]);
});

test('an engine API that takes our tokens is good, and so is an L1 client that tells its head', async () => {
  expect(await findings(secret, { l1Url: `http://127.0.0.1:${server.port}` })).toEqual([
    'good: its engine API answers and takes our tokens',
    'good: the L1 client is at block 100',
  ]);
});

test.each([
  [
    'another secret',
    'cd'.repeat(32),
    {},
    /^bad: the engine API refuses our tokens: 401 .*stale token Compare the secret/,
  ],
  ['no secret', 'none', {}, /^bad: --execution.jwt-secret: .* it is not 32 bytes.*Give it the file/],
  ['nobody there', secret, { url: 'http://127.0.0.1:1' }, /^bad: the engine API does not answer: .*refused Is it/],
])('%s is wrong, with what to do', async (_, text, more, said) => {
  expect(await findings(text, more)).toEqual([expect.stringMatching(said)]);
});

test('a token that is refused in JSON is no answer that takes it', async () => {
  const error = { code: -32600, message: 'Authentication error' };
  refusal = () => Response.json({ jsonrpc: '2.0', id: null, error }, { status: 401 });
  expect(await findings('cd'.repeat(32))).toEqual([
    expect.stringMatching(/^bad: the engine API refuses our tokens: 401 .*Authentication error/),
  ]);
});

test('a host that the client does not serve is told with its words, and which setting that is', async () => {
  isHostServed = false;
  expect(await findings(secret)).toEqual([
    expect.stringMatching(/^bad: the engine API refuses .*: 403 .*invalid host specified .*--authrpc\.vhosts/),
  ]);
});

test('rollup-boost is not the client’s own engine API: it answers at /livez, and takes requests without a token', async () => {
  livez = 200;
  expect(await findings(secret)).toEqual([expect.stringMatching(/^bad: .* \/livez, as rollup-boost does.*authrpc/)]);
  livez = 404;
  refusal = () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x385' });
  expect(await findings(secret)).toEqual([expect.stringMatching(/^bad: .*without a token.*authrpc/)]);
});

test('the client of another chain is wrong', async () => {
  results['eth_chainId'] = '0xa';
  expect(await findings(secret)).toEqual([expect.stringMatching(/^bad: .* of chain 10, and .* of chain 901/)]);
});

test('an L1 client that tells no head is wrong', async () => {
  results['eth_getBlockByNumber'] = null;
  const said = await findings(secret, { l1Url: `http://127.0.0.1:${server.port}` });
  expect(said[1]).toMatch(/^bad: the L1 client does not answer: it tells no latest block/);
});

describe('blocks that op-reth built', () => {
  interface Setting {
    readonly validation?: string;
    readonly version?: unknown;
    readonly conductor?: Asked;
  }

  const check = async ({ validation = 'leader', version = 'op-reth/v2.4.0-1a2b3c4d', ...more }: Setting) => {
    const engine = { url: `http://127.0.0.1:${server.port}`, jwtSecretFile: join(folder, 'jwt.txt') };
    writeFileSync(engine.jwtSecretFile, secret, { mode: 0o600 });
    const answers: Asked['answers'] = new Map([
      ...execution.answers,
      ['web3_clientVersion', { kind: 'result', result: version }],
    ]);
    const subject = {
      config: { engine, validation },
      execution: { ...execution, answers },
      conductor: more.conductor ?? conductorOf([0, 0, 0]),
    } as unknown as Subject;
    return (await checkEngine(subject)).filter(({ verdict }) => verdict !== 'good');
  };

  test('are not executed where the leader’s client alone is asked: a warning, with the setting for it', async () => {
    expect(await check({})).toEqual([
      expect.objectContaining({
        verdict: 'warning',
        says: expect.stringMatching(/op-reth\/v2\.4\.0.*without executing them again.*--consensus\.validate=leader/),
        advice: expect.stringContaining('--consensus.validate=quorum'),
        link: expect.stringMatching(/#--consensusvalidate$/),
      }),
    ]);
    expect(await check({ conductor: silent })).toHaveLength(1);
  });

  test('may be built by a client that does not tell its name, as behind rollup-boost', async () => {
    expect(await check({ version: null })).toEqual([
      expect.objectContaining({ verdict: 'warning', says: expect.stringContaining('cannot be told') }),
    ]);
    expect(await check({ version: null, conductor: conductorOf([0, 1]) })).toEqual([]);
  });

  test.each<[string, Setting]>([
    ['a majority is asked', { validation: 'quorum' }],
    ['nobody is asked', { validation: 'off' }],
    ['the client is another', { version: 'Geth/v1.101702.3-stable' }],
    ['there is one voter', { conductor: conductorOf([0, 1]) }],
  ])('are nothing to warn of where %s', async (_, setting) => {
    expect(await check(setting)).toEqual([]);
  });
});
