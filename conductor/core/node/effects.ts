/**
 * What the procedures of the control loop ask for, and what they get back. A procedure is a
 * generator: it yields one effect, the host carries it out, and the result comes back from
 * `yield`. No promises and no timers, so the simulator drives the same code.
 */
import type { NodeRequest, CallResult } from './calls.ts';

/** Something to be done outside, after which the procedure goes on. */
export type Effect =
  /** Requests sent together; goes on when all are answered. */
  | { readonly kind: 'calls'; readonly requests: readonly NodeRequest[] }
  /** A linearizable read: leadership confirmed by a quorum in this term (rule 14). */
  | { readonly kind: 'read' }
  /** Hand leadership over; null lets the log choose among those not excluded. */
  | { readonly kind: 'transfer'; readonly target: string | null; readonly exclude: readonly string[] }
  /** Ask all peers how they stand, and wait until they have told or are silent for too long. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'wait'; readonly ms: number };

/** What an effect came to; the kind matches the effect's. */
export type EffectResult =
  | { readonly kind: 'calls'; readonly results: readonly CallResult[] }
  | { readonly kind: 'read'; readonly isConfirmed: boolean; readonly message: string }
  | {
      readonly kind: 'transfer';
      readonly isDone: boolean;
      readonly message: string;
      /** Who took it, or did not. */
      readonly server?: string | undefined;
    }
  | { readonly kind: 'ask' }
  | { readonly kind: 'wait' };

/** A piece of work of the control loop that ends with an Outcome. */
export type Steps<Outcome> = Generator<Effect, Outcome, EffectResult>;

/** The result of a request that was given up. */
export const cancelled: CallResult = { kind: 'failed', reason: 'cancelled', message: 'the request was cancelled' };

/** Sends one request and returns its result. */
export function* call(request: NodeRequest): Steps<CallResult> {
  const answer = yield { kind: 'calls', requests: [request] };
  const result = answer.kind === 'calls' ? answer.results[0] : undefined;
  return result ?? cancelled;
}

/** Lets time pass. */
export function* wait(ms: number): Steps<void> {
  yield { kind: 'wait', ms };
}
