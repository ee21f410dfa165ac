/** The law of flashblocks: what is handed on of a block that is being built has one source (rule 26). */
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';

/** What was promised by a clock that ran at another rate is over after so long: the longest election timeout, and more. */
const PROMISED_MS = 3000;

/**
 * Of all servers whose process turns and whose clock is right at most one hands flashblocks on at a time: they are asked for
 * every message, and a client that is connected to two would see two blocks being built. Leases go by promises, which a wrong
 * clock breaks, also a voter's that hands nothing on.
 */
export const oneHandsOnFlashblocks: Law = (broken, note) => {
  let world: World | null = null;
  let wrongAtMs = -Infinity;
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine) => {
      if (world === null) return;
      if (world.machines.some(({ clock }) => !clock.isRight)) wrongAtMs = world.nowMs;
      // Who begins to hand on has just been told something.
      if (!handsOn(machine) || world.nowMs - wrongAtMs < PROMISED_MS) return;
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
