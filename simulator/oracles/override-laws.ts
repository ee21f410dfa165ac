/** The laws of overrides: while an operator has one node sequence without the log, nobody else publishes, and nobody interferes. */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** Between an override and its end a conductor neither starts nor stops its sequencer, which is the operator's (rule 27). */
export const overriddenStandsStill: Law = (broken) => {
  const overridden = new Set<string>();
  return {
    started: ({ id }) => void overridden.delete(id),
    handles: ['rpc'],
    handled: ({ id }, event) => {
      if (event.kind !== 'rpc' || event.method !== 'conductor_overrideLeader') return;
      if (event.values[0] === true) overridden.add(id);
      else overridden.delete(id);
    },
    ordered: ({ id }, method) => {
      if (overridden.has(id)) broken(`${id} is overridden and calls ${method}`);
    },
  };
};

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
