import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope } from '../payload/envelope.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerBatch, answerItem, resolveCall } from './dispatch.ts';
import type { Identity } from './identity.ts';
import { parseBody, type Call, type Outcome } from './message.ts';
import { methodTable } from './methods.ts';

async function serve(text: string, isAdminEnabled = true): Promise<string> {
  const body = parseBody(text, 100);
  if (body.kind === 'empty') return '';
  if (body.kind === 'failed') return body.text;
  const run = async (call: Call): Promise<Outcome> => {
    const resolved = resolveCall(call, { isAdminEnabled, isProxyEnabled: false, version: 'v0' });
    return resolved.kind === 'answered'
      ? resolved.outcome
      : {
          kind: 'result',
          json: JSON.stringify(resolved.values, (_, value: unknown) =>
            typeof value === 'bigint' ? Number(value) : value,
          ),
        };
  };
  return body.kind === 'batch' ? answerBatch(body.items, run) : answerItem(body.item, run);
}
const request = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('both documented call forms', () => {
  test('overrideLeader without a parameter means true', async () => {
    expect(await serve(request('conductor_overrideLeader'))).toContain('"result":[true]');
    expect(await serve(request('conductor_overrideLeader', [false]))).toContain('"result":[false]');
  });
  test('transferLeaderToServer takes a version as third parameter', async () => {
    expect(await serve(request('conductor_transferLeaderToServer', ['a', 'b']))).toContain('"result":["a","b",0]');
    expect(await serve(request('conductor_transferLeaderToServer', ['a', 'b', 7]))).toContain('"result":["a","b",7]');
    expect(await serve(request('conductor_transferLeaderToServer', ['a', 'b', 7, 8]))).toContain('want at most 3');
  });
});

test('rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag', async () => {
  for (const method of methodTable) {
    const answer = await serve(request(method.name, []), false);
    const isClosed = answer.includes('"code":-32601') && answer.includes('--rpc.enable-admin');
    expect(isClosed, method.name).toBe(method.admin);
  }
});

test('what is left of a batch that is over is answered and not run; its first call always is', async () => {
  const items = Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: `m${id}` }));
  const body = parseBody(JSON.stringify(items), 100);
  if (body.kind !== 'batch') throw new Error('a batch');
  for (const isOverAfter of [0, 3]) {
    const made: string[] = [];
    const run = async ({ method }: Call): Promise<Outcome> => {
      made.push(method);
      return { kind: 'result', json: 'true' };
    };
    const text = await answerBatch(body.items, run, undefined, () => made.length >= isOverAfter);
    const answers = JSON.parse(text) as { id: number; result?: boolean; error?: { message: string } }[];
    expect(made).toEqual(['m0', 'm1', 'm2'].slice(0, Math.max(1, isOverAfter)));
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    expect(answers.filter(({ result }) => result === true)).toHaveLength(made.length);
    expect(answers.at(-1)?.error?.message).toMatch(/^not carried out/);
  }
});

describe('who calls', () => {
  const options = { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' };
  const refusing = (): Identity => ({ kind: 'refused', message: 'unauthorized: nobody knows you' });
  const callOf = (method: string, values: readonly unknown[] = []): Call => ({
    id: '1',
    method,
    params: { text: JSON.stringify(values), values },
  });

  test('is asked by exactly the admin methods and the proxied one that changes something', () => {
    const asking = methodTable
      .map((method) => method.name)
      .filter((name) => {
        const resolved = resolveCall(callOf(name), options, refusing);
        return resolved.kind === 'answered' && resolved.refusedAdmin?.reason === 'unauthorized';
      });
    const admin = methodTable.filter((method) => method.admin).map((method) => method.name);
    expect(asking).toEqual([...admin, 'miner_setMaxDASize']);
  });

  test('does not matter to the one that changes something and is op-node’s, but for web pages', () => {
    const asked: string[] = [];
    for (const { name } of methodTable)
      resolveCall(callOf(name), options, (guard) => {
        asked.push(`${name} ${guard}`);
        return { kind: 'allowed', name: '' };
      });
    expect(asked.filter((one) => one.endsWith(' no-page'))).toEqual(['conductor_commitUnsafePayload no-page']);
    expect(resolveCall(callOf('conductor_commitUnsafePayload', [{}]), options, refusing)).toEqual({
      kind: 'answered',
      outcome: { kind: 'error', code: -40_100, message: 'unauthorized: nobody knows you' },
    });
  });

  test('is asked before parameters are judged and after --rpc.enable-admin, and the answer is the refusal', () => {
    const wrong = callOf('conductor_removeServer', [1, 2, 3]);
    expect(resolveCall(wrong, options, refusing)).toEqual({
      kind: 'answered',
      outcome: { kind: 'error', code: -40_100, message: 'unauthorized: nobody knows you' },
      refusedAdmin: { method: 'conductor_removeServer', reason: 'unauthorized' },
    });
    const off = resolveCall(wrong, { ...options, isAdminEnabled: false }, refusing);
    expect(off).toMatchObject({ outcome: { code: -32_601 }, refusedAdmin: { reason: 'disabled' } });
    const invalid = resolveCall(wrong, options, () => ({ kind: 'allowed', name: 'alice' }));
    expect(invalid).toMatchObject({ outcome: { code: -32_602 }, refusedAdmin: { reason: 'invalid' } });
  });

  test('goes with the call when it is known, and is nobody where it is not asked', () => {
    const alice = (): Identity => ({ kind: 'allowed', name: 'alice' });
    expect(resolveCall(callOf('conductor_pause'), options, alice)).toMatchObject({ kind: 'invoke', as: 'alice' });
    expect(resolveCall(callOf('conductor_leader'), options, alice)).toMatchObject({ kind: 'invoke', as: '' });
  });
});

test('a batch beyond its limit is refused as a whole', async () => {
  expect(await serve(`[${Array.from({ length: 101 }, () => request('conductor_leader')).join(',')}]`)).toContain(
    'batch too large',
  );
  expect(await serve(`[${Array.from({ length: 100 }, () => request('conductor_leader')).join(',')}]`)).toMatch(
    /^\[.*\]\n$/,
  );
});

test('a batch whose answer grows beyond its limit makes no more calls, and says so for each', async () => {
  const calls = Array.from({ length: 5 }, (_, id) => ({
    kind: 'call' as const,
    call: { id: `${id}`, method: 'x', params: { text: '', values: null } },
  }));
  let made = 0;
  const large: Outcome = { kind: 'result', json: `"${'x'.repeat(5 * 1024 * 1024)}"` };
  const text = await answerBatch(calls, () => {
    made += 1;
    return made === 1 ? Promise.resolve(large) : large;
  });
  expect(made).toBe(2);
  const answers = JSON.parse(text) as { id: number; error?: { code: number } }[];
  expect(answers.map(({ id, error }) => [id, error?.code ?? 0])).toEqual([
    [0, 0],
    [1, 0],
    [2, -32003],
    [3, -32003],
    [4, -32003],
  ]);
});

test('whatever is sent, the answer is nothing or JSON-RPC, and ids come back as they were', async () => {
  const noise = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.jsonValue(),
        method: fc.constantFrom('conductor_leader', 'x', '', 5),
        params: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value)),
    fc.array(fc.jsonValue()).map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(noise, async (text) => {
      const answer = await serve(text);
      if (answer === '') return;
      const parsed = JSON.parse(answer) as { jsonrpc: string } | { jsonrpc: string }[];
      for (const one of Array.isArray(parsed) ? parsed : [parsed]) expect(one.jsonrpc).toBe('2.0');
    }),
    { numRuns: 1000 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      async (id) => {
        const answer = await serve(JSON.stringify({ jsonrpc: '2.0', id, method: 'conductor_leader' }));
        expect((JSON.parse(answer) as { id: unknown }).id).toEqual(JSON.parse(JSON.stringify(id)));
      },
    ),
  );
});

