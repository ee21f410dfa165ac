/**
 * Leaves in good order (rule 21): wait for the commit in flight, hand leadership to a caught-up
 * healthy peer, and stop the sequencer whether that worked or not. All of it is bounded.
 */
import { wait, type Steps } from '../node/effects.ts';
import { stop } from './stop.ts';
import { contactAgeMaxMs, type TransferTarget } from './target.ts';

/** Longest wait for the sequencer to stop. */
const drainStopTimeoutMs = 1000;
const pollMs = 5;
const overriddenHere = 'it is overridden here';

export interface DrainHost {
  nowMs(): number;
  /** Longest wait for commits in flight: one block time. */
  readonly commitWaitMs: number;
  /** Longest wait until the leader has been told of the end: its lease, after which it counts nobody who is silent. */
  readonly tellWaitMs: number;
  commitsInFlight(): number;
  isLeader(): boolean;
  /** A start or stop of before has no answer yet: what comes of it is not known. */
  hasOrderInFlight(): boolean;
  /** The sequencer runs, or it is not known. */
  mayBeActive(): boolean;
  transferTarget(): TransferTarget;
  /** Leadership stays here whoever answers: it is an operator's. */
  isOverridden(): boolean;
  /** The leader is being told that this server ends. */
  isTellingEnd(): boolean;
  /** Whether the others that have answered what was sent in the last `ageMaxMs` are a majority without this server. */
  isMajorityWithoutUs(ageMaxMs: number): boolean;
}

/** What was left undone, as sentences; empty when everything worked. */
export function* drain(host: DrainHost): Steps<readonly string[]> {
  const problems: string[] = [];
  const sinceMs = host.nowMs();
  const untilMs = sinceMs + host.commitWaitMs;
  while (host.commitsInFlight() > 0 && host.nowMs() < untilMs) yield* wait(pollMs);
  if (host.commitsInFlight() > 0) problems.push('a commit in flight was not finished: its outcome is unknown');
  if (host.isLeader()) {
    const why = yield* handOver(host, sinceMs);
    if (why !== null) problems.push(`leadership was not handed over: ${why}`);
  }
  const heardByMs = host.nowMs() + drainStopTimeoutMs;
  while (host.hasOrderInFlight() && host.nowMs() < heardByMs) yield* wait(pollMs);
  if (host.mayBeActive()) {
    const stopped = yield* stop(drainStopTimeoutMs);
    if (stopped.kind === 'retry') problems.push(`the sequencer was not stopped: ${stopped.message}`);
  }
  const toldByMs = host.nowMs() + host.tellWaitMs;
  while (host.isTellingEnd() && host.nowMs() < toldByMs) yield* wait(pollMs);
  return problems;
}

/** Why it did not work; null when it did. */
function* handOver(host: DrainHost, sinceMs: number): Steps<string | null> {
  if (host.isOverridden()) return overriddenHere;
  if (!(yield* majorityAnswers(host, sinceMs)))
    return host.isLeader() ? 'the others that answer are no majority without this one' : null;
  let { target, exclude } = host.transferTarget();
  if (target === null && exclude.length > 0) {
    // Whom it would pass over may stand better by now than it last said.
    yield { kind: 'ask' };
    ({ target, exclude } = host.transferTarget());
  }
  if (host.isOverridden()) return overriddenHere;
  const answer = yield { kind: 'transfer', target, exclude };
  if (answer.kind !== 'transfer') return 'cancelled';
  return answer.isDone ? null : answer.message;
}

/** Whoever answered a moment ago may have ended since, as where all are told to end: only new answers count. */
function* majorityAnswers(host: DrainHost, sinceMs: number): Steps<boolean> {
  while (host.isMajorityWithoutUs(contactAgeMaxMs)) {
    if (host.isMajorityWithoutUs(host.nowMs() - sinceMs)) return true;
    yield* wait(pollMs);
  }
  return false;
}
