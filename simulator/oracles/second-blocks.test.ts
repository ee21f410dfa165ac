import { expect, it } from 'vitest';
import { encodeSsz } from '#conductor/core/payload/ssz';
import type { WriteBatch } from '#conductor/core/ports';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { SecondBlocks } from './second-blocks.ts';

const blocks = new Blocks(1);
const one = blocks.build(blocks.genesis, 0);
const two = blocks.build(one, 0);
const other = blocks.build(one, 1);

/** Whether blocks are judged no more after a server has written these, of which `two` was acknowledged, and somebody has committed so many of them. */
function isExcused(
  server: { readonly isOpConductor: boolean; readonly role: string; readonly commits?: number },
  ...written: Block[]
): boolean {
  const world = { blocks, forkedFrom: Infinity };
  const second = new SecondBlocks(world as unknown as World);
  for (const block of [one, two]) second.committed(block);
  const entries = written.map(({ envelope }, at) => ({ entry: { index: at + 1, term: 2, data: encodeSsz(envelope) } }));
  const machine = { ...server, conductor: { position: () => ({ role: server.role }) } } as unknown as Machine;
  second.written(machine, { entries } as unknown as WriteBatch);
  const disk = { everAt: (index: number) => entries[index - 1]?.entry };
  second.observed({ disk } as unknown as Machine, { commitIndex: server.commits ?? written.length });
  expect(second.excuses('electionSafety')).toBe(false);
  expect(world.forkedFrom).toBe(second.excuses('noUnsafeReorg') ? other.number : Infinity);
  return second.excuses('noUnsafeReorg');
}

it('an op-conductor that leads forks the chain with another block at an acknowledged height; nobody else does', () => {
  const leads = { isOpConductor: true, role: 'leader' };
  expect(isExcused(leads, other)).toBe(true);
  expect(isExcused(leads, one, two, blocks.build(two, 1))).toBe(false);
  expect(isExcused({ ...leads, commits: 0 }, other)).toBe(false);
  expect(isExcused({ ...leads, role: 'follower' }, other)).toBe(false);
  expect(isExcused({ ...leads, isOpConductor: false }, other)).toBe(false);
});

it('its chain is forked from where it left the other one, though what stands there was acknowledged to nobody', () => {
  const world = { blocks, forkedFrom: Infinity };
  const second = new SecondBlocks(world as unknown as World);
  second.committed(blocks.build(two, 0));
  const { envelope } = blocks.build(other, 1);
  const machine = { isOpConductor: true, conductor: { position: () => ({ role: 'leader' }) } } as unknown as Machine;
  const entry = { index: 1, term: 2, data: encodeSsz(envelope) };
  second.written(machine, { entries: [{ entry }] } as unknown as WriteBatch);
  second.observed({ disk: { everAt: () => entry } } as unknown as Machine, { commitIndex: 1 });
  expect(world.forkedFrom).toBe(other.number);
});
