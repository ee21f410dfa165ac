import { describe, expect, it } from 'vitest';
import { buildRollbackEntry } from '#conductor/core/payload/rollback-entry';
import { encodeSsz } from '#conductor/core/payload/ssz';
import type { RaftPosition } from '#conductor/core/raft/status';
import { EntryType, type Entry } from '#conductor/core/raft/types';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { oneHashPerHeight } from './commit-laws.ts';

/** What is complained of when two servers commit a log of blocks; the first has not held the entries that are `unseen`. */
function judged(
  blocks: Blocks,
  log: readonly (Block | { readonly backTo: Block } | null)[],
  unseen: readonly number[] = [],
): string[] {
  const complaints: string[] = [];
  const oracle = oneHashPerHeight(
    (message) => complaints.push(message),
    () => undefined,
  );
  const entries = log.map((item, at): Entry => {
    const common = { index: at + 1, term: 1, extensions: null, appendedAtNanos: 0n };
    if (item === null) return { ...common, type: EntryType.noop, data: null } as unknown as Entry;
    const ssz = encodeSsz(('backTo' in item ? item.backTo : item).envelope) as Uint8Array;
    const data = 'backTo' in item ? buildRollbackEntry(ssz) : ssz;
    return { ...common, type: EntryType.command, data } as unknown as Entry;
  });
  oracle.watch?.({ blocks } as unknown as World);
  const commit = (id: string, hidden: readonly number[]): void => {
    const disk = { everAt: (index: number) => (hidden.includes(index) ? null : (entries[index - 1] ?? null)) };
    for (const { index } of entries)
      oracle.observed?.({ id, life: 1, disk } as unknown as Machine, { commitIndex: index } as unknown as RaftPosition);
  };
  commit('s0', unseen);
  commit('s1', []);
  return complaints;
}

describe('one hash per height', () => {
  const blocks = new Blocks(1);
  const one = blocks.build(blocks.genesis, 0);
  const two = blocks.build(one, 0);
  const other = blocks.build(one, 1);

  it('a chain, with entries in between that are no payloads, is one', () => {
    expect(judged(blocks, [one, null, two])).toEqual([]);
  });

  it('the same block twice is not, nor are two of a height, also where one server has not seen the first', () => {
    expect(judged(blocks, [one, two, one])).toEqual(['the log holds block 1 of s0 twice']);
    expect(judged(blocks, [one, two, other])).toEqual(['the log holds two blocks 2, of s0 and s1']);
    expect(judged(blocks, [one, two, other], [2])).toEqual(['the log holds two blocks 2, of s0 and s1']);
  });

  it('a rollback entry begins anew at its height, and not below', () => {
    expect(judged(blocks, [one, two, { backTo: other }, blocks.build(other, 1)])).toEqual([]);
    expect(judged(blocks, [one, two, { backTo: other }, one])).toEqual(['the log holds block 1 of s0 twice']);
  });

  it('what L1 has taken may be followed by another one', () => {
    const reorged = new Blocks(1);
    const [first] = [reorged.build(reorged.genesis, 0)];
    const gone = reorged.build(first, 0);
    reorged.rollBackTo(1);
    expect(judged(reorged, [first, gone, reorged.build(first, 1)])).toEqual([]);
  });

  it('what simply follows is no rollback', () => {
    expect(judged(blocks, [one, two, { backTo: blocks.build(other, 1) }])).toEqual([]);
    expect(judged(blocks, [one, { backTo: two }])).toEqual([
      'block 2 simply follows the chain, and the log moves that back for it',
    ]);
  });
});
