/** The law of alarms: what somebody is woken for is so (rule 30). */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

const SICK = 'the execution client takes none of the committed blocks';
/** A client is called sick after two seconds on one head at the earliest; a look may have begun before it got there. */
const STANDS_MS = 1500;

/** A client that an alarm calls sick has stood on its head for a while, by the clock of who says so. */
export const whatIsSickStands: Law = (broken, note) => {
  const heads = new Map<Machine, { readonly head: Block; readonly sinceMs: number }>();
  return {
    observed: (machine) => {
      const { head } = machine.node.client;
      if (heads.get(machine)?.head !== head) heads.set(machine, { head, sinceMs: machine.nowMs });
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
