/** The law of alarms: what somebody is woken for is so (rule 30). */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

const SICK = 'the execution client takes none of the committed blocks';
/** A client is called sick after two seconds on one head at the earliest; a look may have begun before it got there. */
const STANDS_MS = 1500;
/** From one look to the next: a client that falls, and is back within that, may have been seen nowhere else. */
const UNSEEN_MS = 250;

interface Standing {
  readonly head: Block;
  readonly sinceMs: number;
}

/**
 * A client that an alarm calls sick has stood on its head for a while, by the clock of who says so. One that has lost blocks, and
 * got them again before anybody could look, has stood there all the while.
 */
export const whatIsSickStands: Law = (broken, note) => {
  const heads = new Map<Machine, Standing>();
  const falls = new Map<Machine, { readonly from: Standing; readonly atMs: number }>();
  return {
    observed: (machine) => {
      const { nowMs } = machine;
      const { head } = machine.node.client;
      const known = heads.get(machine);
      if (known?.head === head) return;
      const fall = falls.get(machine);
      const last = fall !== undefined && nowMs - fall.atMs <= UNSEEN_MS ? fall.from : null;
      heads.set(machine, last?.head === head ? last : { head, sinceMs: nowMs });
      if (last === null && known !== undefined && head.number < known.head.number)
        falls.set(machine, { from: known, atMs: nowMs });
    },
    said: (machine, _, message) => {
      const known = heads.get(machine);
      if (known === undefined || !message.startsWith(SICK)) return;
      note('an execution client is called sick');
      const forMs = machine.nowMs - known.sinceMs;
      if (forMs < STANDS_MS)
        broken(
          `${machine.id} calls its client sick, which got to block ${known.head.number} ${Math.round(forMs)} ms ago`,
        );
    },
  };
};
