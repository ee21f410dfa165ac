import { describe, expect, test } from 'vitest';
import { resolveCall } from './dispatch.ts';
import { methodTable } from './methods.ts';
import { openRpcDocument } from './openrpc.ts';

interface Descriptor {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: { readonly default?: unknown };
}

interface Document {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly methods: readonly {
    readonly name: string;
    readonly paramStructure: string;
    readonly params: readonly Descriptor[];
    readonly result: Descriptor;
    readonly errors: readonly { readonly $ref: string }[];
  }[];
  readonly components: {
    readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
  };
}

const options = { isAdminEnabled: true, isProxyEnabled: true, version: 'v1.2.3' };

/** As a client gets it. */
function discovered(): Document {
  const call = { id: '1', method: 'rpc.discover', params: { text: '', values: null } };
  const resolved = resolveCall(call, options);
  if (resolved.kind !== 'answered' || resolved.outcome.kind !== 'result') throw new Error('no document');
  return JSON.parse(resolved.outcome.json) as Document;
}

describe('the OpenRPC document', () => {
  const document = discovered();

  test('has what the meta-schema requires of it', () => {
    expect(document.openrpc).toMatch(/^1\.\d+\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: 'v1.2.3' });
    for (const method of document.methods) {
      for (const one of [...method.params, method.result]) {
        expect(one.name, method.name).not.toBe('');
        expect(one.schema, `${method.name} ${one.name}`).toBeTypeOf('object');
        expect(Object.keys(one.schema), `${method.name} ${one.name}`).not.toEqual([]);
      }
      expect(new Set(method.params.map(({ name }) => name)).size).toBe(method.params.length);
      expect(['by-position', 'by-name', 'either']).toContain(method.paramStructure);
      const optional = method.params.findIndex(({ required }) => required === false);
      expect(
        method.params.slice(Math.max(0, optional)).every(({ required }) => optional === -1 || required === false),
      ).toBe(true);
    }
    for (const { code, message } of Object.values(document.components.errors)) {
      expect(Number.isInteger(code)).toBe(true);
      expect(message).not.toBe('');
    }
  });

  test('names every method once, and every reference leads somewhere', () => {
    expect(document.methods.map(({ name }) => name)).toEqual(methodTable.map(({ name }) => name));
    const errors = new Set(Object.keys(document.components.errors).map((name) => `#/components/errors/${name}`));
    for (const { errors: named } of document.methods) for (const { $ref } of named) expect(errors).toContain($ref);
  });

  test('shows both documented call forms', () => {
    const paramsOf = (name: string) => document.methods.find((method) => method.name === name)?.params;
    expect(paramsOf('conductor_overrideLeader')).toMatchObject([{ required: false, schema: { default: true } }]);
    expect(paramsOf('conductor_transferLeaderToServer')).toMatchObject([
      { required: true },
      { required: true },
      { name: 'version', required: false, schema: { default: 0 } },
    ]);
  });

  test('leaves out what is off', () => {
    const names = (
      openRpcDocument({
        ...options,
        isAdminEnabled: false,
        isProxyEnabled: false,
        methods: methodTable,
      }) as unknown as Document
    ).methods.map(({ name }) => name);
    expect(names).toContain('conductor_leader');
    expect(names.filter((name) => /^(eth|miner|optimism|admin)_|_pause$|remove/.test(name))).toEqual([]);
  });
});
