/** Tables and methods from data files: complete rows, one heading per method, answers that are JSON. */
import { describe, expect, test } from 'vitest';
import { dataTable } from './data-table.ts';
import { rpcMethods } from './rpc-methods.ts';

describe('tables of data', () => {
  test('a group has its own rows only', () => {
    const all = dataTable({ of: 'op-node-metrics' }).split('\n').length;
    const some = dataTable({ of: 'op-node-metrics', group: 'p2p' }).split('\n').length;
    expect(some).toBeLessThan(all);
    expect(dataTable({ of: 'op-node-metrics', group: 'p2p' })).toContain('`op_node_default_p2p_peer_count`');
  });

  test('a name that is none is answered with a sentence', () => {
    expect(() => dataTable({})).toThrow('needs `of`');
    expect(() => dataTable({ of: 'op-node-metrics', group: 'none' })).toThrow('no rows of the group none');
  });
});

describe('methods of data', () => {
  test.each(['optimism', 'superroot', 'opp2p', 'admin'])('each of the namespace %s has one heading', (namespace) => {
    const text = rpcMethods({ of: 'op-node', namespace });
    const headings = [...text.matchAll(/^### `(.+)`$/gm)].map(([, heading]) => heading ?? '');
    expect(headings.length).toBeGreaterThan(0);
    expect(new Set(headings).size).toBe(headings.length);
    for (const heading of headings) {
      expect(heading.startsWith(`${namespace}_`)).toBe(true);
      expect(text).toContain(`cast rpc ${heading}`);
    }
  });

  test('a namespace that is none is answered with a sentence', () => {
    expect(() => rpcMethods({ of: 'op-node', namespace: 'none' })).toThrow('no namespace none');
  });
});
