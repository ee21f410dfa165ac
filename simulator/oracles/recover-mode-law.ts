/** The law of op-node's recover mode: it is lent to a leader while its builder is bad, and given back (rule 29). */
import type { World } from '../world.ts';
import { Lasting } from './lasting.ts';
import { canWork } from './meanwhile-laws.ts';
import type { Law } from './oracle.ts';

/** To be told of the end of leadership, and to tell a node that may not answer the first time, milliseconds. */
const GIVEN_BACK_MS = 3000;
/** Full blocks are tried again after 30 s; so long, and two block times, until the node is told and the first has come. */
const TRIED_AGAIN_MS = 30_000 + 3000;
const TRIED_BLOCKS = 2;

/**
 * A node that can be reached is not in recover mode for long after the leadership of its conductor: its next blocks would be
 * empty. Nor under a leader whose builder is sound again: its blocks are.
 */
export const recoverModeIsGivenBack: Law = (broken, note) => {
  let world: World | null = null;
  const lasting = new Lasting<'beside another leader' | 'without need'>();
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine, { role }) => {
      const seen = world;
      if (seen === null) return;
      const forMs = lasting.look(machine, () => {
        const { isRecovering } = machine.node.sequencing;
        if (isRecovering) note('a sequencer is in recover mode');
        if (!isRecovering || !canWork(seen, machine, [])) return [];
        if (role !== 'leader') return ['beside another leader'];
        return seen.spoiled.isSpoilingFull(machine.index) ? [] : ['without need'];
      });
      const ms = forMs?.get('beside another leader') ?? 0;
      if (ms > GIVEN_BACK_MS)
        broken(`${machine.id} does not lead, and its node has been in recover mode for ${Math.round(ms)} ms`);
      const needlessMs = forMs?.get('without need') ?? 0;
      if (needlessMs > TRIED_AGAIN_MS + TRIED_BLOCKS * 1000 * seen.configuration.blockSeconds)
        broken(
          `the builder of ${machine.id}, which leads, is sound, and its node has been in recover mode for ${Math.round(needlessMs)} ms`,
        );
    },
  };
};
