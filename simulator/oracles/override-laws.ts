/** The law of overridden runs: while an operator has one node sequence without the log, nobody else publishes. */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** One override at a time, the others paused: only that node publishes, and what it published stays. */
export const overrideStandsAlone: Law = (broken) => {
  let machines: readonly Machine[] = [];
  const published: Block[] = [];
  return {
    watch: (world) => {
      machines = world.machines;
    },
    published: ({ id, node }, block) => {
      if (node.isUnconducted) published.push(block);
      for (const other of machines)
        if (other.id !== id && other.node.isUnconducted && other.node.isActive)
          broken(`${id} publishes block ${block.number} while ${other.id} is overridden`);
    },
    finish: ({ world: { blocks, machines: all } }) => {
      let head = blocks.genesis;
      for (const { node } of all) if (node.head.number > head.number && !blocks.isDead(node.head)) head = node.head;
      for (const block of published)
        if (!blocks.isDead(block) && !blocks.isAncestor(block, head))
          broken(`block ${block.number}, published under an override, is not below the final head ${head.number}`);
    },
  };
};
