/**
 * When a server next wants to be called: the earliest of all its timers. One function, so that a host needs
 * one timer and the simulator can jump from deadline to deadline.
 */
import { mayCampaign } from './election.ts';
import { ledUntilMs } from './election-timeout.ts';
import { nextHeartbeatMs } from './heartbeats.ts';
import { nextEmptyAppendMs } from './replication.ts';
import { heardUntilMs, sureUntilMs } from './lease.ts';
import type { Leadership } from './leadership.ts';
import type { RaftState } from './state.ts';

export function nextDeadline(s: RaftState): number {
  let next = s.snapshotCheckAtMs;
  if (s.hasFailed) return Infinity;
  if (s.leadership) next = Math.min(next, leaderDeadline(s, s.leadership));
  else if (mayCampaign(s)) next = Math.min(next, s.electionAtMs, s.suspectedFailure?.campaignAtMs ?? Infinity);
  else if (s.hard.recovering && !s.hasSaidThatItWaits) next = Math.min(next, s.electionAtMs);
  if (s.heldPreVotes.length > 0) next = Math.min(next, Math.max(s.nowMs, ledUntilMs(s)));
  if (s.recovery) next = Math.min(next, s.recovery.deadlineMs, s.recovery.retryAtMs);
  return next;
}

function leaderDeadline(s: RaftState, led: Leadership): number {
  // The lease is looked at four times before it can run out, and when it does.
  let next = led.peers.size > 0 ? s.lastTurnMs + s.options.leaderLeaseMs / 4 : Infinity;
  next = Math.min(next, s.judgeAtMs);
  for (const untilMs of [heardUntilMs(s), sureUntilMs(s)]) if (untilMs >= s.nowMs) next = Math.min(next, untilMs + 1);
  if (led.reads.length > 0) next = Math.min(next, led.reads[0]!.deadlineMs);
  for (const { deadlineMs } of led.asks) next = Math.min(next, deadlineMs);
  if (led.transfer) next = Math.min(next, led.transfer.deadlineMs);
  // Staging waits while leadership is being handed over.
  if (led.staging && !led.transfer) next = Math.min(next, led.staging.deadlineMs);
  for (const peer of led.peers.values()) {
    next = Math.min(next, nextHeartbeatMs(peer));
    if (peer.mode === 'snapshot') continue;
    if (peer.retryAtMs > s.nowMs) next = Math.min(next, peer.retryAtMs);
    else if (peer.mode === 'pipeline') next = Math.min(next, nextEmptyAppendMs(s, peer));
  }
  return next;
}
