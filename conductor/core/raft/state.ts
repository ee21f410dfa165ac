/**
 * The state of one raft server (thesis figure 3.1) and its outbox. The modules beside this file are
 * functions over it; none keeps state of its own, so that a server's whole state is in one place. What it keeps only
 * while something lasts is typed in leadership.ts and episodes.ts.
 */
import type { Channel, Random, StateMachine, WallClock } from '../ports.ts';
import { blankPeerStatus, type PeerStatus } from '../wire/peer-status.ts';
import type { Campaign, HeardTiming, InboundConnection, Recovery, SuspectedFailure } from './episodes.ts';
import { Lateness } from './lateness.ts';
import type { Leadership } from './leadership.ts';
import type { RaftLog } from './log.ts';
import type { Membership } from './membership.ts';
import { Outbox } from './outbox.ts';
import { PendingRequests, type PendingRequest, type RequestContext } from './pending-requests.ts';
import type { ReceivedStatus } from './progress.ts';
import type { RaftOptions, RefusalReason, Role } from './events.ts';
import type { Candidate, HardState, Header, RequestPreVoteRequest, RpcRequest, RpcResponse, Server } from './types.ts';

const PROTOCOL_VERSION = 3;

export interface RaftPorts {
  readonly machine: StateMachine;
  readonly random: Random;
  readonly wallClock: WallClock;
}

/**
 * What a server knows. Of each field: what it is, in which unit and range, where it comes from, and whether it outlives
 * the process. Durable are `hard` and what `log` and `membership` are loaded from; everything else is volatile, and begins
 * as written here. Times are monotonic milliseconds of the host's clock unless they say otherwise; Infinity is never.
 */
export class RaftState {
  // ---------------------------------------------------------------- given once
  /** Fixed settings; checked at load (load.ts). */
  readonly options: RaftOptions;
  /** The state machine, chance and the wall clock: the host's. */
  readonly ports: RaftPorts;

  // ---------------------------------------------------------------- durable
  /** Entries, 1-based, and the snapshot that stands for those before them. Durable up to `log.persistedIndex`. */
  readonly log: RaftLog;
  /** The configurations of snapshot and log, committed or not; the latest is in force as soon as it is appended (§4.1). Durable with the log. */
  readonly membership: Membership;
  /** Term, vote and whether this server is recovering (rule 9): durable before anything that depends on it leaves. See `setHard`. */
  #hard: HardState;
  /** Whether `hard` has changed since the last write: that write carries it, and lets nothing out before (rule 15). */
  hardChanged: boolean;

  // ---------------------------------------------------------------- time
  /** Time of the event that is being handled, from the host; never falls. */
  nowMs: number;
  /** When the last event was handled, or a write ended: a longer gap than the lease is a stall (rule 15). */
  lastTurnMs: number;
  /**
   * How late this server last came back to its events (ms, ≥ 0), and until when (-Infinity: no longer) what came meanwhile
   * may still be unread: until then silence is not held against the others (lease.ts).
   */
  unread = { forMs: 0, untilMs: -Infinity };
  /** Wall clock less monotonic clock at the last event, milliseconds: its rise is time that passed unseen (clock-jump.ts). */
  clockOffsetMs: number;
  /** When a leader judges contact that it could not judge while answers lay unread. */
  judgeAtMs = Infinity;

  // ---------------------------------------------------------------- role
  /** A new process follows, whatever it was before. */
  role: Role = 'follower';
  /** The leader of `term` by its own word in this term, id and address as it names them; null while none was heard. Itself, while it leads. */
  leader: Candidate | null = null;
  /** What it keeps while it leads; null exactly while `role` is another. */
  leadership: Leadership | null = null;
  /** The round of pre-votes or votes that it asked for; null while it asks for none. */
  round: Campaign | null = null;

  // ---------------------------------------------------------------- commit
  /** Highest index known to be committed; never falls, ≥ the snapshot's, ≤ `log.lastIndex`. From the leader's word, or from a quorum's matches (commit.ts). Begins at the snapshot. */
  commitIndex: number;
  /** Highest index handed to the state machine; ≤ `commitIndex`, and behind it only within a call. Begins at the snapshot. */
  appliedIndex: number;

