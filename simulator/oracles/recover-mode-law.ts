/** The law of op-node's recover mode: it is lent to a leader, and given back (rule 29). */
import type { World } from '../world.ts';
import { Lasting } from './lasting.ts';
import { canWork } from './meanwhile-laws.ts';
import type { Law } from './oracle.ts';

/** To be told of the end of leadership, and to tell a node that may not answer the first time, milliseconds. */
const GIVEN_BACK_MS = 3000;

/** A node that can be reached is not in recover mode for long after the leadership of its conductor: its next blocks would be empty. */
export const recoverModeIsGivenBack: Law = (broken, note) => {
  let world: World | null = null;
  const lasting = new Lasting<'in recover mode'>();
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
        return isRecovering && role !== 'leader' && canWork(seen, machine, []) ? ['in recover mode'] : [];
      });
      const ms = forMs?.get('in recover mode') ?? 0;
      if (ms > GIVEN_BACK_MS)
        broken(`${machine.id} does not lead, and its node has been in recover mode for ${Math.round(ms)} ms`);
    },
  };
};
