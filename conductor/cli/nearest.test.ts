import { expect, test } from 'vitest';
import { flagTable } from './flags.ts';
import { nearest } from './nearest.ts';

const names = flagTable.map((flag) => flag.name);

test.each([
  ['consensus.adr', 'consensus.addr'],
  ['consenus.addr', 'consensus.addr'],
  ['rpc.prot', 'rpc.port'],
  ['Paused', 'paused'],
  ['healthcheck.min-peers-count', 'healthcheck.min-peer-count'],
  ['metrics-enabled', 'metrics.enabled'],
  ['bootstrap', 'raft.bootstrap'],
])('--%s may mean --%s', (word, meant) => expect(nearest(word, names)).toBe(meant));

test('what resembles nothing has no suggestion', () => {
  expect(nearest('zzz', names)).toBeNull();
  expect(nearest('', names)).toBeNull();
});