  // ---------------------------------------------------------------- elections
  /** Last sign of life of a leader, or a vote granted; begins at the start, so that a new process waits its whole timeout. */
  contactMs: number;
  /** When it asks for votes if nothing is heard before; a random time after `contactMs` (rule 12). A leader has none. */
  electionAtMs = Infinity;
  /** What the leader's heartbeats say of their own timing; of the latest leader that said any, null before the first (rule 34). */
  timing: HeardTiming | null = null;
  /** How late announced heartbeats have come to this server, whoever led (lateness.ts). */
  readonly lateness = new Lateness();
  /** Campaigns in a row that ended without a leader, 0 or more; each doubles the random part of the next timeout (rule 12). */
  failedElections = 0;
  /** Signs that the leader's process is gone (rule 13); null while there are none. */
  suspectedFailure: SuspectedFailure | null = null;
  /** Pre-votes that came while this server was finding out whether its leader lives, in order; at most 64, all answered when it knows. */
  heldPreVotes: { readonly inboundId: number; readonly request: RequestPreVoteRequest }[] = [];
  /** Fast campaigns spent on a leader in a term; at most three, then the timers rule again (rule 13). */
  fastSpent = { leaderId: '', term: 0, attempts: 0 };
  /** Has put its own candidacy off since it last heard a leader: at most once (rule 17). */
  hasYielded = false;

  // ---------------------------------------------------------------- recovery and strangers
  /** Questions of a recovering voter before it acknowledges anything (rule 9); null while it asks none. */
  recovery: Recovery | null = null;
  /** It has been logged, once per life, that a recovering server waits for a leader. */
  hasSaidThatItWaits = false;
  /**
   * Questions to the members of what they know that this server does not (rule 32): when the next of each kind may go
   * out, and the ids that members counted as members, with whether as voters: heard until this server's own membership changes. And
   * which member last said that it is in a later term.
   */
  readonly inquiry = {
    nextAtMs: { term: -Infinity, members: -Infinity },
    introduced: new Map<string, boolean>(),
    confirmed: null as { readonly id: string; readonly term: number } | null,
    /** A nonvoter was asked for a vote that it refused for its newer log, and no leader is known since (record 0144). */
    mayBeVoter: false,
  };
  /** When each alarm was last raised, by kind and whom it is about (alarms.ts): repeated every ten seconds at most. */
  readonly alarmedAtMs = new Map<string, number>();

  // ---------------------------------------------------------------- peers and their status
  /** Connections that carried a request, by the transport's id, until it says that they are closed. */
  readonly inbound = new Map<number, InboundConnection>();
  /** Ids known to run this implementation: from the peer status of the leader, or of each peer while this server leads (rule 16). Without itself. */
  ownIds = new Set<string>();
  /** Its own peer status, as the host last gave it; `own` is filled in when it is sent. */
  localStatus: PeerStatus;
  /** Its health or pause has changed, and the next Ready tells the peers. */
  mustTell = false;
  /** The present leader has been told that this server ends. */
  leaderKnowsEnd = false;
  /** Peer status of the present leader, as followers receive it, and when; null while none came from it. */
  leaderStatus: ReceivedStatus | null = null;

  // ---------------------------------------------------------------- snapshots and the store
  /** When it is next looked whether a snapshot is due: at random, once or twice the interval after the last look. */
  snapshotCheckAtMs = Infinity;
  /** Highest index whose entry the store cannot read any more, 0 for none: to be covered by a snapshot as soon as it is applied. */
  damagedThrough = 0;
  /** Entries up to here, behind a snapshot, go to servers of this implementation alone: others would misread one (rule 6). */
  nativeThrough = 0;
  /** A write has failed: nothing is answered, written or committed any more, and the process is about to end (rule 15). */
  hasFailed = false;

  // ---------------------------------------------------------------- what leaves
  /** What has gathered for the next Ready. */
  readonly outbox = new Outbox();
  /** Requests to peers without an answer; each ends by an answer or by the host's word that it failed. */
  readonly #pending = new PendingRequests();
  /** Of the next campaign; answers to an earlier one are told apart by it. */
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
    this.clockOffsetMs = init.ports.wallClock.aheadMs();
    this.contactMs = init.nowMs;
    this.commitIndex = init.log.snapshot?.index ?? 0;
    this.appliedIndex = this.commitIndex;
    this.localStatus = blankPeerStatus(init.version);
  }

  /** As it will be written; to be changed by `setHard` alone. */
  get hard(): HardState {
    return this.#hard;
  }

  /** The latest term this server has seen; never falls. */
  get term(): number {
    return this.#hard.term;
  }

  /** Every change goes into the next write, before anything that depends on it leaves this server. */
  setHard(change: Partial<HardState>): void {
    this.#hard = { ...this.#hard, ...change };
    this.hardChanged = true;
  }

  /** Names this server in every message. */
  get header(): Header {
    return { protocolVersion: PROTOCOL_VERSION, id: this.options.id, address: this.options.address };
  }

  /** By the latest configuration, committed or not. */
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
    needsOpen = false,
  ): void {
    const requestId = this.#pending.add({ context, term: this.term, sentMs: this.nowMs });
    const message = { requestId, peerId: peer.id, address: peer.address, channel, request, timeoutMs, needsOpen };
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
