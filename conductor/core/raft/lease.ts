/**
 * What a leader may conclude from who answered when (thesis §6.4.1), and when it has to step down. Two datings: what may be
 * said on leadership counts from when an answered request was sent; staying in office, which permits nothing by itself,
 * from when the answer came and by the flag's lease, as hashicorp does, so that a long round trip, a busy machine or a follower
 * that stands still costs no election. Only where several fall silent together, who answered on time, is it sooner.
 */
import { neededTimeoutMs } from './heartbeats.ts';
import { hasOtherVoters, hasQuorum, quorumMatch, votersOf } from './quorum.ts';
import { mayTakeOver, type Leadership } from './leadership.ts';
import type { Progress } from './progress.ts';
import { becomeFollower } from './roles.ts';
import { LATE_MS, READING_MS } from '../own-stall.ts';
import { SILENT_TIMEOUTS_MAX, TOLD_TIMEOUTS } from './timing.ts';
import { adviseTransferTarget, transferTargetOfDeposed } from './transfer.ts';
import type { RaftState } from './state.ts';

/** Whoever has said that it ends will not answer any more. */
function hasSaidItsEnd({ peerStatus }: Progress): boolean {
  return peerStatus?.peerStatus.ends === true;
}

/** As if never heard where it has said its end: no lease, and no time for what lies unread, reaches that far back. */
function heardMs(s: RaftState, peer: Progress): number {
  return hasSaidItsEnd(peer) ? -Infinity : peer.lastContactMs + writingMs(s, peer);
}

/** The latest moment that a quorum reaches; Infinity for the only voter, -Infinity for others than leaders. */
function quorumMomentMs({ leadership, membership, options }: RaftState, momentOf: (peer: Progress) => number): number {
  if (leadership === null) return -Infinity;
  const { configuration } = membership.latest;
  if (!hasOtherVoters(configuration, options.id)) return Infinity;
  const reachedBy = (id: string): number => {
    const peer = leadership.peers.get(id);
    return peer ? momentOf(peer) : id === options.id ? Number.MAX_SAFE_INTEGER : 0;
  };
  return quorumMatch(configuration, reachedBy);
}

const contactMsOf = (peer: Progress): number => peer.contactMs;

/**
 * What it may be silent for beyond the lease, milliseconds: a follower answers nothing while it writes, and without it nobody
 * else can be elected either where the connections of all other voters fail.
 */
function writingMs({ membership, leadership, options }: RaftState, peer: Progress): number {
  if (leadership === null || peer.match >= peer.next - 1 || peer.heartbeatFailures > 0) return 0;
  const isNeeded = votersOf(membership.latest.configuration).every((id) => {
    const other = leadership.peers.get(id);
    return other === undefined || other === peer || other.heartbeatFailures > 0;
  });
  return isNeeded ? Math.max(0, options.heartbeatTimeoutMs - options.leaderLeaseMs) : 0;
}

/**
 * Until when it does nothing against this leader: as long as it has promised. One that sees this leader's connections fail may
 * take it for dead, and vote at once (rule 13); op-conductors never do.
 */
const promisedUntilMsOf = ({ heartbeatFailures, isNative, promisedUntilMs }: Progress): number =>
  isNative && heartbeatFailures > 0 ? -Infinity : promisedUntilMs;

/** A leader is in doubt until a quorum has answered what was sent since (rule 34). */
function isInDoubt(s: RaftState, { doubtedAtMs }: Leadership): boolean {
  // Asked with every event, and most leaders never were in doubt: nobody's answers are gone through for them.
  return doubtedAtMs > -Infinity && quorumMomentMs(s, contactMsOf) < doubtedAtMs;
}

/** A quorum answered requests that were sent at or after the end of the lease less its length, and none of it may campaign or vote before; -Infinity while in doubt. */
export function leaseEndsAtMs(s: RaftState): number {
  // The target of a hand-over that was given up may obey late, and no promise of the voters holds it back.
  const toldInVainAtMs = s.leadership?.toldInVainAtMs ?? -Infinity;
  if (s.nowMs - toldInVainAtMs < TOLD_TIMEOUTS * s.options.electionTimeoutMs) return -Infinity;
  return Math.min(quorumMomentMs(s, contactMsOf) + s.options.leaderLeaseMs, sureUntilMs(s));
}

/** Whether a quorum answered within the lease, in time or late. */
export function hasContact(s: RaftState): boolean {
  return quorumMomentMs(s, (peer) => peer.lastContactMs) + s.options.leaderLeaseMs >= s.nowMs;
}

/**
 * Until when nobody else can have been elected by a timeout: a voter waits as long as it has promised, or else at least
 * a heartbeat timeout, from what it heard last. -Infinity while in doubt, and once another one was told to take over.
 */
