/** The law of flashblocks: what is handed on of a block that is being built has one source (rule 26). */
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';

/**
 * Of all servers whose process turns and whose clock is right at most one hands flashblocks on at a time: they are asked for
 * every message, and a client that is connected to two would see two blocks being built.
 */
export const oneHandsOnFlashblocks: Law = (broken, note) => {
  let world: World | null = null;
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine) => {
      // Who begins to hand on has just been told something.
      if (world === null || !handsOn(machine)) return;
      note('flashblocks are handed on');
      const all = world.machines.filter(handsOn);
      if (all.length > 1) broken(`${all.map(nameOf).join(' and ')} hand on flashblocks at the same time`);
    },
  };
};

function handsOn({ isRunning, isFrozen, clock, conductor, nowMs }: Machine): boolean {
  if (!isRunning || isFrozen || !clock.isRight || conductor?.position().role !== 'leader') return false;
  return conductor.flashblocksWithheld?.(nowMs) === null;
}

function nameOf({ id, conductor }: Machine): string {
  return `${id} of term ${conductor?.position().term}`;
}
