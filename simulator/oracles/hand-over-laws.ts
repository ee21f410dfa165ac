/** The laws of hand-overs: whoever is told to take over can win (thesis §3.10), and what is said of it is so. */
import { kindsOfBits } from '#conductor/core/evidence/observation';
import { quorumSize, votersOf } from '#conductor/core/raft/quorum';
import type { PeerStatus } from '#conductor/core/wire/peer-status';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { Law } from './oracle.ts';
import { Pauses } from './pauses.ts';
import { isToldToEnd } from './told-to-end.ts';
import { UNDER_WAY_MAX_MS } from './under-way.ts';

const isRefusal = ({ kinds }: { readonly kinds: number }): boolean => kindsOfBits(kinds).includes('invalid');

/**
 * A leader hands over only to a voter, also with its last word, and one whose log ends as its own does: any other may be refused the votes;
 * or, where appends do not reach it, to one that holds all that is committed.
 */
export const heirHoldsTheLog: Law = (broken) => {
  let machines: readonly Machine[] = [];
  return {
    watch: (world) => {
      machines = world.machines;
    },
    handsOver: ({ id, disk, conductor }, to, isPastAppends) => {
      const position = conductor?.position();
      if (position === undefined) return;
      if (!votersOf(position.configuration.configuration).includes(to))
        broken(`${id} hands over to ${to}, which has no vote`);
      // One that leaves, or whose disk has failed, follows already: the best that there is has to do.
      if (position.role !== 'leader') return;
      const transferTarget = machines.find((machine) => machine.id === to);
      const last = disk.entryAt(isPastAppends ? position.commitIndex : disk.lastIndex);
      if (transferTarget === undefined || last === null) return;
      // Who has heard of a later term, or has lost its disk, may have held it.
      const { hardState } = transferTarget.disk;
      if (hardState === null || hardState.recovering || hardState.term > position.term) return;
      const isHeld =
        last.index <= transferTarget.disk.snapshotIndex || transferTarget.disk.entryAt(last.index)?.term === last.term;
      if (!isHeld) broken(`${id} hands over to ${to}, which does not hold its last entry ${last.index}/${last.term}`);
    },
  };
};

/**
 * Who ends hands leadership only to those that are a majority without it: whose process was there when the end began
 * (rule 21). A hand-over that is under way then goes on.
 */
export const heirHasAMajority: Law = (broken) => {
  let machines: readonly Machine[] = [];
  const endingSinceMs = new Map<string, number>();
  const endedAtMs = new Map<string, number>();
  /** Those of whom leadership was on its way when their end began, and nobody had been told yet; until when that may be. */
  const underWayUntilMs = new Map<string, number>();
  const toldAtMs = new Map<string, number>();
  return {
    goesByPosition: true,
    watch: (world) => {
      machines = world.machines;
    },
    started: ({ id }) => {
      endingSinceMs.delete(id);
      endedAtMs.delete(id);
      underWayUntilMs.delete(id);
      toldAtMs.delete(id);
    },
    ended: ({ id, worldMs }) => void endedAtMs.set(id, worldMs),
    handles: ['drain', 'rpc'],
    handled: ({ id, worldMs, conductor }, event) => {
      if (!isToldToEnd(event) || endingSinceMs.has(id)) return;
      endingSinceMs.set(id, worldMs);
      const hasTold = worldMs - (toldAtMs.get(id) ?? -Infinity) <= UNDER_WAY_MAX_MS;
      if (conductor?.status().isTransferring === true && !hasTold) underWayUntilMs.set(id, worldMs + UNDER_WAY_MAX_MS);
    },
    handsOver: ({ id, worldMs, conductor }) => {
      const sinceMs = endingSinceMs.get(id);
      const untilMs = underWayUntilMs.get(id) ?? -Infinity;
      toldAtMs.set(id, worldMs);
      underWayUntilMs.delete(id);
      if (worldMs <= untilMs) return;
      if (sinceMs === undefined || conductor?.position().role !== 'leader') return;
      const voters = votersOf(conductor.status().configuration.configuration);
      const isThere = (one: string): boolean => (endedAtMs.get(one) ?? Infinity) >= sinceMs;
      const others = machines.filter((machine) => machine.id !== id && voters.includes(machine.id));
      const left = others.filter((machine) => isThere(machine.id));
      if (left.length < quorumSize(voters.length))
        broken(`${id} ends and hands over, though only ${left.length} of ${voters.length} voters stay`);
    },
  };
};

