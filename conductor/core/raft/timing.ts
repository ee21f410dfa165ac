/**
 * Every fact of time in the raft core that no flag sets, in milliseconds or as a part of the heartbeat timeout, and the one
 * formula of learned election timeouts (rule 34). Flags stay upper bounds of whatever is learned.
 */
import type { RaftOptions } from './events.ts';

// ---------------------------------------------------------------- heartbeats

/** Go's: between two heartbeats a tenth of the heartbeat timeout to twice that, never so long that the lease runs out between two. */
const HEARTBEAT_PART = 1 / 10;
const HEARTBEAT_PART_OF_LEASE = 1 / 5;
/** Between servers of this software they come at regular times, at most so far apart, so that one that is missing is soon missed. */
const REGULAR_HEARTBEAT_MS = 100;
/** A leader that has finished a write says so at once, but no oftener than this. */
export const HEARTBEAT_AGAIN_MS = 10;
/** First pause after a failed request; doubles up to half the heartbeat timeout. */
const BACKOFF_MS = 10;
/** An idle follower gets an empty append this many times per heartbeat timeout: it carries peer status and finds lost logs. */
export const IDLE_APPENDS = 3;
/** Peer status goes to a peer that has shown that it reads it this many times per heartbeat timeout, where something is sent anyway. */
export const STATUS_PER_TIMEOUT = 10;
/** A read is refused that was not confirmed, or whose index was not applied, within so many heartbeat timeouts. */
export const READ_TIMEOUTS = 5;
/** A target that was told to take over, and did not, may still get that word and obey for so many election timeouts. */
export const TOLD_TIMEOUTS = 5;
/** A leader that gave leadership up lets the others go first for so many election timeouts: one notices that, and another one's next round comes. */
export const GIVEN_UP_TIMEOUTS = 4;
/** First pause after a snapshot that was not taken; grows with each. */
export const SNAPSHOT_RETRY_MS = 100;

/** Bounds of the time to the next heartbeat where it is drawn at random, as Go does. */
export function randomHeartbeatMs(options: RaftOptions): { readonly min: number; readonly max: number } {
  const { heartbeatTimeoutMs, leaderLeaseMs } = options;
  const min = Math.min(heartbeatTimeoutMs * HEARTBEAT_PART, leaderLeaseMs * HEARTBEAT_PART_OF_LEASE);
  return { min, max: 2 * min };
}

/** Time between two regular heartbeats; a whole number. */
export function regularHeartbeatMs(options: RaftOptions): number {
  return Math.max(1, Math.floor(Math.min(REGULAR_HEARTBEAT_MS, randomHeartbeatMs(options).max)));
}

export function backoffMs(options: RaftOptions, failures: number): number {
  return Math.min(options.heartbeatTimeoutMs / 2, BACKOFF_MS * 2 ** Math.min(failures - 1, 16));
}

// ---------------------------------------------------------------- learned election timeouts (rule 34)

/** Linux sends again what was lost after 200 ms and a round trip; the rest is slack for timers. */
const RETRANSMISSION_MS = 220;
/** So long heartbeats must have come, and been answered, before they are relied upon. */
export const LEARNING_MS = 1500;
/** The latest of them is remembered for this long at least, and twice as long at most. */
export const MEMORY_MS = 30_000;
/** An election that nobody needed is remembered for so long, and for twice as long with each further one. */
export const NEEDLESS_MEMORY_MS = { min: 600_000, max: 3_600_000 };
/** What a leader takes off a promise: the promising clock may be a little faster than its own. */
export const PROMISE_MARGIN_MS = 10;

/**
 * The election timeout that bears one lost heartbeat on a link whose heartbeats come every `intervalMs` and were at most
 * `lateMs` late: the next one, its repetition, and twice what was seen. One that was lost came 200 ms late: then this bears
 * one that is lost twice. At most the flag.
 */
export function learnedTimeoutMs(options: RaftOptions, intervalMs: number, lateMs: number): number {
  return cappedTimeoutMs(options, Math.ceil(intervalMs + RETRANSMISSION_MS + 2 * lateMs));
}

/** What may be promised of it: at most the flag, in whole milliseconds, as it travels. */
export function cappedTimeoutMs({ heartbeatTimeoutMs }: RaftOptions, timeoutMs: number): number {
  return Math.floor(Math.min(heartbeatTimeoutMs, timeoutMs));
}

// ---------------------------------------------------------------- elections

/** Servers of this software wait their timeout and at most this part of it more, which doubles with each failed election up to the heartbeat timeout. */
export const RANDOM_TIMEOUT_PART = 1 / 5;
/** No further doubling after so many: heartbeat timeouts are far below that. */
const DOUBLINGS_MAX = 8;
/** The random part at most, after so many elections that failed; `timeoutMs` is what was waited for before the first. */
export function randomPartMaxMs(
  { heartbeatTimeoutMs }: RaftOptions,
  timeoutMs: number,
  failedElections: number,
): number {
  const doubled = timeoutMs * RANDOM_TIMEOUT_PART * 2 ** Math.min(failedElections, DOUBLINGS_MAX);
  return Math.min(heartbeatTimeoutMs, doubled);
}
/** After a learned timeout voters take turns by rank, so that the first usually wins alone. */
export const LEARNED_RANK_MS = 25;
/** What a split vote still waits for the other votes, of the heartbeat timeout. */
export const SPLIT_VOTE_PART = 1 / 10;
/** After a death that was seen, turns by rank follow closer. */
export const RANK_MS = 15;
export const JITTER_MS = 10;
/** A fast election that was lost is tried again after this long (rule 13). */
export const FAST_RETRY_MS = { min: 25, max: 75 };
/** A server whose sequencer could not work comes after all turns and retries of the others (rule 17). */
export const YIELD_MS = 250;

// ---------------------------------------------------------------- judging oneself (rule 34)

/** However often a leader stands still: who has answered nothing sent within so many heartbeat timeouts is not heard. */
export const SILENT_TIMEOUTS_MAX = 2;
/** The wall clock ran ahead of the monotonic one: less is a clock that is set right, a little at a time; well below the lease. */
export const JUMP_MS = 100;

// ---------------------------------------------------------------- membership

/** Of the request timeout, how long a staged voter may take to get ahead with the log: its caller waits as long as that, and has asked where it is before. */
export const STAGING_PART = 4 / 5;
/** In request timeouts, how long it may take in all: no other member can be added or removed meanwhile, and callers wait half a minute. */
export const STAGING_TIMEOUTS_MAX = 4;

// ---------------------------------------------------------------- questions

/** A leader that asks all peers how they stand waits this part of the heartbeat timeout; the caller's own call has about four. */
export const ASK_PART = 1 / 4;
/** A recovering voter asks the others for their terms (rule 9): limit of one question, pause before the next, and in largest timeouts how long silent ones are waited for. */
export const TERM_QUESTION = { timeoutMs: 500, againMs: 50, timeoutsMax: 3 };
/** Terms that a voter may know of which was passed over: more than elections take while a leader of an earlier term does not notice, and fewer than are explained at once (strangers.ts). */
export const UNSEEN_TERMS = 32;
/** Members are asked about what one of them says (rule 32): limit of one question, and pause before the next. */
export const INQUIRY = { timeoutMs: 500, againMs: 250 };
/** The same alarm is told again after this long. */
export const ALARM_AGAIN_MS = 10_000;
