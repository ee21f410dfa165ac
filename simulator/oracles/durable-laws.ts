/**
 * What follows from figure 3.2 of the thesis for one server's log: what is committed is never cut off it again, and
 * the members it acts for are those that its log names. A fault shows here long before two servers come to differ.
 */
import { decodeConfiguration } from '#conductor/wire/configuration';
import { EntryType, type IndexedConfiguration } from '#conductor/raft/types';
import type { Disk } from '../disk.ts';
import { Committed } from './committed.ts';
import type { Law } from './oracle.ts';

/** A server whose log held a committed entry holds it until a snapshot covers it, or its disk is lost. */
export const committedIsKept: Law = (broken) => {
  const committed = new Committed();
  /** For each server the terms of its log as it was, by index. */
  const terms = new Map<string, number[]>();
  return {
    wiped: ({ id }) => void terms.delete(id),
    observed: (machine, status) => committed.advance(machine, status, (entry, inTerm) => committed.set(entry, inTerm)),
    written: ({ id, disk }, { truncateFrom, entries }) => {
      const held = terms.get(id) ?? [];
      terms.set(id, held);
      if (truncateFrom !== undefined) {
        for (let index = Math.max(truncateFrom, disk.snapshotIndex + 1); index < held.length; index++) {
          const known = committed.get(index)?.term;
          if (known !== undefined && held[index] === known && disk.entryAt(index)?.term !== known)
            broken(`${id} cuts entry ${index} of term ${known} off its log, which is committed`);
        }
        held.length = Math.min(held.length, truncateFrom);
      }
      for (const { entry } of entries ?? []) held[entry.index] = entry.term;
    },
  };
};

/** A server acts for the members that the last configuration of its log names, committed or not (thesis §4.1). */
export const membersAreTheLogs: Law = (broken) => {
  /** Servers whose log may name other members than when they were last asked. */
  const changed = new Set<string>();
  return {
    written: ({ id }, { truncateFrom, entries, snapshot }) => {
      const isChanged = entries?.some(({ entry }) => entry.type === EntryType.configuration) ?? false;
      if (isChanged || truncateFrom !== undefined || snapshot !== undefined) changed.add(id);
    },
    observed: ({ id, conductor, disk }, { hasFailed }) => {
      if (hasFailed || conductor === null || !changed.delete(id)) return;
      const named = lastConfiguration(disk);
      const acted = conductor.status().configuration;
      if (named !== null && textOf(acted) !== textOf(named))
        broken(`${id} acts for ${textOf(acted)}, where its log names ${textOf(named)}`);
    },
  };
};

/** The last one in the log, or that of the snapshot before it; null for none. */
function lastConfiguration(disk: Disk): IndexedConfiguration | null {
  for (let index = disk.lastIndex; index >= disk.firstIndex; index--) {
    const entry = disk.entryAt(index);
    if (entry?.type === EntryType.configuration)
      return { index, configuration: decodeConfiguration(entry.data ?? new Uint8Array()) };
  }
  return disk.load().snapshot?.configuration ?? null;
}

function textOf({ index, configuration: { servers } }: IndexedConfiguration): string {
  return `${servers.map(({ id, suffrage }) => `${id}/${suffrage}`).join('+')} of index ${index}`;
}