/**
 * A leader that ends hands leadership over before it stops its sequencer: the chain would stand meanwhile. One that says at
 * its end that it could not hand over has stopped nothing too early (rule 21).
 */
export const endHandsOverFirst: Law = (broken, note) => {
  /** Those that were told to end while they led, with the term in which they did. */
  const ending = new Map<Machine, number>();
  const handedOverAtMs = new Map<Machine, number>();
  /** Those that led, had handed nothing over, and stopped their sequencer, with when they did. */
  const stoppedAtMs = new Map<Machine, number>();
  const forget = (machine: Machine): void => {
    ending.delete(machine);
    stoppedAtMs.delete(machine);
    handedOverAtMs.delete(machine);
  };
  return {
    started: forget,
    handles: ['drain', 'rpc'],
    handled: (machine, event) => {
      const position = machine.conductor?.position();
      if (isToldToEnd(event) && !ending.has(machine) && position?.role === 'leader') ending.set(machine, position.term);
    },
    handsOver: (machine) => void handedOverAtMs.set(machine, machine.worldMs),
    ordered: (machine, method) => {
      const { conductor, worldMs } = machine;
      const term = ending.get(machine);
      if (method !== 'admin_stopSequencer' || term === undefined) return;
      const position = conductor?.position();
      const sinceMs = worldMs - (handedOverAtMs.get(machine) ?? -Infinity);
      const leadsOn = position?.role === 'leader' && position.term === term && sinceMs > UNDER_WAY_MAX_MS;
      if (leadsOn && !stoppedAtMs.has(machine)) stoppedAtMs.set(machine, worldMs);
    },
    exited: (machine, undone) => {
      const { id } = machine;
      if (ending.has(machine)) note('a leader ends in order');
      const stopMs = stoppedAtMs.get(machine);
      if (stopMs !== undefined && !undone.includes('leadership was not handed over'))
        broken(`${id} was to end, led, and stopped its sequencer at ${Math.round(stopMs)}, before it handed over`);
      forget(machine);
    },
  };
};

/** How often a leader is asked what it knows of its peers. */
const LOOK_MS = 100;
/** From the choice of a transfer target until it is told, at most: an election timeout by a clock of half speed, and a look. */
const CHOSEN_MAX_MS = 2500;

/**
 * Leadership goes to nobody whom the leader has long known to be unhealthy or paused (rule 18), unless an operator
 * names it. A leader that is paused itself does not start its sequencer: any other that does, or has one that was started
 * by hand, is fit. Nor is one unhealthy that says that its client refuses a block: it stands where the chain has to go on.
 * What a leader knows is what the peer status says that has reached it.
 */
export const heirIsNotKnownUnfit: Law = (broken, note) => {
  const ineligibleSinceMs = new Map<Machine, ReadonlyMap<string, number>>();
  const lookedAtMs = new Map<Machine, number>();
  const named = new Map<string, number>();
  const pauses = new Pauses();
  const isUnfit = ({ paused, healthy, builds, observations }: PeerStatus, isLeaderPaused: boolean): boolean =>
    isLeaderPaused ? paused && !builds : paused || (healthy === false && !observations.some(isRefusal));
  const look = (machine: Machine): ReadonlyMap<string, number> => {
    const before = ineligibleSinceMs.get(machine);
    const now = new Map<string, number>();
    for (const { id, peerStatus } of machine.conductor?.status().peers ?? [])
      if (peerStatus !== null && isUnfit(peerStatus, pauses.has(machine)))
        now.set(id, before?.get(id) ?? machine.worldMs);
    lookedAtMs.set(machine, machine.worldMs);
    ineligibleSinceMs.set(machine, now);
    return now;
  };
  return {
    started: (machine) => pauses.started(machine),
    handles: ['rpc', 'response'],
    handled: (machine, event) => {
      pauses.handled(machine, event);
      // Two words that come between two looks would else count as one that never changed.
      const isWord = event.kind === 'response' && event.response.kind === 'append' && event.response.peerStatus;
      if (isWord && ineligibleSinceMs.has(machine)) look(machine);
      if (event.kind === 'rpc' && event.method === 'conductor_transferLeaderToServer')
        named.set(String(event.values[0]), machine.worldMs);
    },
    answered: (machine, call, outcome) => pauses.answered(machine, call, outcome),
    observed: (machine, { role }) => {
      if (role !== 'leader') ineligibleSinceMs.delete(machine);
      else if (machine.worldMs >= (lookedAtMs.get(machine) ?? -Infinity) + LOOK_MS) look(machine);
    },
    handsOver: (machine, to) => {
      const { id, worldMs, conductor } = machine;
      if (conductor?.position().role !== 'leader') return;
      if (worldMs - (named.get(to) ?? -Infinity) <= CHOSEN_MAX_MS) return;
      const known = look(machine);
      if (known.size > 0) note('leadership is handed over past one that is known to be unfit');
      const sinceMs = known.get(to) ?? Infinity;
      if (worldMs - sinceMs > CHOSEN_MAX_MS)
        broken(`${id} hands over to ${to}, known to be unhealthy or paused since ${Math.round(sinceMs)}`);
    },
  };
};