export function sureUntilMs(s: RaftState): number {
  const led = s.leadership;
  if (led === null || mayTakeOver(led.transfer) || isInDoubt(s, led)) return -Infinity;
  return quorumMomentMs(s, promisedUntilMsOf);
}

/**
 * Judges, with every event, whether this server still leads. `dueMs` is when it wanted to be called: time that passed
 * since then is a stall of its own, which is not held against the others, but after which nothing is permitted on old
 * leadership; one longer than the others' election timeout ends it at once, before any answer (rules 15 and 34).
 */
export function judgeLeadership(s: RaftState, beforeMs: number, dueMs: number): void {
  s.judgeAtMs = Infinity;
  const led = s.leadership;
  const stalledMs = s.nowMs - beforeMs;
  const lateMs = s.nowMs - Math.max(beforeMs, dueMs);
  const { leaderLeaseMs, heartbeatTimeoutMs } = s.options;
  if (!led) {
    // A leader's words may lie unread behind a timer that is long overdue. Once: on a busy machine every timer is late.
    if (lateMs > LATE_MS && s.nowMs >= s.electionAtMs && s.electionAtMs !== s.unread.untilMs) {
      s.electionAtMs = s.nowMs + READING_MS;
      s.unread = { forMs: 0, untilMs: s.electionAtMs };
    }
    return;
  }
  const { configuration } = s.membership.latest;
  if (!hasOtherVoters(configuration, s.options.id)) return;
  if (stalledMs > heartbeatTimeoutMs) {
    return becomeFollower(
      s,
      s.term,
      `stalled for ${Math.round(stalledMs)} ms, longer than the others' election timeout`,
    );
  }
  if (stalledMs > leaderLeaseMs) led.doubtedAtMs = s.nowMs;
  if (lateMs > LATE_MS) {
    s.unread = { forMs: lateMs, untilMs: s.nowMs + READING_MS };
    for (const peer of led.peers.values()) peer.lastContactMs += lateMs;
  }
  const hasQuorumContact = (unreadMs: number, momentOf = (peer: Progress): number => heardMs(s, peer)): boolean =>
    hasQuorum(configuration, (id) => {
      const peer = led.peers.get(id);
      if (!peer) return id === s.options.id;
      const isSilent = s.nowMs - peer.contactMs > SILENT_TIMEOUTS_MAX * heartbeatTimeoutMs;
      return !isSilent && s.nowMs - momentOf(peer) <= leaderLeaseMs + unreadMs;
    });
  const lapsedAtMs = heardUntilMs(s);
  const isLapsed = s.nowMs > lapsedAtMs && lapsedAtMs > -Infinity;
  if (!isLapsed && hasQuorumContact(0)) return;
  // An answer may have come by then and lie unread, also where this server was not late enough to say so.
  if (isLapsed && s.unread.untilMs <= lapsedAtMs) {
    const untilMs = s.nowMs + READING_MS;
    s.unread = { forMs: untilMs - lapsedAtMs, untilMs };
  }
  // Answers that came during a stall are read before contact is judged: a write of 20 MB is no partition.
  if (s.nowMs < s.unread.untilMs && hasQuorumContact(s.unread.forMs)) {
    s.judgeAtMs = s.unread.untilMs;
  } else {
    // Where it hears nobody it may still be heard: whom this reaches need not wait out its election timeout.
    const transferTarget = transferTargetOfDeposed(s);
    if (transferTarget) adviseTransferTarget(s, transferTarget);
    const isByEnds = hasQuorumContact(0, (peer) => peer.lastContactMs);
    becomeFollower(s, s.term, isByEnds ? 'no quorum is left: others end' : 'no quorum answered within the lease');
  }
}

/**
 * When all voters that were heard until lately, two at least, have fallen silent together for longer than their answers need,
 * if nobody answers until then: then it is this server that hears nothing, and nobody else can notice. One alone may just
 * stand still, whom entries are on the way to may be writing, and whose connections fail is gone: Infinity.
 */
function hearsNobodyAtMs(s: RaftState): number {
  let [count, atMs] = [0, 0];
  for (const id of votersOf(s.membership.latest.configuration)) {
    const peer = s.leadership?.peers.get(id);
    if (!peer || s.nowMs - peer.lastContactMs > s.options.leaderLeaseMs) continue;
    if (peer.match < peer.next - 1 || peer.heartbeatFailures > 0) return Infinity;
    count++;
    atMs = Math.max(atMs, peer.lastContactMs + neededTimeoutMs(s, peer));
  }
  return count > 1 ? atMs : Infinity;
}

/** Until when whoever leads hears enough of the others, if they fall silent now: the moment to judge that. In the past where it is judged already. */
export function heardUntilMs(s: RaftState): number {
  return Math.min(quorumMomentMs(s, (peer) => heardMs(s, peer)) + s.options.leaderLeaseMs, hearsNobodyAtMs(s));
}
