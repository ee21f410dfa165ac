/**
 * The boundary of the whole conductor, around that of the raft core (raft/events): more kinds of
 * events go in, and a Ready says what else to do. The Bun host and the simulator carry it out.
 */
import type { CallResult, NodeRequest } from './node/calls.ts';
import type { RaftEvent, Ready } from './raft/events.ts';
import type { Outcome } from './rpc/message.ts';
import type { ParamValue } from './rpc/params.ts';

/** What happens to a conductor beyond raft. */
export type OwnEvent =
  /** A request of `calls` has ended. */
  | { readonly kind: 'callResult'; readonly callId: number; readonly result: CallResult }
  /** An RPC call; the answer comes in `answers` under the same id, which the host chooses. */
  | {
      readonly kind: 'rpc';
      readonly answerId: number;
      /** Of the method table (rpc/methods.ts). */
      readonly method: string;
      readonly values: readonly ParamValue[];
      /** The address that asks, for the audit log; '' when not known. */
      readonly from: string;
      /** The name the caller has proved, for the audit log; absent or '' when none was asked for. */
      readonly as?: string;
    }
  /** First start of a new cluster (rule 24): this server alone, then paused. */
  | { readonly kind: 'bootstrap' }
  /** SIGTERM, SIGINT: hand over, stop the sequencer, then `exit` (rule 21). */
  | { readonly kind: 'drain'; readonly reason: string };

export type ConductorEvent = OwnEvent | RaftEvent;

/** A request to start, with the id its result comes back under. */
export interface StartedCall extends NodeRequest {
  readonly callId: number;
}

export interface Answer {
  readonly answerId: number;
  readonly outcome: Outcome;
}

/** As raft's Ready; `calls`, `answers` and `exit` belong to its step 4. */
export interface ConductorReady extends Ready {
  readonly calls: readonly StartedCall[];
  readonly answers: readonly Answer[];
  /** The conductor is done: deliver the answers, then end the process with this code. */
  readonly exit: { readonly code: number; readonly message: string } | null;
}
