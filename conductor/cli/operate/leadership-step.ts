/**
 * Handing leadership over: to a server that is able to sequence, and back when it does not. Blocks stop from the
 * moment the old leader stops its sequencer until the new one has started its own.
 */
import { leaderOf, memberOf, sequencingServers, serverOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { bestSuccessor, whyNoSuccessor, whyUnfitToLead } from './fitness.ts';
import type { ClusterAccess } from './observe.ts';
import type { Step } from './step.ts';

/** Longest wait for the new leader to sequence: op-conductor tries a failed start again after up to 2 s. */
const TRANSFER_MS_MAX = 30_000;

/** Gives leadership to `to`. */
export function transferStep(access: ClusterAccess, to: string): Step {
  return handOver(access, {
    title: `hand leadership to ${to}`,
    isDone: (view) => leaderOf(view)?.id === to,
    target: () => to,
    whyNot: (view) => whyUnfitToLead(view, to),
  });
}

/** Takes leadership from `from`, if it has it, and gives it to the fittest of the others. */
export function transferAwayStep(access: ClusterAccess, from: string): Step {
  return handOver(access, {
    title: `hand leadership away from ${from}`,
    isDone: (view) => leaderOf(view) !== null && leaderOf(view)?.id !== from,
    target: (view) => bestSuccessor(view, from),
    whyNot: (view) => (bestSuccessor(view, from) === null ? whyNoSuccessor(view, from) : null),
  });
}

interface HandOver {
  readonly title: string;
  isDone(view: ClusterView): boolean;
  /** Id of who is to lead; null when nobody can. */
  target(view: ClusterView): string | null;
  whyNot(view: ClusterView): string | null;
}

function handOver(access: ClusterAccess, { title, isDone, target, whyNot }: HandOver): Step {
  let before: ServerView | null = null;
  let hadSequencer = false;
  return {
    title,
    isDone: (view) => isDone(view) && whatSequencing(view, true) === null,
    guard(view) {
      if (isDone(view)) return null;
      const leader = leaderOf(view);
      if (leader?.conductor?.isPaused === true && leader.node?.isSequencing !== false)
        return `${leader.id} leads and is paused, so it would not stop its sequencer; resume it first: conductor resume ${leader.id}`;
      return whyNot(view);
    },
    async perform(view) {
      const leader = leaderOf(view);
      const id = target(view);
      const member = id === null ? null : memberOf(view, id);
      before = leader;
      hadSequencer = sequencingServers(view).length > 0;
      if (leader === null || member === null || isDone(view)) return;
      await access.conductor(leader.config).transferTo(member);
    },
    settled: (view) => isDone(view) && whatSequencing(view, hadSequencer) === null,
    progress: (view) =>
      isDone(view) ? (whatSequencing(view, hadSequencer) ?? '') : 'waiting for leadership to change hands',
    deadlineMs: TRANSFER_MS_MAX,
    stopsSequencing: true,
    undo: {
      title: 'give leadership back',
      isNeeded: (view) => before !== null && leaderOf(view) !== null && leaderOf(view)?.id !== before.id,
      async perform(view) {
        const leader = leaderOf(view);
        const member = before === null ? null : memberOf(view, before.id);
        if (leader === null || member === null) throw new Error('nobody leads, or the former leader is no member');
        await access.conductor(leader.config).transferTo(member);
      },
    },
  };
}

/** What is still waited for until exactly the leader's sequencer builds; null when it does, or nobody can tell. */
function whatSequencing(view: ClusterView, isExpected: boolean): string | null {
  const leader = leaderOf(view);
  if (leader === null) return 'nobody leads';
  const other = sequencingServers(view).find(({ id }) => id !== leader.id);
  if (other !== undefined) return `waiting for ${other.id} to stop sequencing`;
  const isWaiting = isExpected && serverOf(view, leader.id)?.node?.isSequencing === false;
  return isWaiting ? `waiting for ${leader.id} to sequence` : null;
}
