/**
 * The state of an op-conductor's raft server, and how it speaks: hashicorp/raft v1.7.3 as its peers see it, in the default
 * settings of op-conductor. Its parts are the other go-*.ts files.
 */
import type { Random, Channel, LogStore, OutboundRequest } from '#conductor/core/ports';
import type { RaftOptions, Role } from '#conductor/core/raft/events';
import { votersOf, quorumSize } from '#conductor/core/raft/quorum';
import {
  EntryType,
  type Header,
  type IndexedConfiguration,
  type RpcRequest,
  type RpcResponse,
} from '#conductor/core/raft/types';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import type { Campaign, Leading, Peer } from './go-leading.ts';
import { GoLog } from './go-log.ts';
import { PayloadState } from './payload-state.ts';

const PROTOCOL_VERSION = 3;

type Answered = (response: RpcResponse | null) => void;

export class GoState {
  readonly options: RaftOptions;
  readonly log: GoLog;
  readonly payloads = new PayloadState();
  nowMs: number;
  role: Role = 'follower';
  /** Whom it takes for the leader; forgotten with every change of role, and when its heartbeats fail to come. */
  leader: { readonly id: string; readonly address: string } | null = null;
  commitIndex: number;
  appliedIndex: number;
  latest: IndexedConfiguration;
  committed: IndexedConfiguration;
  lastContactMs: number;
  /** A follower's heartbeat timer, a candidate's election timer. */
  timerAtMs: number;
  snapshotAtMs: number;
  /** It campaigns because a leader has told it to: without a pre-vote. */
  isTransferTarget = false;
  campaign: Campaign | null = null;
  leading: Leading | null = null;
  hasFailed = false;
  readonly send: OutboundRequest[] = [];
  readonly replies: { readonly inboundId: number; readonly response: RpcResponse }[] = [];
  readonly #random: Random;
  readonly #waiting = new Map<number, Answered>();
  #nextRequestId = 1;

  constructor(options: RaftOptions, store: LogStore, random: Random, nowMs: number) {
    this.options = options;
    this.#random = random;
    this.log = new GoLog(store);
    this.nowMs = nowMs;
    this.lastContactMs = nowMs;
    const { snapshot, snapshotIndex } = this.log;
    if (snapshot !== null) this.payloads.restore(snapshot.data);
    this.commitIndex = snapshotIndex;
    this.appliedIndex = snapshotIndex;
    this.committed = snapshot?.meta.configuration ?? { index: 0, configuration: { servers: [] } };
    this.latest = this.lastConfiguration();
    this.timerAtMs = nowMs + this.randomTimeout(options.heartbeatTimeoutMs);
    this.snapshotAtMs = nowMs + this.randomTimeout(options.snapshotIntervalMs);
  }

  get term(): number {
    return this.log.term;
  }

  get header(): Header {
    return { protocolVersion: PROTOCOL_VERSION, id: this.options.id, address: this.options.address };
  }

  /** Go's randomTimeout: from this to twice this. */
  randomTimeout(ms: number): number {
    return ms * (1 + this.#random.next());
  }

  /** Whether a server votes, by the latest configuration. */
  isVoter(id: string): boolean {
    return votersOf(this.latest.configuration).includes(id);
  }

  get quorum(): number {
    return quorumSize(votersOf(this.latest.configuration).length);
  }

  /** The last configuration of the log, or the snapshot's. */
  lastConfiguration(): IndexedConfiguration {
    for (let index = this.log.lastIndex; index >= this.log.firstIndex; index--) {
      const entry = this.log.entryAt(index);
      if (entry?.type === EntryType.configuration)
        return { index, configuration: decodeConfiguration(entry.data ?? new Uint8Array()) };
    }
    return this.committed;
  }

  /** `answered` is called once, with null where the request failed. */
  ask(peer: Peer, channel: Channel, request: RpcRequest, timeoutMs: number, answered: Answered): void {
    const requestId = this.#nextRequestId++;
    this.#waiting.set(requestId, answered);
    this.send.push({ requestId, peerId: peer.id, address: peer.address, channel, request, timeoutMs });
  }

  answered(requestId: number, response: RpcResponse | null): void {
    const answered = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    answered?.(response);
  }

  reply(inboundId: number, response: RpcResponse): void {
    this.replies.push({ inboundId, response });
  }
}
