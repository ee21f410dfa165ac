/** The laws of commits: what a sequencer is told to be committed is, and the log holds one chain (rules 2 and 5). */
import { identityOf } from '#conductor/core/payload/block-summary';
import { rollbackPayload } from '#conductor/core/payload/rollback-entry';
import type { Entry } from '#conductor/core/raft/types';
import type { Block, Blocks } from '../blocks.ts';
import type { Verdicts } from '../verdicts.ts';
import { Committed } from './committed.ts';
import type { Law } from './oracle.ts';

/** A commit is acknowledged only once the conductor that answers has it committed. */
export const acknowledgedIsCommitted: Law = (broken) => {
  let blocks: Blocks | null = null;
  return {
    watch: (world) => {
      blocks = world.blocks;
    },
    committed: ({ id, conductor }, block) => {
      if (conductor === null || blocks?.isDead(block) === true) return;
      const tip = conductor.committedHead();
      if (tip === null || tip.number < BigInt(block.number))
        broken(`${id} acknowledges block ${block.number} while ${tip?.number ?? 'nothing'} is committed`);
    },
  };
};

/**
 * One hash per height of the committed chain, and once; a rollback entry begins anew at its own height, where something
 * else stands in the way of its block (rules 2 and 6). What most clients refuse, or L1 has taken, may be followed by another
 * one without such an entry, where a voter may be an op-conductor.
 */
export const oneHashPerHeight: Law = (broken) => {
  let blocks: Blocks | null = null;
  let verdicts: Verdicts | null = null;
  const committed = new Committed();
  /** Seen, and not looked at yet because one before it was not seen. */
  const ahead = new Map<number, Entry>();
  let nextIndex = 1;
  const held = new Map<number, Block>();
  const judge = ({ data }: Entry): void => {
    const identity = data === null ? null : identityOf(data);
    const block = identity === null ? null : (blocks?.find(identity.hash) ?? null);
    if (block === null) return;
    if (rollbackPayload(data!) !== null) {
      if (!held.has(block.number) && held.get(block.number - 1)?.hash === block.parentHash)
        broken(`block ${block.number} simply follows the chain, and the log moves that back for it`);
      for (const number of held.keys()) if (number >= block.number) held.delete(number);
    }
    const other = held.get(block.number);
    if (other === block) broken(`the log holds block ${block.number} of s${block.builder} twice`);
    else if (other !== undefined && verdicts?.wasSound(other) !== false && blocks?.isDead(other) !== true)
      broken(`the log holds two blocks ${block.number}, of s${other.builder} and s${block.builder}`);
    held.set(block.number, block);
  };
  return {
    goesByPosition: true,
    watch: (world) => {
      blocks = world.blocks;
      verdicts = world.verdicts;
    },
    observed: (machine, status) => {
      committed.advance(machine, status, (entry) => void (entry.index >= nextIndex && ahead.set(entry.index, entry)));
      for (let entry = ahead.get(nextIndex); entry !== undefined; entry = ahead.get(nextIndex)) {
        ahead.delete(nextIndex++);
        judge(entry);
      }
    },
  };
};
