/** The law of new voters (thesis §4.2.1, rule 9). */
import { LAG_MAX } from '#conductor/core/raft/change-membership';
import { EntryType, Suffrage, type Configuration as Members } from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import type { Machine } from '../machine.ts';
import { isOwn } from './membership-laws.ts';
import type { Law } from './oracle.ts';

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
  const members = new Map<Machine, Members>();
  const lostAtMs = new Map<string, number>();
  const judge = (leader: Machine, id: string, index: number): void => {
    const added = machines.find((one) => one.id === id);
    if (added === undefined || leader.worldMs - (lostAtMs.get(id) ?? -Infinity) < LOST_LATELY_MS) return;
    note('a new voter is looked at');
    const lacks = index - Math.max(added.disk.lastIndex, added.disk.snapshotIndex);
    if (lacks > LACKS_MAX) broken(`${leader.id} makes ${id} a voter, which lacks ${lacks} entries of its log`);
  };
  return {
    watch: (world) => {
      machines = world.machines;
    },
    wiped: ({ id, worldMs }) => void lostAtMs.set(id, worldMs),
    ended: (machine) => void members.delete(machine),
    observed: (machine, position) => void members.set(machine, position.configuration.configuration),
    written: (machine, { entries = [] }) => {
      for (const { entry } of entries) {
        if (entry.type !== EntryType.configuration || !isOwn(machine, entry)) continue;
        const before = members.get(machine)?.servers ?? [];
        const after = decodeConfiguration(entry.data ?? new Uint8Array());
        members.set(machine, after);
        if (before.length === 0) continue;
        for (const { id, suffrage } of after.servers)
          if (suffrage === Suffrage.voter && !before.some((one) => one.id === id && one.suffrage === Suffrage.voter))
            judge(machine, id, entry.index);
      }
    },
  };
};
