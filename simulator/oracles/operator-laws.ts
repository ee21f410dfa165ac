/** The law of pauses: a paused conductor leaves its sequencer to the operator (rule 22). */
import type { Law } from './oracle.ts';

/** Between a pause and a resume a conductor neither starts nor stops its sequencer, unless it ends and stops it (rule 21). */
export const pausedStandsStill: Law = (broken) => {
  const paused = new Set<string>();
  return {
    started: ({ id }) => void paused.delete(id),
    handled: ({ id }, event) => {
      if (event.kind === 'drain') paused.delete(id);
      if (event.kind !== 'rpc') return;
      if (event.method === 'conductor_pause') paused.add(id);
      else if (event.method === 'conductor_resume' || event.method === 'conductor_stop') paused.delete(id);
    },
    ordered: ({ id }, method) => {
      if (paused.has(id)) broken(`${id} is paused and calls ${method}`);
    },
  };
};
