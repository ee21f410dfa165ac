/** The laws of what operators ask for: pauses are kept, and processes end in order (rules 21 and 22). */
import { votersOf } from '#conductor/core/raft/quorum';
import type { ConductorEvent } from '#conductor/core/events';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { Machine } from '../machine.ts';
import { changesTheNode } from './changes-of-nodes.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import type { Law } from './oracle.ts';
import { Pauses } from './pauses.ts';
import { isToldToEnd } from './told-to-end.ts';
import { UNDER_WAY_MAX_MS } from './under-way.ts';

/** Keeps the names of those that were told to pause. */
function notePause(paused: Set<string>, id: string, event: ConductorEvent): void {
  if (event.kind !== 'rpc') return;
  if (event.method === 'conductor_pause') paused.add(id);
  else if (event.method === 'conductor_resume') paused.delete(id);
}

/** What was paused before is not any more, unless it is started so. */
function noteStart(paused: Set<string>, { id, isStartedPaused }: Machine): void {
  if (isStartedPaused) paused.add(id);
  else paused.delete(id);
}

/**
 * Between a pause, or a start with --paused, and a resume a conductor neither starts nor stops its sequencer, unless it ends
 * and stops it (rule 21), nor changes its node or client otherwise. What it had decided on in the same turn still goes out.
 */
export const pausedStandsStill: Law = (broken) => {
  const paused = new Set<string>();
  /** Those whose turn, in which they were paused, is not over. */
  const turning = new Set<string>();
  /** Those that end, which a pause does not keep from stopping their sequencer any more. */
  const ending = new Set<string>();
  const calls = ({ id }: Machine, method: string): void => {
    const stopsAtItsEnd = ending.has(id) && method === 'admin_stopSequencer';
    if (paused.has(id) && !turning.has(id) && !stopsAtItsEnd) broken(`${id} is paused and calls ${method}`);
  };
  return {
    started: (machine) => {
      turning.delete(machine.id);
      ending.delete(machine.id);
      noteStart(paused, machine);
    },
    handles: ['drain', 'rpc'],
    handled: ({ id }, event) => {
      if (isToldToEnd(event)) ending.add(id);
      else if (event.kind === 'rpc' && event.method === 'conductor_pause' && !paused.has(id)) turning.add(id);
      notePause(paused, id, event);
    },
    observed: ({ id }) => void turning.delete(id),
    ordered: calls,
    asked: (machine, request) => {
      if (changesTheNode(request)) calls(machine, request.method);
    },
  };
};

/** How long a leader may go by what it heard of a server before that was paused: three heartbeats, by a clock of half speed. */
const TOLD_MAX_MS = 8000;
/** How often a leader is asked what it knows of its peers. */
const LOOK_MS = 100;

/**
 * What a leader believes of a server that has been paused for so long, or whose leadership has been overridden, is that it
 * is paused, or nothing: leadership would be of no use there (rules 16 and 18).
 */
export const pausedIsTold: Law = (broken) => {
  const sinceMs = { paused: new Map<string, number>(), overridden: new Map<string, number>() };
  const states = ['paused', 'overridden'] as const;
  const begins = (state: (typeof states)[number], { id, worldMs }: Machine): void => {
    if (!sinceMs[state].has(id)) sinceMs[state].set(id, worldMs);
  };
  const isOver = ({ id }: Machine): void => states.forEach((state) => sinceMs[state].delete(id));
  let lookedAtMs = -Infinity;
  return {
    started: (machine) => {
      isOver(machine);
      if (machine.isStartedPaused) begins('paused', machine);
    },
    ended: isOver,
    handles: ['rpc'],
    handled: (machine, event) => {
      if (event.kind !== 'rpc') return;
      if (event.method === 'conductor_resume') sinceMs.paused.delete(machine.id);
      else if (event.method === 'conductor_pause') begins('paused', machine);
      else if (event.method === 'conductor_overrideLeader' && event.values[0] === true) begins('overridden', machine);
      else if (event.method === 'conductor_overrideLeader') sinceMs.overridden.delete(machine.id);
    },
    observed: ({ id, worldMs, conductor }, { role }) => {
      const isAnybody = sinceMs.paused.size + sinceMs.overridden.size > 0;
      if (role !== 'leader' || worldMs < lookedAtMs + LOOK_MS || !isAnybody) return;
      lookedAtMs = worldMs;
      for (const { id: peer, peerStatus } of conductor?.status().peers ?? []) {
        if (peerStatus === null || peerStatus.paused) continue;
        for (const state of states) {
          const forMs = worldMs - (sinceMs[state].get(peer) ?? worldMs);
          if (forMs > TOLD_MAX_MS)
            broken(`${peer} has been ${state} for ${Math.round(forMs)} ms, and ${id} hears that it is not`);
        }
      }
    },
  };
};

/** Calls that take or give leadership, or a place among the members; and for how long one that is answered explains a hand-over, milliseconds. */
const movers: ReadonlySet<string> = new Set<MethodName>([
  'conductor_transferLeader',
  'conductor_transferLeaderToServer',
  'conductor_removeServer',
  'conductor_demoteVoter',
  'conductor_stop',
]);
const MOVED_MAX_MS = 5000;

/**
 * A leader that an operator has paused in its leadership gives that to nobody by itself, whatever becomes of its node: it was
 * paused for that (rule 18).
 */
