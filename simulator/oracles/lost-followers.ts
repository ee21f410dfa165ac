/**
 * Whether a leader tries a follower again soon after the first heartbeat to it that failed: all that were on one connection
 * are one failure (rule 12). Told of what one law is told; it keeps no more than what is under way.
 */
import type { ConductorEvent } from '#conductor/core/events';
import type { OutboundRequest } from '#conductor/core/ports';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from '../machine.ts';

/** It is tried again after 10 ms, by a process that comes to its turns. */
const AGAIN_MAX_MS = 300;
/** A longer pause between two turns is no pause of its own: the process is frozen, or writes. */
const TURN_MAX_MS = 150;

/** A follower of one leader, in one term. */
interface Follower {
  readonly peerId: string;
  readonly term: number;
  /** It has answered since a heartbeat to it failed. */
  isFollowing: boolean;
  /** When the first failed after its last answer, by the leader's clock; null for none. */
  lostAtMs: number | null;
}

export class LostFollowers {
  /** By leader; then by whom it looks for, where, and in which term. */
  readonly #followers = new Map<Machine, Map<string, Follower>>();
  /** Whom the heartbeats that are under way go to, by leader and number. */
  readonly #underWay = new Map<Machine, Map<number, Follower>>();
  readonly #turnedAtMs = new Map<Machine, number>();

  /** A heartbeat is sent; how long after the first that failed, milliseconds, where that is too long; null where it is not. */
  sent(machine: Machine, { peerId, address, request, requestId }: OutboundRequest): number | null {
    const term = 'term' in request ? request.term : 0;
    // Who is looked for at another address begins anew.
    const key = `${peerId} ${address} ${term}`;
    const followers = ofLeader(this.#followers, machine);
    const follower = followers.get(key) ?? { peerId, term, isFollowing: false, lostAtMs: null };
    followers.set(key, follower);
    ofLeader(this.#underWay, machine).set(requestId, follower);
    const lostMs = machine.nowMs - (follower.lostAtMs ?? Infinity);
    follower.lostAtMs = null;
    return lostMs > AGAIN_MAX_MS && !this.#hasPaused(machine) ? lostMs : null;
  }

  /** What came of one. An answer of somebody else, or of one that does not follow, is none. */
  ended(machine: Machine, event: Extract<ConductorEvent, { kind: 'response' | 'failed' }>): void {
    const follower = this.#underWay.get(machine)?.get(event.requestId);
    this.#underWay.get(machine)?.delete(event.requestId);
    if (follower === undefined) return;
    if (event.kind === 'failed') {
      if (follower.isFollowing) follower.lostAtMs = machine.nowMs;
      follower.isFollowing = false;
      return;
    }
    const { response } = event;
    // Where somebody else answers, the address leads elsewhere: whoever is there is not asked so often.
    if (response.kind === 'append' && response.id !== follower.peerId) follower.isFollowing = false;
    if (response.kind !== 'append' || !response.success) return;
    if (response.term === follower.term && response.id === follower.peerId) follower.isFollowing = true;
  }

  /** The process has come to the end of a turn; who leads no longer, or has stood still, begins anew. */
  turned(machine: Machine, { role }: RaftPosition): void {
    if (role !== 'leader' || this.#hasPaused(machine)) this.forget(machine);
    this.#turnedAtMs.set(machine, machine.nowMs);
    for (const follower of this.#followers.get(machine)?.values() ?? []) {
      if (follower.lostAtMs === null) continue;
      const { servers } = machine.conductor!.position().configuration.configuration;
      // Who is removed and comes back begins anew, too.
      if (!servers.some(({ id }) => id === follower.peerId)) follower.lostAtMs = null;
    }
  }

  forget(machine: Machine): void {
    this.#underWay.delete(machine);
    this.#followers.delete(machine);
  }

  #hasPaused(machine: Machine): boolean {
    return machine.nowMs - (this.#turnedAtMs.get(machine) ?? machine.nowMs) > TURN_MAX_MS;
  }
}

function ofLeader<K>(known: Map<Machine, Map<K, Follower>>, machine: Machine): Map<K, Follower> {
  const own = known.get(machine) ?? new Map<K, Follower>();
  known.set(machine, own);
  return own;
}
