/** The law of stalls: a leader that did not run for a while may have been replaced, and knows it (rules 15 and 34). */
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { votersOf } from '#conductor/core/raft/quorum';
import type { Law } from './oracle.ts';

/** Beyond the lease by this much it is no matter of rounding. */
const MARGIN_MS = 5;

interface Turn {
  life: number;
  /** By the machine's own clock. */
  atMs: number;
  /** The term it leads; null when it does not. */
  leads: number | null;
}

/**
 * After a stall longer than the lease a leader is not sure of its office before anybody has answered what it sent since;
 * after one longer than the others' election timeout its first act is stepping down.
 */
export const stallEndsLeadership: Law = (broken) => {
  const last = new Map<string, Turn>();
  const stalled = new Map<string, number>();
  return {
    handled: ({ id, life, nowMs }) => {
      const turn = last.get(id);
      if (turn?.life !== life || turn.leads === null) return;
      if (nowMs - turn.atMs > RAFT_DEFAULTS.leaderLeaseMs + MARGIN_MS) stalled.set(id, nowMs - turn.atMs);
    },
    observed: ({ id, life, nowMs, conductor }, position) => {
      const { role, term } = position;
      const turn = last.get(id);
      const leads = role === 'leader' ? term : null;
      const isSame = turn?.life === life && turn.leads === leads;
      if (turn === undefined) last.set(id, { life, atMs: nowMs, leads });
      else {
        turn.life = life;
        turn.atMs = nowMs;
        turn.leads = leads;
      }
      if (stalled.size === 0) return;
      const stalledMs = stalled.get(id);
      stalled.delete(id);
      if (stalledMs === undefined || leads === null || !isSame) return;
      const { configuration } = conductor!.status().configuration;
      if (!votersOf(configuration).some((other) => other !== id)) return;
      const isLong = stalledMs > RAFT_DEFAULTS.heartbeatTimeoutMs + MARGIN_MS;
      const deed = isLong ? 'goes on leading' : position.isSure ? 'is sure of leading' : null;
      if (deed !== null) broken(`${id} ${deed} term ${term} after it did not run for ${Math.round(stalledMs)} ms`);
    },
  };
};
