/** The law of answers: what a sequencer is told to be committed is (rules 2 and 5). */
import type { Blocks } from '../blocks.ts';
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
