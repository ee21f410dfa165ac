/**
 * Handing leadership over: to a server that is able to sequence, and back when it does not. Blocks stop from the
 * moment the old leader stops its sequencer until the new one has started its own.
 */
import { howToResume, howToStart, howToTakeBack, whyNotGiving, whySecond } from './advice.ts';
import { leaderOf, memberOf, sequencingServers, type ClusterView, type ServerView } from './cluster-view.ts';
import { bestSuccessor, whyNeverLeading, whyNoSuccessor, whyIneligibleToTake } from './eligibility.ts';
import type { ClusterAccess } from './observe.ts';
import { isUnanswered } from './rpc-endpoint.ts';
import type { Step } from './step.ts';

/** Longest wait for the new leader to sequence: op-conductor tries a failed start again after up to 2 s. */
const TRANSFER_MS_MAX = 30_000;

/** Gives leadership to `to`, which has to sequence then. */
export function transferStep(access: ClusterAccess, to: string): Step {
  return handOver(access, {
    title: `hand leadership to ${to}`,
    isDone: (view) => leaderOf(view)?.id === to,
    startsSequencing: true,
    target: () => to,
    whyNot: (view) => whyIneligibleToTake(view, to),
    whyNever: (view) => whyNeverLeading(view, to),
    asks: `the leader would stop its sequencer, no other builds or is silent, and ${to} is a voter that answers, acts or builds, is healthy and has the latest blocks`,
  });
}

/** Takes leadership from `from`, if it has it, and gives it to the fittest of the others. */
export function transferAwayStep(access: ClusterAccess, from: string): Step {
  return handOver(access, {
    title: `hand leadership away from ${from}`,
    isDone: (view) => leaderOf(view) !== null && leaderOf(view)?.id !== from,
    startsSequencing: false,
    target: (view) => bestSuccessor(view, from),
    whyNot: (view) => (bestSuccessor(view, from) === null ? whyNoSuccessor(view, from) : null),
    whyNever: () => null,
    asks: `the leader would stop its sequencer, no other builds or is silent, and another voter answers, acts, is healthy and has the latest blocks`,
  });
}

interface HandOver {
  readonly title: string;
  isDone(view: ClusterView): boolean;
  /** The leader has to sequence at the end also where leadership needs not move and nobody sequenced. */
  readonly startsSequencing: boolean;
  /** Id of who is to lead; null when nobody can. */
  target(view: ClusterView): string | null;
  whyNot(view: ClusterView): string | null;
  /** As `whyNot`, whatever is done before. */
  whyNever(view: ClusterView): string | null;
  readonly asks: string;
}

function handOver(access: ClusterAccess, step: HandOver): Step {
  const { title, isDone, startsSequencing, target, whyNot, whyNever, asks } = step;
  let isExpected = true;
  /** What this run asked for and was not refused: who led, and who was to. */
  let handed: { readonly from: string; readonly to: string } | null = null;
  const isSettled = (view: ClusterView): boolean => isDone(view) && whatSequencing(view, isExpected) === null;
  return {
    title,
    isDone: (view) => isDone(view) && whatSequencing(view, true) === null,
    guard(view) {
      if (isDone(view)) return null;
      const id = target(view);
      return whyKeptSequencing(view) ?? whyNot(view) ?? (id === null ? null : whySecond(view, { kind: 'lead', id }));
    },
    foresee: (view) => (isDone(view) ? null : whyNever(view)),
    asks,
    async execute(view) {
      const leader = leaderOf(view);
      const id = target(view);
      const member = id === null ? null : memberOf(view, id);
      handed = null;
      isExpected = !isDone(view) || !isIdle(view) || (startsSequencing && isInCharge(leader));
      if (leader === null || member === null || isDone(view)) return;
      try {
        await access.conductor(leader.config).transferTo(member);
      } catch (error) {
        if (isUnanswered(error)) handed = { from: leader.id, to: member.id };
        throw error;
      }
      handed = { from: leader.id, to: member.id };
    },
    settled: isSettled,
    progress: (view) =>
      isDone(view) ? (whatSequencing(view, isExpected) ?? '') : 'waiting for leadership to change hands',
    deadlineMs: TRANSFER_MS_MAX,
    stopsSequencing: true,
    undo: {
      title: 'give leadership back',
      // Somebody else may have handed it on since: that is not taken back.
      isNeeded: (view) => handed !== null && leaderOf(view)?.id === handed.to && !isSettled(view),
      async execute(view) {
        const leader = leaderOf(view);
        const member = handed === null ? null : memberOf(view, handed.from);
        if (leader === null || member === null) throw new Error('nobody leads, or the former leader is no member');
        const why = whyKeptSequencing(view) ?? whySecond(view, { kind: 'lead', id: member.id });
        if (why !== null) throw new Error(why);
        await access.conductor(leader.config).transferTo(member);
      },
    },
  };
}

/** Why the leader would build on beside the next one; null when it would stop, or does not build. */
function whyKeptSequencing(view: ClusterView): string | null {
  const leader = leaderOf(view);
  const kept = leader === null ? null : whyNotGiving(leader);
  if (leader === null || kept === null) return null;
  const { id } = leader;
  return kept === 'paused'
    ? `${id} leads and is paused, so it would not stop its sequencer; resume it first: ${howToResume(view, leader)}`
    : `${id} leads under an override, so it would not stop its sequencer; ${howToTakeBack(id)}`;
}

/** Its conductor would start its sequencer. */
function isInCharge(leader: ServerView | null): boolean {
  return leader?.conductor?.isPaused !== true && leader?.conductor?.isStopped !== true;
}

/** No op-node sequences, the leader's by its own word. */
function isIdle(view: ClusterView): boolean {
  return sequencingServers(view).length === 0 && whyNotSequencing(leaderOf(view)) !== 'silent';
}

/**
 * What is still waited for until exactly the leader's sequencer builds; null when it does, or nobody can tell because
 * the URL of its op-node is not known.
 */
function whatSequencing(view: ClusterView, isExpected: boolean): string | null {
  const leader = leaderOf(view);
  if (leader === null) return 'nobody leads';
  const other = sequencingServers(view).find(({ id }) => id !== leader.id);
  if (other !== undefined) return `waiting for ${other.id} to stop sequencing${whoStopsIt(view, other)}`;
  const why = isExpected ? whyNotSequencing(leader) : null;
  if (why === null) return null;
  return `waiting for ${leader.id} to sequence${why === 'silent' ? `; its op-node does not answer: ${leader.whyNodeSilent}` : ''}`;
}

/** Who is to stop a sequencer that does not lead, where its conductor will not. */
function whoStopsIt(view: ClusterView, server: ServerView): string {
  const { conductor, id } = server;
  if (conductor === null)
    return `; its conductor does not answer: ${howToStart(view, server)}, or end the op-node of ${id}`;
  if (conductor.isOverridden === true) return `; it is overridden: stop its sequencer by hand (admin_stopSequencer)`;
  return conductor.isPaused === true ? `; its conductor is paused: ${howToResume(view, server)}` : '';
}

/** Null when it does, or when that cannot be known. */
function whyNotSequencing(server: ServerView | null): 'silent' | 'idle' | null {
  if (server === null) return null;
  if (server.node === null) return server.config.node === null ? null : 'silent';
  return server.node.isSequencing === false ? 'idle' : null;
}
