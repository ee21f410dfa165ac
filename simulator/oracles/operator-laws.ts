/** The laws of what operators ask for: pauses are kept, and processes end in order (rules 21 and 22). */
import type { ConductorEvent } from '#conductor/core/events';
import type { Law } from './oracle.ts';

/** Keeps the names of those that were told to pause. */
function notePause(paused: Set<string>, id: string, event: ConductorEvent): void {
  if (event.kind !== 'rpc') return;
  if (event.method === 'conductor_pause') paused.add(id);
  else if (event.method === 'conductor_resume') paused.delete(id);
}

/** Between a pause and a resume a conductor neither starts nor stops its sequencer, unless it ends and stops it (rule 21). */
export const pausedStandsStill: Law = (broken) => {
  const paused = new Set<string>();
  return {
    started: ({ id }) => void paused.delete(id),
    handled: ({ id }, event) => {
      if (event.kind === 'drain' || (event.kind === 'rpc' && event.method === 'conductor_stop')) paused.delete(id);
      else notePause(paused, id, event);
    },
    ordered: ({ id }, method) => {
      if (paused.has(id)) broken(`${id} is paused and calls ${method}`);
    },
  };
};

/** Who ends in order has stopped the sequencer, or says that it could not; a paused follower leaves it alone (rule 21). */
export const endsInOrder: Law = (broken) => {
  const paused = new Set<string>();
  return {
    started: ({ id }) => void paused.delete(id),
    handled: ({ id }, event) => notePause(paused, id, event),
    exited: ({ id, node }, undone) => {
      if (paused.has(id)) return;
      if (node.isActive && node.isUp && !undone.includes('sequencer'))
        broken(`${id} ends and leaves its sequencer running without a word`);
    },
  };
};
