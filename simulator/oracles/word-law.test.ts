import { expect, test } from 'vitest';
import { buildRollbackEntry } from '#conductor/core/payload/rollback-entry';
import { encodeSsz } from '#conductor/core/payload/ssz';
import { Blocks } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Oracle } from './oracle.ts';
import { movesOnWordAlone } from './word-law.ts';

/** A server commits an entry that moves the chain back to a block at height 1, or to nothing where `isEmpty`. */
function judged(settings: { readonly refusesRollback?: number; readonly toldOf?: number; readonly isEmpty?: boolean }) {
  const { refusesRollback = 1, toldOf, isEmpty = false } = settings;
  const complaints: string[] = [];
  const blocks = new Blocks(1);
  const ssz = encodeSsz(blocks.build(blocks.genesis, 0).envelope) as Uint8Array;
  const data = buildRollbackEntry(isEmpty ? new Uint8Array() : ssz);
  const machine = { id: 's0', life: 1, disk: { everAt: () => ({ index: 1, term: 1, data }) } } as unknown as Machine;
  const oracle = movesOnWordAlone(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch({ blocks, configuration: { refusesRollback } } as unknown as World);
  if (toldOf !== undefined)
    oracle.handled(machine, { kind: 'rpc', method: 'conductor_giveUpBlock', values: [BigInt(toldOf), '0x'] } as never);
  oracle.observed(machine, { commitIndex: 1, term: 1, hasFailed: false } as never);
  return complaints;
}

test('without an operator’s word nothing is moved back', () => {
  expect(judged({})).toEqual(['s0 moves the chain back at block 1, and no operator said so']);
  expect(judged({ isEmpty: true })).toHaveLength(1);
});

test('a word about another height is none', () => {
  expect(judged({ toldOf: 2 })).toHaveLength(1);
});

test('with it, or where proofs are acted on, it is', () => {
  expect(judged({ toldOf: 1 })).toEqual([]);
  expect(judged({ toldOf: 7, isEmpty: true })).toEqual([]);
  expect(judged({ refusesRollback: 0 })).toEqual([]);
});
