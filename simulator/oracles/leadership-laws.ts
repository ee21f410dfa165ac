/**
 * The laws of leadership: there is a leader whenever there can be one, one at a time, and it stays the leader while
 * nothing is wrong with it (thesis §3.4, §4.2.3, §9.6; rules 12 to 14 and 17).
 */
import { votersOf } from '#conductor/core/raft/quorum';
import type { RaftPosition } from '#conductor/core/raft/status';
import { badSealsOf } from '../builder-faults.ts';
import type { Configuration } from '../configuration.ts';
import { keepsUp } from '../disk.ts';
import type { EventKind, SimEvent } from '../faults.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { faultScopes } from './fault-scopes.ts';
import type { Law } from './oracle.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import { standsMs } from '../stall-faults.ts';

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

/** A leader that came so lately may not have settled. */
const SETTLED_MS = 3000;
/** Who comes back may disturb for so long. */
const AFTERMATH_MS = 4000;

interface Reign {
  readonly atMs: number;
  readonly id: string;
  readonly term: number;
}

interface Struck {
  readonly event: SimEvent;
  readonly atMs: number;
  /** Who had led for a while when it happened. */
  readonly leader: Reign;
}

/** Calls back at the end of a run with one fault after the other, for each that met a leader that was settled. */
export function ofSettledLeaders(
  judge: (struck: Struck, history: readonly Reign[], world: World) => void,
): ReturnType<Law> {
  const history: Reign[] = [];
  return {
    goesByPosition: true,
    observed: ({ id, worldMs }, { role, term }) => {
      if (role === 'leader' && term > (history.at(-1)?.term ?? 0)) history.push({ atMs: worldMs, id, term });
    },
    finish: ({ run, world, calmFromMs }) => {
      if (!isOneAtATime(run)) return;
      // The last one to begin is the last to end.
      let nextMs = calmFromMs - (run.events.at(-1)?.forMs ?? 0);
      for (const event of run.events.toReversed()) {
        const atMs = nextMs;
        nextMs -= event.afterMs;
        const leader = history.findLast((reign) => reign.atMs <= atMs);
        if (leader !== undefined && leader.atMs <= atMs - SETTLED_MS) judge({ event, atMs, leader }, history, world);
      }
    },
  };
}

/** A heartbeat interval and this are less than the shortest election timeout that is ever learned. */
const BORNE_MS = 200;
/** A leader whose next block is late by no more than this is not asked why, milliseconds: two block times and 250 ms are (rule 31). */
const LATE_MS = 900;
/** Blocks of its builder that a leader's own client may refuse one after the other, and it leads on (rule 29). */
const REFUSED_SEALS = 1;

/** Whether a leader to which this happens is waited for: while it writes as long as the flag says (rule 34), and where it costs a block at most. */
function isBorne({ kind, forMs, amount }: SimEvent, { engine, blockSeconds }: Configuration): boolean {
  if (kind === 'stall') return forMs <= LATE_MS * blockSeconds;
  if (kind === 'badSeal') return badSealsOf(amount) <= REFUSED_SEALS && engine === 1;
  return kind === 'stallingDisk' || (kind === 'standing' && standsMs(amount) <= BORNE_MS);
}

/** A leader stays the leader, in its term, while the one thing that is wrong is wrong with another machine, or is a short stall. */
export const leadershipIsKept: Law = (broken, note) =>
  ofSettledLeaders(({ event, atMs, leader }, history, world) => {
    const { kind, at, forMs } = event;
    const scope = faultScopes[kind];
    const isOther = scope === 'machine' && world.machine(at).id !== leader.id;
    if (!isOther && !isBorne(event, world.configuration) && scope !== 'pair' && scope !== 'nobody') return;
    note('leadership is kept through a fault of another');
    const next = history.find((reign) => reign.atMs > atMs && reign.atMs <= atMs + forMs + AFTERMATH_MS);
    if (next !== undefined)
      broken(
        `${leader.id} led term ${leader.term}, and was replaced by ${next.id} in term ${next.term} though ${isOther ? 'only another machine had trouble' : 'it could have been waited for'} (${kind})`,
      );
  });

/** A hand-over takes a commit in flight and a few messages one way, and no heartbeat is waited for: milliseconds beside those. */
const HAND_OVER_MAX_MS = 25;
const HAND_OVER_MESSAGES = 8;

/** Whom a node is connected to, and what rollup-boost says, is asked for with each health check; the answer and its verdict take a moment. */
const CHECKED_MAX_MS = 2000;
const ofChecks: readonly EventKind[] = ['partialBoost', 'lonely'];

/**
 * A leader that is told to end, or to hand over, is followed by another one at once; by that which was named. So is one
 * whose rollup-boost calls itself only partially healthy, or whose node has no peers, which the next check says.
 */
export const leadershipIsHandedOver: Law = (broken) =>
  ofSettledLeaders(({ event: { kind, at, forMs }, atMs, leader }, history, world) => {
    const { id } = world.machine(at);
    const isFound = ofChecks.includes(kind) && id === leader.id && forMs > CHECKED_MAX_MS;
    const isTold =
      kind === 'upgrade' ? id === leader.id : kind === 'transfer' || (kind === 'transferTo' && id !== leader.id);
    if (!isTold && !isFound) return;
    const messagesMs = (HAND_OVER_MESSAGES * world.configuration.delayMaxUs) / 1000;
    const withinMs = HAND_OVER_MAX_MS + messagesMs + (isFound ? CHECKED_MAX_MS : 0);
    const next = history.find((reign) => reign.atMs > atMs);
    if (next === undefined || next.atMs > atMs + withinMs || next.id === leader.id)
      broken(`${leader.id} was to hand leadership over (${kind}), and nobody else led within ${withinMs} ms`);
    else if (kind === 'transferTo' && next.id !== id) broken(`leadership was to go to ${id} and went to ${next.id}`);
  });

/** From an election to the next block, at most: it is due within a second, and its sequencer is brought up meanwhile. */
const TAKEOVER_MAX_MS = 1700;
const ofKilledLeaders: readonly EventKind[] = ['crash', 'machineDown', 'lostAndKilled'];
/** These wait for the next block that a node commits, whoever leads by then, and delay that. */
const ofNextBlocks: readonly EventKind[] = ['lostAnswer', 'brokenConnection'];

/** Who follows a killed leader brings its sequencer to the committed head and has it go on at once (rules 19 and 20). */
export const takeoverIsQuick: Law = (broken) => {
  const publishedAtMs: number[] = [];
  const judge = ofSettledLeaders(({ event: { kind, at }, atMs, leader }, history, world) => {
    const isKilled = kind === 'lostAndKilled' || world.machine(at).id === leader.id;
    const next = history.find((reign) => reign.atMs > atMs);
    if (!isKilled || !ofKilledLeaders.includes(kind) || next === undefined || next.id === leader.id) return;
    const untilMs = next.atMs + TAKEOVER_MAX_MS;
    if (!publishedAtMs.some((publishedMs) => publishedMs >= next.atMs && publishedMs <= untilMs))
      broken(`${next.id} follows the killed ${leader.id}, and nothing is published within ${TAKEOVER_MAX_MS} ms`);
  });
  return {
    ...judge,
    published: ({ worldMs }) => void publishedAtMs.push(worldMs),
    finish: (ending) => {
      if (!ending.run.events.some(({ kind }) => ofNextBlocks.includes(kind))) judge.finish?.(ending);
    },
  };
};
