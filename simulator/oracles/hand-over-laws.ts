/** The law of hand-overs: whoever is told to take over can win (thesis §3.10). */
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** A leader hands over only to a server whose log ends as its own does: any other may be refused the votes. */
export const heirHoldsTheLog: Law = (broken) => {
  let machines: readonly Machine[] = [];
  return {
    watch: (world) => {
      machines = world.machines;
    },
    handsOver: ({ id, disk, conductor }, to) => {
      // One that leaves, or whose disk has failed, follows already: the best that there is has to do.
      const position = conductor?.position();
      if (position?.role !== 'leader') return;
      const heir = machines.find((machine) => machine.id === to);
      const last = disk.entryAt(disk.lastIndex);
      if (heir === undefined || last === null) return;
      // Who has heard of a later term, or has lost its disk, may have held it.
      const { hardState } = heir.disk;
      if (hardState === null || hardState.recovering || hardState.term > position.term) return;
      const isHeld = last.index <= heir.disk.snapshotIndex || heir.disk.entryAt(last.index)?.term === last.term;
      if (!isHeld) broken(`${id} hands over to ${to}, which does not hold its last entry ${last.index}/${last.term}`);
    },
  };
};