export const pausedLeaderStays: Law = (broken) => {
  const pauses = new Pauses();
  /** Those that end, or have been told to resume and have not answered. */
  const released = new Set<Machine>();
  const underWayUntilMs = new Map<Machine, number>();
  let movedAtMs = -Infinity;
  return {
    started: (machine) => {
      pauses.started(machine);
      released.delete(machine);
      underWayUntilMs.delete(machine);
    },
    handles: ['drain', 'rpc'],
    handled: (machine, event) => {
      pauses.handled(machine, event);
      if (event.kind === 'drain' || (event.kind === 'rpc' && event.method === 'conductor_resume'))
        released.add(machine);
    },
    called: (machine, { method }) => {
      const { worldMs, conductor } = machine;
      if (movers.has(method)) movedAtMs = worldMs;
      if (method === 'conductor_pause' && conductor?.status().isTransferring === true)
        underWayUntilMs.set(machine, worldMs + UNDER_WAY_MAX_MS);
    },
    answered: (machine, call, outcome) => {
      pauses.answered(machine, call, outcome);
      if (call.method === 'conductor_resume') released.delete(machine);
      if (movers.has(call.method)) movedAtMs = machine.worldMs;
    },
    handsOver: (machine, to, _, isAdvice) => {
      const { id, conductor, worldMs } = machine;
      if (isAdvice || released.has(machine) || worldMs - movedAtMs <= MOVED_MAX_MS) return;
      if (worldMs <= (underWayUntilMs.get(machine) ?? -Infinity)) return;
      const position = conductor?.position();
      if (position === undefined || position.hasFailed || !pauses.wasPausedIn(machine, position.term)) return;
      // Whose vote an operator took leaves when that is committed, which may take longer than its caller waits.
      if (!votersOf(position.configuration.configuration).includes(id)) return;
      broken(`${id}, which was paused in its leadership, gives it to ${to} of its own accord`);
    },
  };
};

/** Who ends in order starts nothing any more, and has stopped the sequencer or says that it could not; a paused follower leaves it alone (rule 21). */
export const endsInOrder: Law = (broken) => {
  const pauses = new Pauses();
  /** Those that end; true where they leave their sequencer alone. */
  const ending = new Map<Machine, boolean>();
  return {
    started: (machine) => {
      pauses.started(machine);
      ending.delete(machine);
    },
    handles: ['drain', 'rpc'],
    handled: (machine, event) => {
      pauses.handled(machine, event);
      if (!isToldToEnd(event) || ending.has(machine)) return;
      ending.set(machine, pauses.has(machine) && machine.conductor?.position().role !== 'leader');
    },
    answered: (machine, call, outcome) => pauses.answered(machine, call, outcome),
    ordered: (machine, method) => {
      if (ending.has(machine) && method === 'admin_startSequencer')
        broken(`${machine.id} is about to end and starts its sequencer`);
    },
    exited: (machine, undone) => {
      const { id, node } = machine;
      if (ending.get(machine) ?? pauses.has(machine)) return;
      if (node.isActive && node.isUp && !undone.includes('sequencer'))
        broken(`${id} ends and leaves its sequencer running without a word`);
    },
  };
};

/** From the answer to a resume until the sequencer is as leadership wants it, at most: what its node lacks is posted to it first. */
const RESUMED_WITHIN_MS = 300;

interface Resume {
  readonly atMs: number;
  readonly life: number;
  readonly term: number;
  readonly role: RaftPosition['role'];
}

/**
 * A resume goes by what the node says of its sequencer, whoever started or stopped that meanwhile: soon it runs, or is told
 * to, where its conductor leads, and nowhere else. Judged where nothing else is wrong (rule 22).
 */
export const resumedIsAsItShould: Law = (broken, note) => {
  const resumes = new Map<Machine, Resume>();
  const complaints: string[] = [];
  const look = (machine: Machine, { atMs, life, term, role }: Resume, position: RaftPosition): void => {
    if (machine.life !== life || position.term !== term || position.role !== role) return;
    const { id, node, worldMs } = machine;
    const isSequencing = node.isUp && node.isActive;
    note('a resume is looked back at');
    if (node.isUp && isSequencing !== (role === 'leader'))
      complaints.push(
        `${id}, ${role}, was resumed ${Math.round(worldMs - atMs)} ms ago, and its sequencer ${isSequencing ? 'runs' : 'stands'}`,
      );
  };
  const forget = (machine: Machine): void => void resumes.delete(machine);
  return {
    ended: forget,
    ordered: forget,
    overridden: forget,
    called: (machine, { method }) => {
      if (method === 'conductor_pause' || method === 'conductor_overrideLeader') forget(machine);
    },
    answered: (machine, { method }, { kind }) => {
      const { worldMs, life, conductor } = machine;
      const position = conductor?.position();
      if (method === 'conductor_resume' && kind === 'result' && position !== undefined)
        resumes.set(machine, { atMs: worldMs, life, term: position.term, role: position.role });
    },
    observed: (machine, position) => {
      const resume = resumes.get(machine);
      if (resume === undefined || machine.worldMs < resume.atMs + RESUMED_WITHIN_MS) return;
      resumes.delete(machine);
      look(machine, resume, position);
    },
    finish: ({ run }) => {
      const [first] = complaints;
      if (first !== undefined && isOneAtATime(run)) broken(first);
    },
  };
};
