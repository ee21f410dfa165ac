/** What a leader of hashicorp/raft is asked for, and what it counts: entries, changes of the members, and who holds what. */
import { assert } from '#conductor/core/assert';
import { votersOf } from '#conductor/core/raft/quorum';
import { ZERO_GO_TIME } from '#conductor/core/wire/go-time';
import type { Change, Ended, Leading } from './go-leading.ts';
import type { GoState } from './go-state.ts';

export const NOT_LEADER = 'node is not the leader';
const CHANGE_WAITS_MS = 5000;

/** A client's entry. */
export function propose(s: GoState, type: number, data: Uint8Array | null, ended: Ended): void {
  if (s.leading === null) return ended(NOT_LEADER);
  if (s.leading.transfer !== null) return ended('leadership transfer in progress');
  append(s, type, data, ended);
}

export function append(s: GoState, type: number, data: Uint8Array | null, ended: Ended): void {
  const { leading } = s;
  assert(leading !== null, 'only a leader appends');
  const index = s.log.lastIndex + 1;
  s.log.append([{ index, term: s.term, type, data, extensions: null, appendedAt: ZERO_GO_TIME }]);
  leading.waiting.set(index, ended);
  for (const replica of leading.replicas.values()) replica.isDue = true;
}

/** Waits until the members may change, for as long as op-conductor does. */
export function proposeChange(s: GoState, change: Change, ended: Ended): void {
  if (s.leading === null) return ended(NOT_LEADER);
  s.leading.changes.push({ change, ended, untilMs: s.nowMs + CHANGE_WAITS_MS });
}

/** The votes that count from now on; who votes anew has nothing yet. */
export function countVoters(s: GoState): void {
  const { leading } = s;
  if (leading === null) return;
  const counted = votersOf(s.latest.configuration).map((id) => [id, leading.matches.get(id) ?? 0] as const);
  leading.matches = new Map(counted);
}

/** A follower has taken everything up to here. */
export function matched(leading: Leading, id: string, index: number): void {
  const before = leading.matches.get(id);
  if (before !== undefined && index > before) leading.matches.set(id, index);
}
