/**
 * The state of one raft server (thesis figure 3.1) and its outbox. The modules beside this file are
 * functions over it; none keeps state of its own, so that a server's whole state is in one place.
 */
import type { Channel, Random, StateMachine, WallClock } from '../ports.ts';
import type { Hints } from '../wire/hints.ts';
import type { Leadership } from './leadership.ts';
import type { RaftLog } from './log.ts';
import type { Membership } from './membership.ts';
import { Outbox } from './outbox.ts';
import { PendingRequests, type PendingRequest, type RequestContext } from './pending-requests.ts';
import type { ReceivedHints } from './progress.ts';
import type { RaftOptions, RefusalReason, Role } from './events.ts';
import type { Candidate, HardState, Header, RequestPreVoteRequest, RpcRequest, RpcResponse, Server } from './types.ts';

const PROTOCOL_VERSION = 3;

/** A round of pre-votes or votes this server asked for. */
export interface Campaign {
  readonly id: number;
  readonly kind: 'prevote' | 'vote';
  readonly term: number;
  readonly isTransfer: boolean;
  readonly isFast: boolean;
  readonly granted: Set<string>;
  readonly answered: Set<string>;
}

/** Signs that the leader's process is gone (rule 13). */
export interface SuspectedFailure {
  readonly leaderId: string;
  /** The leader's term; moves on when this server's own vote round for the succession is lost. */
  term: number;
  /** A redial was refused or reset, or the peer granted a pre-vote. */
  isConfirmed: boolean;
  isProbing: boolean;
  /** The question is asked again: the connection that the first one went out on may have been dead for long. */
  isAskedAgain: boolean;
  attempts: number;
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
  /** Its leader sent hints on it: it is this implementation, which lowers what it counts as held when a follower lost it. */
  isNative: boolean;
  /** Last index of the leader's log as of the first empty append accepted on it, 0 before: nothing beyond was acknowledged to it before. */
  coveredTo: number;
}

/** A recovering server's questions (rule 9) and the replies held back meanwhile. */
export interface Recovery {
  readonly asked: Map<string, 'asking' | 'settled'>;
  deadlineMs: number;
  retryAtMs: number;
  /** Silent voters were waited for once; from then on nobody is. */
  isTimedOut: boolean;
  held: {
    readonly inboundId: number;
    readonly connectionId: number;
    readonly response: RpcResponse;
    readonly term: number;
  }[];
}

export interface RaftPorts {
  readonly machine: StateMachine;
  readonly random: Random;
  readonly wallClock: WallClock;
}

export class RaftState {
  readonly options: RaftOptions;
  readonly ports: RaftPorts;
  readonly log: RaftLog;
  readonly membership: Membership;
  nowMs: number;
  /** When the last event was handled: a longer gap than the lease is a stall (rule 15). */
  lastTurnMs: number;
  /** How late this server last came back to its events, and until when what came meanwhile may still be unread. */
  unread = { forMs: 0, untilMs: -Infinity };
  /** Wall clock less monotonic clock at the last event. */
  clockOffsetMs: number;
  /** When contact is judged that could not be judged yet. */
  judgeAtMs = Infinity;
  #hard: HardState;
  hardChanged: boolean;
  role: Role = 'follower';
  leader: Candidate | null = null;
  commitIndex: number;
  appliedIndex: number;
  /** Last sign of life of a leader, or a vote granted. */
  contactMs: number;
  electionAtMs = Infinity;
  failedElections = 0;
  round: Campaign | null = null;
  suspectedFailure: SuspectedFailure | null = null;
  /** Pre-votes that came while this server was finding out whether its leader lives. */
  heldPreVotes: { readonly inboundId: number; readonly request: RequestPreVoteRequest }[] = [];
  /** Fast rounds spent on a leader and term. */
  fastSpent = { leaderId: '', term: 0, attempts: 0 };
  leadership: Leadership | null = null;
  recovery: Recovery | null = null;
  hasSaidThatItWaits = false;
  /** Questions to the members of what they know that this server does not (rule 32). */
  readonly inquiry = { nextAtMs: { term: -Infinity, members: -Infinity }, introduced: new Set<string>() };
  /** When each alarm was last told. */
  readonly alarmedAtMs = new Map<string, number>();
  readonly inbound = new Map<number, InboundConnection>();
  /** Ids known to be this implementation, from hints. */
  ownIds = new Set<string>();
  localHints: Hints;
  /** Its sequencer builds though its conductor is paused. */
  isBuilding = false;
  /** Its health or pause has changed, and nobody has been told yet. */
  mustTell = false;
  /** Has put its own candidacy off since it last heard a leader (rule 17). */
  hasYielded = false;
  /** Hints of the leader, as followers hear them. */
  leaderHints: ReceivedHints | null = null;
  snapshotCheckAtMs = Infinity;
  /** Highest index whose entry the store cannot read any more; 0 for none. */
  damagedThrough = 0;
  /** The store has failed: nothing is answered any more. */
  hasFailed = false;
  readonly outbox = new Outbox();
  readonly #pending = new PendingRequests();
  #nextRoundId = 1;

