/**
 * What a server keeps while something lasts: a campaign, a leader that may be dead, a connection, the questions of a
 * recovering server. All of it is volatile; times are monotonic milliseconds.
 */
import type { RpcResponse } from './types.ts';

/** A round of pre-votes or votes this server asked for. */
export interface Campaign {
  /** Counts rounds of this life; requests carry it, so that a late answer counts for nothing. */
  readonly id: number;
  readonly kind: 'prevote' | 'vote';
  /** The term asked for: the next one in pre-votes, its own in votes. */
  readonly term: number;
  /** The leader told this server to take over: voters grant it though they hear that leader. */
  readonly isTransfer: boolean;
  /** After a death that was seen (rule 13). */
  readonly isFast: boolean;
  /** When it began to ask. */
  readonly sinceMs: number;
  /** Ids of those that granted it, itself from the beginning; they are counted when its own vote is durable. */
  readonly granted: Set<string>;
  /** Ids of those that have answered, either way. */
  readonly answered: Set<string>;
}

/** Signs that the leader's process is gone (rule 13). */
export interface SuspectedFailure {
  /** Whose connections are all closed. */
  readonly leaderId: string;
  /** The leader's term; moves on when this server's own vote round for the succession is lost. */
  term: number;
  /** A redial was refused or reset, or the peer granted a pre-vote. */
  isConfirmed: boolean;
  /** The redial has no answer yet. */
  isProbing: boolean;
  /** The question is asked again: the connection that the first one went out on may have been dead for long. */
  isAskedAgain: boolean;
  /** Fast campaigns against this leader in this term so far, those of earlier suspected failures too. */
  attempts: number;
  /** This voter's turn; Infinity before the redial is answered, and while a campaign is open. */
  campaignAtMs: number;
}

/** An inbound connection that carried a request. */
export interface InboundConnection {
  /** Term in which the peer at its other end led, 0 if it never did. */
  leaderTerm: number;
  /** This server has answered an append request of that term on it. */
  hasAnswered: boolean;
  /** The last answer accepted: the leader is past finding where the logs agree, and sends all that it has. */
  hasAgreed: boolean;
  /** Its leader sent peer status on it: it is this implementation, which lowers what it counts as held when a follower lost it. */
  isNative: boolean;
  /** Last index of the leader's log as of the first empty append accepted on it, 0 before: nothing beyond was acknowledged to it before. */
  coveredTo: number;
}

/** A recovering server's questions (rule 9) and the replies held back meanwhile. */
export interface Recovery {
  /** Voters by id: asked for their term, and whether that is settled. */
  readonly asked: Map<string, 'asking' | 'settled'>;
  /** Silent voters are passed over then. */
  deadlineMs: number;
  /** When those that have not answered are asked again. */
  retryAtMs: number;
  /** Silent voters were waited for once; from then on nobody is. */
  isTimedOut: boolean;
  /** Acknowledgements in the order they fell due; sent when all questions are settled, if the term is still theirs. */
  held: {
    readonly inboundId: number;
    readonly connectionId: number;
    readonly response: RpcResponse;
    readonly term: number;
  }[];
}

/** What a follower knows of the heartbeats of the leader of `term`; nothing of it outlives that term but how late they came. */
export interface HeardTiming {
  readonly term: number;
  readonly leaderId: string | null;
  /** When the first of them came, and when the next was announced for; Infinity for none. */
  readonly sinceMs: number;
  nextMs: number;
  /** Until then this server neither campaigns nor votes by its own timers, whatever it learns meanwhile. */
  promisedUntilMs: number;
  timeoutMs: number;
  /** What the leader has told of its log to be durable: while it has sent more it may be writing, and silent. */
  durableIndex: number;
}
