import { methodTable } from '#conductor/core/rpc/methods';
import { expect, it } from 'vitest';
import { resultFields } from './result-fields.ts';

const fieldsOf = (name: string): string => resultFields(methodTable.find((method) => method.name === name)!);

it('the fields of a result are told with their types, as the served schema has them', () => {
  expect(fieldsOf('conductor_clusterMembership')).toContain(
    '| `servers` | list of object: `id`, `addr`, `suffrage` | always |',
  );
  expect(fieldsOf('optimism_syncStatus')).toMatch(/\| `unsafe_l2` \| object: `hash`, `number`, `parentHash`/);
  expect(fieldsOf('optimism_outputAtBlock')).toMatch(/\| `outputRoot` \| 32 bytes in hex/);
});

it('a result of one value has none', () => {
  expect(fieldsOf('conductor_leader')).toBe('');
  expect(fieldsOf('conductor_pause')).toBe('');
});
