/** The law of new voters (thesis §4.2.1, rule 9). */
import { LAG_MAX } from '#conductor/core/raft/change-membership';
import { votersOf } from '#conductor/core/raft/quorum';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';
import { OwnChanges } from './own-changes.ts';

/** A new voter may lack so many entries: as many as a leader lets it lack, and what was appended and acknowledged on the way. */
const LACKS_MAX = LAG_MAX + 64;
/** Who lost its disk so lately had acknowledged what its leader went by, milliseconds: a heartbeat timeout by a clock of half speed. */
const LOST_LATELY_MS = 2500;

/**
 * A server becomes a voter when it has the log, as it is reached now: one with an empty store neither votes nor helps a quorum,
 * and the next crash would end the cluster (rule 9).
 */
export const newVoterHoldsTheLog: Law = (broken, note) => {
  let machines: readonly Machine[] = [];
  const changes = new OwnChanges();
  const lostAtMs = new Map<string, number>();
  const judge = (leader: Machine, id: string, index: number): void => {
    const added = machines.find((one) => one.id === id);
    if (added === undefined || leader.worldMs - (lostAtMs.get(id) ?? -Infinity) < LOST_LATELY_MS) return;
    note('a new voter is looked at');
    const lacks = index - Math.max(added.disk.lastIndex, added.disk.snapshotIndex);
    if (lacks > LACKS_MAX) broken(`${leader.id} makes ${id} a voter, which lacks ${lacks} entries of its log`);
    if (added.disk.hardState?.recovering !== false)
      broken(`${leader.id} makes ${id} a voter, which may not vote yet for what it had promised on the store it lost`);
  };
  return {
    watch: (world) => {
      machines = world.machines;
    },
    wiped: ({ id, worldMs }) => void lostAtMs.set(id, worldMs),
    ended: (machine) => changes.ended(machine),
    observed: (machine, position) => changes.observed(machine, position),
    written: (machine, batch) => {
      for (const { entry, before, after } of changes.of(machine, batch)) {
        if (before.servers.length === 0) continue;
        const joined = votersOf(after).filter((id) => !votersOf(before).includes(id));
        for (const id of joined) judge(machine, id, entry.index);
      }
    },
  };
};
