/** The law of --consensus.rollback=refuse: what is proved is not acted on, and an operator's word is (rule 6). */
import { identityOf } from '#conductor/core/payload/block-summary';
import { rollbackPayload } from '#conductor/core/payload/rollback-entry';
import { Committed } from './committed.ts';
import type { Law } from './oracle.ts';
import type { World } from '../world.ts';

/** Where that is set, no entry moves the chain back at a height of which no operator has given up a block. */
export const movesOnWordAlone: Law = (broken, note) => {
  let world: World | null = null;
  /** Heights of the blocks that conductors were told to give up. */
  const told = new Set<bigint>();
  const committed = new Committed();
  return {
    goesByPosition: true,
    watch: (watched) => {
      world = watched;
    },
    handles: ['rpc'],
    handled: (_, event) => {
      if (event.kind === 'rpc' && event.method === 'conductor_giveUpBlock') told.add(BigInt(String(event.values[0])));
    },
    observed: (machine, status) => {
      if (world === null || world.configuration.refusesRollback === 0) return;
      const { blocks } = world;
      committed.advance(machine, status, ({ data }) => {
        if (data === null || rollbackPayload(data) === null) return;
        const block = blocks.find(identityOf(data)?.hash ?? '');
        const isTold = block === null ? told.size > 0 : told.has(BigInt(block.number));
        if (isTold) note('the chain moves back on an operator’s word alone');
        else
          broken(
            `${machine.id} moves the chain back at block ${block?.number ?? 'of its tip'}, and no operator said so`,
          );
      });
    },
  };
};
