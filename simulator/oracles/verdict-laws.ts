/** The law of validated commits (rule 28): what the own client has refused in time is never acknowledged. */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** A first INVALID may be that of a client that stops: it is asked again before it counts against what is committed, milliseconds. */
const CONFIRMED_MS = 2500;

interface Refusal {
  /** Of the client's process. */
  readonly life: number;
  readonly sinceMs: number;
}

/**
 * A conductor acknowledges no block that its client has told it is invalid, while that client's process lives; one that
 * was acknowledged before may be again until that is confirmed.
 */
export const refusedIsNotAcknowledged: Law = (broken, note) => {
  const refused = new Map<Machine, Map<Block, Refusal>>();
  const acknowledged = new Set<Block>();
  return {
    judged: (machine, block, status) => {
      const known = refused.get(machine) ?? new Map<Block, Refusal>();
      refused.set(machine, known);
      if (status === 'INVALID') {
        const { life } = machine.node.client;
        const before = known.get(block);
        if (before?.life !== life) known.set(block, { life, sinceMs: machine.worldMs });
        note('a client tells its conductor that a block is invalid');
      } else known.delete(block);
    },
    committed: (machine, block) => {
      const known = refused.get(machine)?.get(block);
      const mayBeUnsure = acknowledged.has(block) && machine.worldMs - (known?.sinceMs ?? 0) < CONFIRMED_MS;
      acknowledged.add(block);
      if (known?.life === machine.node.client.life && !mayBeUnsure)
        broken(`${machine.id} acknowledges block ${block.number}, which its client had refused`);
    },
  };
};
