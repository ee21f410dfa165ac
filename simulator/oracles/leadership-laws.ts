/**
 * The laws of leadership: there is a leader whenever there can be one, and one at a time (thesis §3.4, §4.2.3, §9.6; rules
 * 12 to 14). That it stays the leader while nothing is wrong with it is in settled-leader-laws.ts.
 */
import { votersOf } from '#conductor/core/raft/quorum';
import type { RaftPosition } from '#conductor/core/raft/status';
import { keepsUp } from '../disk.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';

/** How often the whole cluster is looked at. */
const LOOK_MS = 100;
/** Where nobody says anything for so long, nobody runs. */
const UNSEEN_MS = 1000;
/** How long a majority that can talk may be without a leader: several failed elections, and a turn that was put off. */
const LEADERLESS_MAX_MS = 8000;
/** How long a server that reaches the leader may know of none: the longest pause between two tries to reach it, by a clock of half speed, and an answer. */
const UNAWARE_MAX_MS = 4000;
/** How long a deposed leader may believe that it leads: its lease, by a slow clock, and until it looks. */
const DEPOSED_MAX_MS = 2500;

/** Calls back now and then with what every running conductor says; `isAnew`: nobody ran before, so that nobody was looked at. */
function looking(look: (world: World, leaders: readonly Leader[], isAnew: boolean) => void): ReturnType<Law> {
  let world: World | null = null;
  let lookedAtMs = -Infinity;
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine) => {
      if (world === null || machine.worldMs < lookedAtMs + LOOK_MS) return;
      const isAnew = machine.worldMs > lookedAtMs + UNSEEN_MS;
      lookedAtMs = machine.worldMs;
      look(world, leadersOf(world), isAnew);
    },
  };
}

interface Leader {
  readonly machine: Machine;
  readonly position: RaftPosition;
}

/** Conductors that run and lead a cluster in which they vote, lowest term first. */
function leadersOf({ machines }: World): Leader[] {
  const leaders: Leader[] = [];
  for (const machine of machines) {
    const position = machine.isRunning ? machine.conductor?.position() : undefined;
    if (position?.role !== 'leader') continue;
    if (votersOf(position.configuration.configuration).includes(machine.id)) leaders.push({ machine, position });
  }
  return leaders.toSorted((left, right) => left.position.term - right.position.term);
}

/** A majority that runs, keeps its disks and can talk to each other has a leader soon, whatever the sequencers do; and whoever reaches that knows of it. */
export const leaderIsFound: Law = (broken) => {
  let sinceMs: number | null = null;
  const unawareSinceMs = new Map<string, number>();
  const looks = looking((world, leaders, isAnew) => {
    const { nowMs } = world;
    if (isAnew) {
      sinceMs = null;
      unawareSinceMs.clear();
    }
    const unaware = unawareOf(leaders.at(-1), world);
    for (const id of unawareSinceMs.keys()) if (!unaware.includes(id)) unawareSinceMs.delete(id);
    for (const id of unaware) {
      const fromMs = unawareSinceMs.get(id) ?? nowMs;
      unawareSinceMs.set(id, fromMs);
      if (nowMs - fromMs > UNAWARE_MAX_MS)
        broken(
          `${id} reaches the leader, ${leaders.at(-1)!.machine.id}, and has known of none since ${Math.round(fromMs)}`,
        );
    }
    if (leaders.length > 0 || !hasMajority(world)) sinceMs = null;
    else sinceMs ??= nowMs;
    if (sinceMs !== null && nowMs - sinceMs > LEADERLESS_MAX_MS)
      broken(`a majority runs and is connected, and nobody has led since ${Math.round(sinceMs)}`);
  });
  return {
    ...looks,
    observed: (machine, position) => {
      // One that is killed at once has been found, too.
      if (position.role === 'leader') sinceMs = null;
      looks.observed?.(machine, position);
    },
  };
};

/** Members that could follow this leader, which each reaches and counts as a member, and that know of none. */
function unawareOf(leader: Leader | undefined, world: World): string[] {
  // An op-conductor may refuse whom the membership that it knows does not name.
  const isMixed = world.configuration.opConductors > 0;
  if (leader === undefined || isMixed) return [];
  const { machine, position } = leader;
  // Most know of it: whoever does is looked at no further.
  return world.machines
    .filter((one) => one !== machine && one.conductor?.position().leaderId === null)
    .filter((one) => knows(position, one.id) && knows(one.conductor!.position(), machine.id))
    .filter((one) => isAble(machine, world) && isAble(one, world))
    .filter(({ index }) => world.links.isClean(index, machine.index) && world.links.isClean(machine.index, index))
    .map(({ id }) => id);
}

function knows({ configuration: { configuration } }: RaftPosition, member: string): boolean {
  return configuration.servers.some(({ id }) => id === member);
}

/** Runs, has its disk and its vote, and is where it is looked for. */
export function isAble(machine: Machine, world: World): boolean {
  const { isRunning, disk } = machine;
  return isRunning && keepsUp(disk) && disk.hardState?.recovering === false && world.isWhereItIsLookedFor(machine);
}

/** Whether most of the voters could elect a leader, by every configuration that is known: the newest may have reached nobody yet. */
function hasMajority(world: World): boolean {
  const { machines, links } = world;
  const able = machines.filter((machine) => isAble(machine, world));
  const views = machines.map(({ conductor }) =>
    conductor === null ? [] : votersOf(conductor.position().configuration.configuration),
  );
  const known = views.filter((voters) => voters.length > 0);
  // A voter of Go's refuses whom its own configuration does not name, also where that one was never committed.
  if (world.configuration.opConductors > 0 && new Set(known.map(String)).size > 1) return false;
  const canElect = known.every((voters) => {
    const present = able.filter(({ id }) => voters.includes(id));
    const isClean = present.every((a) => present.every((b) => a === b || links.isClean(a.index, b.index)));
    return isClean && 2 * present.length > voters.length;
  });
  return canElect && known.length > 0;
}

/** A leader that was replaced notices within its lease, as far as it runs and can write. */
export const oneLeaderAtATime: Law = (broken) => {
  const sinceMs = new Map<string, number>();
  return looking(({ nowMs }, leaders) => {
    const deposed = leaders
      .slice(0, -1)
      .filter(({ machine, position }) => keepsUp(machine.disk) && position.term < leaders.at(-1)!.position.term);
    for (const id of sinceMs.keys()) if (!deposed.some(({ machine }) => machine.id === id)) sinceMs.delete(id);
    for (const { machine, position } of deposed) {
      const from = sinceMs.get(machine.id) ?? nowMs;
      sinceMs.set(machine.id, from);
      if (nowMs - from > DEPOSED_MAX_MS)
        broken(`${machine.id} leads term ${position.term} and does not notice that a later one has a leader`);
    }
  });
};
