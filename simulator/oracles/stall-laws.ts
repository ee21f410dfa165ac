/** The law of stalls: a leader that did not run for a while may have been replaced, and knows it (rule 15). */
import { RAFT_DEFAULTS } from '#conductor/raft/options';
import { votersOf } from '#conductor/raft/quorum';
import type { Law } from './oracle.ts';

/** Beyond the lease by this much it is no matter of rounding. */
const MARGIN_MS = 5;

interface Turn {
  readonly life: number;
  /** By the machine's own clock. */
  readonly atMs: number;
  /** The term it leads; null when it does not. */
  readonly leads: number | null;
}

/** After a stall longer than the lease a leader's first act is stepping down. */
export const stallEndsLeadership: Law = (broken) => {
  const last = new Map<string, Turn>();
  const stalled = new Map<string, number>();
  return {
    handled: ({ id, life, nowMs }) => {
      const turn = last.get(id);
      if (turn?.life !== life || turn.leads === null) return;
      if (nowMs - turn.atMs > RAFT_DEFAULTS.leaderLeaseMs + MARGIN_MS) stalled.set(id, nowMs - turn.atMs);
    },
    observed: ({ id, life, nowMs, conductor }, { role, term }) => {
      const before = last.get(id);
      const stalledMs = stalled.get(id);
      stalled.delete(id);
      const leads = role === 'leader' ? term : null;
      last.set(id, { life, atMs: nowMs, leads });
      if (stalledMs === undefined || leads === null || leads !== before?.leads || before.life !== life) return;
      const { configuration } = conductor!.status().configuration;
      if (votersOf(configuration).some((other) => other !== id))
        broken(`${id} goes on leading term ${term} after it did not run for ${Math.round(stalledMs)} ms`);
    },
  };
};
