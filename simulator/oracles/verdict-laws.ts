/** The law of validated commits (rule 28): what the own client has refused in time is never acknowledged. */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** A conductor acknowledges no block that its client has told it is invalid, while that client's process lives. */
export const refusedIsNotAcknowledged: Law = (broken, note) => {
  const refused = new Map<Machine, Map<Block, number>>();
  return {
    judged: (machine, block, status) => {
      const known = refused.get(machine) ?? new Map<Block, number>();
      refused.set(machine, known);
      if (status === 'INVALID') {
        known.set(block, machine.node.client.life);
        note('a client tells its conductor that a block is invalid');
      } else known.delete(block);
    },
    committed: (machine, block) => {
      if (refused.get(machine)?.get(block) === machine.node.client.life)
        broken(`${machine.id} acknowledges block ${block.number}, which its client had refused`);
    },
  };
};
