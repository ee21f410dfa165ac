/** Waiting for a look at the own node (evidence/observer.ts). */
import { wait, type Steps } from '../node/effects.ts';

export interface Looks {
  nowMs(): number;
  /** Has the own node looked at, and tells when the last look that has ended began, monotonic milliseconds. */
  lookNow(): void;
  lookedAtMs(): number;
}

/** Has the own node looked at, and waits until a look that began since has ended, but not beyond `untilMs`. */
export function* awaitLook(host: Looks, untilMs: number, pollMs: number): Steps<void> {
  const sinceMs = host.nowMs();
  host.lookNow();
  while (host.lookedAtMs() < sinceMs && host.nowMs() < untilMs) yield* wait(pollMs);
}
