/**
 * Time that passed unseen (rule 34): the monotonic clock stands still while a machine is suspended or moved, and the
 * wall clock shows it afterwards. Others may have elected a leader meanwhile, on whose side the lease is. So a jump
 * puts a leader in the same doubt as a stall that it saw (lease.ts): until a quorum has answered what was sent since.
 * What its peers had said of themselves is older by as much, and they are asked anew.
 */
import type { RaftState } from './state.ts';
import { JUMP_MS } from './timing.ts';

/** Whether the wall clock has run ahead of the monotonic one since the last event. */
export function hasJumped(s: RaftState): boolean {
  return jumpMs(s) > JUMP_MS;
}

function jumpMs(s: RaftState): number {
  return s.ports.wallClock.aheadMs() - s.clockOffsetMs;
}

/** Called with every event, before leadership is judged. */
export function noticeJump(s: RaftState): void {
  const passedMs = jumpMs(s);
  s.clockOffsetMs += passedMs;
  if (passedMs <= JUMP_MS) return;
  s.outbox.notices.push({ kind: 'clockJump', ms: Math.round(passedMs) });
  const led = s.leadership;
  if (!led) return;
  led.doubtedAtMs = s.nowMs;
  led.jumpedAtMs = s.nowMs;
  for (const peer of led.peers.values()) {
    const { peerStatus: received } = peer;
    peer.heartbeatWanted = true;
    peer.statusWanted ||= peer.isNative;
    if (received) peer.peerStatus = { ...received, atMs: received.atMs - passedMs };
  }
}
