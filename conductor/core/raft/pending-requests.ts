/**
 * Requests to peers that have no answer yet, with what each was for: an answer finds its request by id, once. Every
 * request has a timeout at the host, which then reports a failure, so none stays here.
 */

/** What members are asked for (rule 32). */
export type Inquiry = 'term' | 'members';

/** What a pending request was for; found again by its id when the answer comes. */
export type RequestContext =
  | {
      readonly kind: 'append';
      readonly peerId: string;
      readonly epoch: number;
      readonly prevIndex: number;
      readonly lastIndex: number;
      readonly bytes: number;
      readonly read: number;
      readonly offeredStatus: boolean;
      /** Round of questions its peer status belongs to. */
      readonly ask: number;
      /** Commit index it carried. */
      readonly leaderCommit: number;
      /** The peer had accepted the latest configuration, and on that connection: it knows whom it had to ask, and holds nothing back. */
      readonly isInStep: boolean;
    }
  | {
      readonly kind: 'heartbeat';
      readonly peerId: string;
      readonly read: number;
      readonly epoch: number;
      /** Within what time it announced the next; null for one of Go's kind. */
      readonly intervalMs: number | null;
    }
  | { readonly kind: 'snapshot'; readonly peerId: string; readonly epoch: number; readonly index: number }
  | { readonly kind: 'ballot'; readonly peerId: string; readonly round: number }
  | { readonly kind: 'probeLeader'; readonly peerId: string }
  | { readonly kind: 'askTerm'; readonly peerId: string }
  | { readonly kind: 'newAddress'; readonly peerId: string; readonly requestId: number }
  | { readonly kind: 'inquiry'; readonly peerId: string; readonly about: Inquiry }
  /** A follower's word of its own status (tell-status.ts). */
  | { readonly kind: 'told'; readonly peerId: string }
  /** What its client says of a block (ask-verdicts.ts). */
  | { readonly kind: 'validate'; readonly peerId: string; readonly questionId: number }
  /** `transfer`: request id of the hand-over it belongs to, null for a leader that leaves. */
  | { readonly kind: 'timeoutNow'; readonly peerId: string; readonly transfer: number | null };

/** `sentMs`: monotonic. */
export interface PendingRequest {
  readonly context: RequestContext;
  readonly term: number;
  readonly sentMs: number;
}

export class PendingRequests {
  readonly #byId = new Map<number, PendingRequest>();
  #nextId = 1;

  /** Returns the id its answer comes under. */
  add(request: PendingRequest): number {
    const requestId = this.#nextId++;
    this.#byId.set(requestId, request);
    return requestId;
  }

  /** The request an answer belongs to, once. */
  take(requestId: number): PendingRequest | undefined {
    const found = this.#byId.get(requestId);
    this.#byId.delete(requestId);
    return found;
  }

  /** Answers to what was sent to a peer's former self do not count for the new one. */
  dropReplication(peerId: string): void {
    for (const [requestId, { context }] of this.#byId) {
      const isReplication = context.kind === 'append' || context.kind === 'heartbeat' || context.kind === 'snapshot';
      if (isReplication && context.peerId === peerId) this.#byId.delete(requestId);
    }
  }
}
