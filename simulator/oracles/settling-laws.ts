/** The law against bouncing: leadership goes where it can be used, and stays there (rules 18 and 19). */
import type { Configuration } from '../configuration.ts';
import type { SimEvent } from '../faults.ts';
import { gapBounds } from './gap-bounds.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import type { Law } from './oracle.ts';

/** Who ceases to lead is followed by one other, who can lead. */
const CHANGES_MAX = 1;
/** An operator hands leadership to a server that cannot use it: it is handed on. */
const CHANGES_OF_TARGET_MAX = 2;
/** For how long at least a sequencer is tried that does not start. */
const START_TRIED_FOR_MS = 10_000;

/** Of kinds that strike one machine, or all of them once; where the rollup goes back every head is too old for a while. */
function changesMaxOf({ kind, forMs }: SimEvent, { servers }: Configuration): number {
  if (kind === 'rollback') return Infinity;
  if (kind === 'unprovisionedHeir') return CHANGES_OF_TARGET_MAX;
  const { changesMax } = gapBounds[kind];
  // What keeps every sequencer from building or starting looks to each like trouble of its own: each has its turn (rule 31).
  if (kind === 'l1Stands') return servers - 1;
  if (kind === 'slowL1') return servers - 1 + Math.floor(forMs / START_TRIED_FOR_MS);
  if (changesMax !== undefined) return changesMax;
  return kind === 'allDown' || gapBounds[kind].ms !== null ? CHANGES_MAX : Infinity;
}

/** One fault at a time costs at most one change of leadership: it never bounces between servers. */
export const leadershipSettles: Law = (broken) => {
  const reigns: { readonly term: number; readonly atMs: number }[] = [];
  return {
    observed: ({ worldMs }, { role, term }) => {
      if (role === 'leader' && term > (reigns.at(-1)?.term ?? 0)) reigns.push({ term, atMs: worldMs });
    },
    finish: ({ run, calmFromMs }) => {
      const { events } = run;
      if (!isOneAtATime(run)) return;
      let untilMs = Infinity;
      let atMs = calmFromMs - (events.at(-1)?.forMs ?? 0);
      for (const event of events.toReversed()) {
        const { kind, afterMs } = event;
        const count = reigns.filter((reign) => reign.atMs > atMs && reign.atMs <= untilMs).length;
        const max = changesMaxOf(event, run.configuration);
        if (count > max)
          broken(`leadership changed ${count} times after one fault (${kind}), at most ${max} are needed`);
        untilMs = atMs;
        atMs -= afterMs;
      }
    },
  };
};
