import { expect, test } from 'vitest';
import { resolveCall } from './dispatch.ts';
import { admin, type CallContext } from './method.ts';
import { methodTable } from './methods.ts';
import type { ParamSpec } from './params.ts';

const id = { name: 'id', type: 'string', doc: '', example: 'a' } as const satisfies ParamSpec;
const version = { name: 'version', type: 'uint64', doc: '', example: 7 } as const satisfies ParamSpec;

test('a handler is given the values of its parameters, in order, and typed by them', () => {
  const given: unknown[] = [];
  const row = admin('x_y', [id, version], { changes: 'version', doc: '' }, (_context, _call, name, at) => {
    given.push(name.toUpperCase(), at + 1n);
  });
  const call = { kind: 'rpc' as const, answerId: 1, method: 'x_y', values: ['a', 7n], from: '' };
  row.answering.carryOut({} as CallContext, call);
  expect(given).toEqual(['A', 8n]);
  // @ts-expect-error: a version is a bigint
  const wrong = admin('x_z', [version], { changes: 'version', doc: '' }, (_context, _call, at: string) =>
    given.push(at),
  );
  // @ts-expect-error: there is one parameter
  const more = admin('x_z', [id], { changes: 'version', doc: '' }, (_context, _call, a, b) => given.push(a, b));
  expect([wrong.name, more.name]).toEqual(['x_z', 'x_z']);
});

test('no two rows have the same name', () => {
  const names = methodTable.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['on', ['admin', 'conductor', 'eth', 'health', 'miner', 'optimism', 'rpc']],
  ['off', ['conductor', 'health', 'rpc']],
])(
  'rpc_modules answers as op-conductor, with the proxy %s: the modules in order, each with version 1.0',
  (proxy, names) => {
    const call = { id: '1', method: 'rpc_modules', params: { text: '', values: null } };
    const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, '1.0'])));
    for (const isAdminEnabled of [true, false]) {
      const answer = resolveCall(call, { isAdminEnabled, isProxyEnabled: proxy === 'on', version: 'v0' });
      expect(answer).toMatchObject({ kind: 'answered', outcome: { kind: 'result', json } });
    }
  },
);
