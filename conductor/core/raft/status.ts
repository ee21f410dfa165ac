/**
 * A server's state as observers see it: RPC answers, metrics, the terminal table. Plain values, made on request.
 */
import type { ReceivedStatus } from './progress.ts';
import type { Role } from './events.ts';
import { leaseEndsAtMs, sureUntilMs } from './lease.ts';
import type { RaftState } from './state.ts';
import { isTellingEnd } from './tell-status.ts';
import type { IndexedConfiguration } from './types.ts';

export interface PeerReport {
  readonly id: string;
  readonly match: number;
  /** Milliseconds since the latest request it answered was sent. */
  readonly contactAgeMs: number;
  readonly mode: string;
  /** Its last heartbeat was refused or lost, as where its process has gone. */
  readonly hasFailedHeartbeats: boolean;
  /** Known to be this implementation, by an answer of its own or by what earlier leaders told. */
  readonly isNative: boolean;
  /** Known to be another implementation: it answered an append that offered peer status, and had none. */
  readonly isForeign: boolean;
  /** null when it has sent none, or they are older than a heartbeat timeout (rule 16). */
  readonly peerStatus: ReceivedStatus['peerStatus'] | null;
  /** The last that it sent, however old, for people; null for none. */
  readonly lastSaid: Said | null;
}

/** What a server last said of itself, and how long ago, milliseconds. */
export interface Said {
  readonly peerStatus: ReceivedStatus['peerStatus'];
  readonly ageMs: number;
}

export interface RaftStatus {
  readonly id: string;
  readonly role: Role;
  readonly term: number;
  readonly leaderId: string | null;
  readonly leaderAddress: string | null;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  readonly firstIndex: number;
  readonly lastIndex: number;
  /** 0 without a snapshot. */
  readonly snapshotIndex: number;
  readonly configuration: IndexedConfiguration;
  /** Index up to which the configuration is known committed covers it. */
  readonly isConfigurationCommitted: boolean;
  /** As leader: an entry of this term is committed and no transfer is under way. */
  readonly isReady: boolean;
  readonly isTransferring: boolean;
  /** It ends and follows a leader of this software that has not been told yet. */
  readonly isTellingEnd: boolean;
  readonly isRecovering: boolean;
  readonly hasFailed: boolean;
  /** Monotonic ms until which a leader may count on leading; Infinity for the only voter, -Infinity for others than leaders and while in doubt (rule 34). */
  readonly leaseEndsAtMs: number;
  /**
   * As leader: nobody else can have been elected by a timeout yet, as far as a quorum's answers show, and they were asked
   * after this server's last stall and after time last passed unseen. What is permitted on leadership alone needs it (rule 34).
   */
  readonly isSure: boolean;
  /** Milliseconds since the leader was last heard; 0 for the leader itself. */
  readonly leaderContactAgeMs: number;
  /** Empty unless leading. */
  readonly peers: readonly PeerReport[];
  /** What the leader last said of itself to this follower, however old, for people. */
  readonly leaderSaid: Said | null;
}

/** What most questions are about, without what takes work to gather. */
export type RaftPosition = Pick<
  RaftStatus,
  | 'role'
  | 'isSure'
  | 'leaseEndsAtMs'
  | 'term'
  | 'leaderId'
  | 'commitIndex'
  | 'snapshotIndex'
  | 'configuration'
  | 'isRecovering'
  | 'hasFailed'
>;

export function raftPosition(s: RaftState): RaftPosition {
  return new Position(s);
}

/** Gathered with every event, several times. */
class Position implements RaftPosition {
  readonly role: RaftStatus['role'];
  readonly term: number;
  readonly leaderId: string | null;
  readonly commitIndex: number;
  readonly snapshotIndex: number;
  readonly configuration: IndexedConfiguration;
  readonly isRecovering: boolean;
  readonly hasFailed: boolean;
  readonly #state: RaftState;

  constructor(s: RaftState) {
    this.role = s.role;
    this.term = s.term;
    this.leaderId = s.leader?.id ?? null;
    this.commitIndex = s.commitIndex;
    this.snapshotIndex = s.log.snapshot?.index ?? 0;
    this.configuration = s.membership.latest;
    this.isRecovering = s.hard.recovering;
    this.hasFailed = s.hasFailed;
    this.#state = s;
  }

  // Worked out for those who ask.
  get isSure(): boolean {
    return this.#state.nowMs <= sureUntilMs(this.#state);
  }

  get leaseEndsAtMs(): number {
    return leaseEndsAtMs(this.#state);
  }
}

export function raftStatus(s: RaftState): RaftStatus {
  const led = s.leadership;
  const fresh = (received: ReceivedStatus | null): ReceivedStatus['peerStatus'] | null =>
    received && s.nowMs - received.atMs <= s.options.heartbeatTimeoutMs ? received.peerStatus : null;
  const said = (received: ReceivedStatus | null): Said | null =>
    received && { peerStatus: received.peerStatus, ageMs: s.nowMs - received.atMs };
  const peers = [...(led?.peers.values() ?? [])].map((peer) => ({
    id: peer.id,
    match: peer.match,
    contactAgeMs: s.nowMs - peer.contactMs,
    mode: peer.mode,
    hasFailedHeartbeats: peer.heartbeatFailures > 0,
    // Who has not answered an offer in this leadership is what it was under others: the dead cannot be asked.
    isNative: peer.isNative || (!(peer.statusOffered && peer.hasAnswered) && s.ownIds.has(peer.id)),
    isForeign: peer.isForeign,
    peerStatus: fresh(peer.peerStatus),
    lastSaid: said(peer.peerStatus),
  }));
  return {
    id: s.options.id,
    role: s.role,
    isSure: s.nowMs <= sureUntilMs(s),
    term: s.term,
    leaderId: s.leader?.id ?? null,
    leaderAddress: s.leader?.address ?? null,
    commitIndex: s.commitIndex,
    appliedIndex: s.appliedIndex,
    firstIndex: s.log.firstIndex,
    lastIndex: s.log.lastIndex,
    snapshotIndex: s.log.snapshot?.index ?? 0,
    configuration: s.membership.latest,
    isConfigurationCommitted: s.membership.latest.index <= s.commitIndex,
    isReady: led !== null && s.commitIndex >= led.firstIndex && led.transfer === null,
    isTransferring: led !== null && led.transfer !== null,
    isTellingEnd: isTellingEnd(s),
    isRecovering: s.hard.recovering,
    hasFailed: s.hasFailed,
    leaseEndsAtMs: leaseEndsAtMs(s),
    leaderContactAgeMs: led ? 0 : s.nowMs - s.contactMs,
    peers,
    leaderSaid: said(s.leaderStatus),
  };
}