/** A call to hand leadership over that came to a leader. */
interface Asked {
  readonly term: number;
  /** Whom it named; null where anybody would do. */
  readonly target: string | null;
  /** The address that it named is another member's. */
  readonly isStray: boolean;
  /** Whom the leader has told to take over since, also as it ceased to lead. */
  readonly told: Set<string>;
}

/** Whether the address that a hand-over names is that of another member than its name. */
function isOthers({ configuration }: RaftPosition, { values: [name, at] }: Call): boolean {
  return configuration.configuration.servers.some(({ id, address }) => id !== name && address === at);
}

/**
 * What is said of a hand-over is so: who calls it done does not lead that term any more, and has told the named one to take
 * over, unless the address beside its name is another member's; and nobody who has told its transfer target so says that leadership was lost
 * otherwise, neither to a caller nor when it ends.
 */
export const handOverIsTold: Law = (broken, note) => {
  const asked = new Map<Machine, Map<Call, Asked>>();
  /** Whom a leader that ends has told to take over since its end began. */
  const toldInTheEnd = new Map<Machine, Set<string>>();
  return {
    started: (machine) => {
      asked.delete(machine);
      toldInTheEnd.delete(machine);
    },
    handles: ['drain', 'rpc'],
    handled: (machine, event) => {
      if (isToldToEnd(event) && !toldInTheEnd.has(machine)) toldInTheEnd.set(machine, new Set());
    },
    called: (machine, call) => {
      const isNamed = call.method === 'conductor_transferLeaderToServer';
      const position = machine.conductor?.position();
      if ((!isNamed && call.method !== 'conductor_transferLeader') || position?.role !== 'leader') return;
      const target = isNamed ? String(call.values[0]) : null;
      const calls = asked.get(machine) ?? new Map<Call, Asked>();
      const isStray = isNamed && isOthers(position, call);
      asked.set(machine, calls.set(call, { term: position.term, target, isStray, told: new Set() }));
    },
    handsOver: (machine, to, _, isAdvice) => {
      // The advice of one that has lost its quorum is no hand-over.
      if (isAdvice) return;
      toldInTheEnd.get(machine)?.add(to);
      for (const { told } of asked.get(machine)?.values() ?? []) told.add(to);
    },
    answered: (machine, call, outcome) => {
      const known = asked.get(machine)?.get(call);
      if (known === undefined) return;
      asked.get(machine)?.delete(call);
      const { term, target, isStray, told } = known;
      const position = machine.conductor?.position();
      const isTold = target === null ? told.size > 0 : told.has(target);
      if (outcome.kind === 'result') {
        note('a hand-over is called done');
        if (isStray && position !== undefined && isOthers(position, call))
          broken(`${machine.id} says that it has handed leadership to ${target}, named with the address of another`);
        else if (position?.role === 'leader' && position.term === term)
          broken(`${machine.id} says that it has handed leadership over, and leads term ${term} still`);
        else if (target !== null && !isTold)
          broken(`${machine.id} says that it has handed leadership to ${target}, which it never told to take over`);
      } else if (isTold && saysItWasLost(outcome.message))
        broken(`${machine.id} has told ${[...told].join(' and ')} to take over, and answers: ${outcome.message}`);
    },
    exited: (machine, undone) => {
      const told = toldInTheEnd.get(machine);
      const [, why = ''] = /leadership was not handed over: ([^;]*)/.exec(undone) ?? [];
      if (told !== undefined && told.size > 0 && saysItWasLost(why))
        broken(`${machine.id} has told ${[...told].join(' and ')} to take over, and ends with: ${why}`);
    },
  };
};

/** Rather than that it was given up, while this server went on leading. */
function saysItWasLost(message: string): boolean {
  return message.startsWith('leadership lost');
}
