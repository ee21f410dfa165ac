/**
 * What follows from figure 3.2 of the thesis for one server's log: what is committed is never cut off it again, and
 * the members it acts for are those that its log names, and the copies it counts are there. A fault shows here long
 * before two servers come to differ.
 */
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { EntryType, type IndexedConfiguration } from '#conductor/core/raft/types';
import { UnreadableEntry, type Disk } from '../disk.ts';
import type { Machine } from '../machine.ts';
import { Committed } from './committed.ts';
import type { Law } from './oracle.ts';

/** A server whose log held a committed entry holds it until a snapshot covers it, or its disk is lost. */
export const committedIsKept: Law = (broken) => {
  const committed = new Committed();
  /** For each server the terms of its log as it was, by index. */
  const terms = new Map<string, number[]>();
  return {
    goesByPosition: true,
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

/** How often a leader is asked what it counts. */
const COUNT_MS = 25;

/** A leadership as it was when it was first looked at. */
interface Reign {
  readonly life: number;
  readonly term: number;
  askedAtMs: number;
  /** For each machine how often its disk was lost by then: what was lost later had been a copy. */
  readonly generations: ReadonlyMap<Machine, number>;
}

/** What a leader counts as a copy is on that disk as its own has it, as long as nobody there has heard of a later term. */
export const copiesAreThere: Law = (broken) => {
  let machines: readonly Machine[] = [];
  const reigns = new Map<string, Reign>();
  const reignOf = ({ id, life }: Machine, term: number): Reign => {
    const known = reigns.get(id);
    if (known?.life === life && known.term === term) return known;
    const generations = new Map(machines.map((machine) => [machine, machine.disk.generation]));
    const reign = { life, term, askedAtMs: -Infinity, generations };
    reigns.set(id, reign);
    return reign;
  };
  return {
    watch: (world) => {
      machines = world.machines;
    },
    // It sends before it has written, and may be answered meanwhile.
    sent: (leader, { request }) => {
      if (request.kind === 'append') reignOf(leader, request.term);
    },
    observed: (leader, { role, term, hasFailed }) => {
      if (role !== 'leader' || hasFailed) return;
      const reign = reignOf(leader, term);
      if (leader.worldMs < reign.askedAtMs + COUNT_MS) return;
      reign.askedAtMs = leader.worldMs;
      for (const { id, match } of leader.conductor?.status().peers ?? []) {
        const peer = machines.find((machine) => machine.id === id);
        if (peer === undefined || peer.disk.generation !== reign.generations.get(peer)) continue;
        if (peer.disk.hardState?.term === term && !isCopied(leader.disk, peer.disk, match))
          broken(`${leader.id}, leader of term ${term}, counts entry ${match} on ${id}, where it is not`);
      }
    },
  };
};

function isCopied(own: Disk, other: Disk, index: number): boolean {
  if (index <= Math.min(own.snapshotIndex, other.lastIndex) || index <= other.snapshotIndex) return true;
  const held = other.entryAt(index);
  return held !== null && held.term === own.entryAt(index)?.term;
}

/** From what a scrub tells to the snapshot in its place, at most: what is applied, and a write by a disk that stalls. */
const REPLACED_WITHIN_MS = 3000;

/** An entry that a scrub has told of, and that is applied, is replaced before anybody needs it: no process ends of it. */
export const toldDamageEndsNothing: Law = (broken, note) => {
  /** For each server when its process was first told of each entry. */
  const told = new Map<Machine, Map<number, number>>();
  return {
    started: (machine) => void told.delete(machine),
    scrubbed: (machine, index) => {
      const ofMachine = told.get(machine) ?? new Map<number, number>();
      told.set(machine, ofMachine);
      if (!ofMachine.has(index)) ofMachine.set(index, machine.worldMs);
      note('a scrub finds a damaged entry');
    },
    threw: (machine, error) => {
      if (!(error instanceof UnreadableEntry)) return;
      const { id, worldMs } = machine;
      const forMs = worldMs - (told.get(machine)?.get(error.index) ?? worldMs);
      if (forMs > REPLACED_WITHIN_MS)
        broken(`${id} ends of entry ${error.index}, of whose damage it was told ${Math.round(forMs)} ms before`);
    },
  };
};