test('a long batch lets others have their turn between its items, and keeps their order', async () => {
  const items = Array.from({ length: 20 }, (_, index) => `{"jsonrpc":"2.0","id":${index},"method":"conductor_leader"}`);
  const body = parseBody(`[${items.join(',')}]`, 100);
  if (body.kind !== 'batch') throw new Error(body.kind);
  const events: string[] = [];
  const answered = answerBatch(
    body.items,
    (call) => {
      events.push(call.id ?? '');
      return { kind: 'result', json: 'true' };
    },
    () => {
      if (events.length % 5 !== 0 || events.at(-1) === 'turn') return null;
      return Promise.resolve().then(() => void events.push('turn'));
    },
  );
  expect(events).toEqual(['0', '1', '2', '3', '4']);
  const ids = (JSON.parse(await answered) as { id: number }[]).map(({ id }) => id);
  expect(ids).toEqual(items.map((_, index) => index));
  expect(events.slice(5, 8)).toEqual(['turn', '5', '6']);
});

test('the document of rpc.discover is made once for a server', () => {
  const options = { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' };
  const discover = (): unknown => {
    const resolved = resolveCall({ id: '1', method: 'rpc.discover', params: { text: '', values: null } }, options);
    return resolved.kind === 'answered' ? resolved.outcome : null;
  };
  expect(discover()).toMatchObject({ kind: 'result' });
  expect(discover()).toBe(discover());
});

test('a call is resolved by its exact name only', () => {
  const resolved = resolveCall(
    { id: '1', method: 'conductor_Leader', params: { text: '', values: null } },
    { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
  );
  expect(resolved).toMatchObject({ kind: 'answered', outcome: { code: -32601 } });
});

describe('of a call with one argument too many', () => {
  const told = (method: string, values: readonly unknown[]): unknown => {
    const options = { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' };
    const resolved = resolveCall({ id: '1', method, params: { text: JSON.stringify(values), values } }, options);
    return resolved.kind === 'answered' && resolved.outcome.kind === 'error' ? resolved.outcome.message : resolved;
  };
  const commit = 'conductor_commitUnsafePayload';

  test.each([
    ['a payload that is none', commit, ['x', 1], /^invalid argument 0: json: cannot unmarshal string/],
    ['a payload with a field that is none', commit, [{ executionPayload: { blockNumber: 'z' } }, 1], /blockNumber/],
    [
      'an id that is none',
      'conductor_removeServer',
      [7, 0, 'more'],
      /^invalid argument 0: json: cannot unmarshal number/,
    ],
  ])('%s is told first', (_what, method, values, message) => {
    expect(told(method, values)).toMatch(message);
  });

  test('whose others are in order the number is told', () => {
    const payload: unknown = JSON.parse(
      JSON.stringify(formatEnvelope(buildBlock({ parent: null, timestamp: 1, transactions: [] }))),
    );
    expect(told(commit, [payload, 1])).toBe('too many arguments, want at most 1');
  });
});