  constructor(init: {
    options: RaftOptions;
    ports: RaftPorts;
    log: RaftLog;
    membership: Membership;
    hard: HardState;
    isNew: boolean;
    nowMs: number;
    version: string;
  }) {
    this.options = init.options;
    this.ports = init.ports;
    this.log = init.log;
    this.membership = init.membership;
    this.#hard = init.hard;
    this.hardChanged = init.isNew;
    this.nowMs = init.nowMs;
    this.lastTurnMs = init.nowMs;
    this.clockOffsetMs = init.ports.wallClock.unixMs() - init.nowMs;
    this.contactMs = init.nowMs;
    this.commitIndex = init.log.snapshot?.index ?? 0;
    this.appliedIndex = this.commitIndex;
    this.localHints = {
      version: init.version,
      healthy: null,
      paused: false,
      unsafeNumber: null,
      unsafeHash: null,
      clientNumber: null,
      clientHash: null,
      safeNumber: null,
      l1Number: null,
      observations: [],
      own: [],
    };
  }

  get hard(): HardState {
    return this.#hard;
  }

  get term(): number {
    return this.#hard.term;
  }

  /** Every change goes into the next write, before anything that depends on it leaves this server. */
  setHard(change: Partial<HardState>): void {
    this.#hard = { ...this.#hard, ...change };
    this.hardChanged = true;
  }

  get header(): Header {
    return { protocolVersion: PROTOCOL_VERSION, id: this.options.id, address: this.options.address };
  }

  get isVoter(): boolean {
    return this.membership.isVoter(this.options.id);
  }

  /** Members other than this server. */
  get others(): Server[] {
    return this.membership.latest.configuration.servers.filter((server) => server.id !== this.options.id);
  }

  /** Uniform in [min, max). */
  randomBetween(min: number, max: number): number {
    return min + this.ports.random.next() * (max - min);
  }

  nextRoundId(): number {
    return this.#nextRoundId++;
  }

  /** Queues a request; entries of a leader may leave before the write (rule 15), all else after it. */
  send(
    peer: { id: string; address: string },
    channel: Channel,
    request: RpcRequest,
    context: RequestContext,
    timeoutMs = this.options.requestTimeoutMs,
  ): void {
    const requestId = this.#pending.add({ context, term: this.term, sentMs: this.nowMs });
    const message = { requestId, peerId: peer.id, address: peer.address, channel, request, timeoutMs };
    (context.kind === 'append' || context.kind === 'heartbeat' ? this.outbox.sendFirst : this.outbox.send).push(
      message,
    );
  }

  /** The request an answer belongs to, once. */
  takePending(requestId: number): PendingRequest | undefined {
    return this.#pending.take(requestId);
  }

  /** Answers to what was sent to a peer's former self do not count for the new one. */
  dropReplication(peerId: string): void {
    this.#pending.dropReplication(peerId);
  }

  reply(inboundId: number, response: RpcResponse): void {
    this.outbox.replies.push({ inboundId, response });
  }

  refuse(requestId: number, reason: RefusalReason, message: string): void {
    this.outbox.results.push({ kind: 'refused', requestId, reason, message });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.outbox.notices.push({ kind: 'warning', message, fields });
  }
}
