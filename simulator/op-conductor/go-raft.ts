/**
 * A server of hashicorp/raft v1.7.3 as an op-conductor has it, for its peers: events in, a Ready out, as the raft core's. Its
 * own words and code, after the wire reference. Simpler than Go's in what no peer can see, and in this: it does nothing while
 * it writes, heartbeats included, and a write that fails ends its process.
 */
import type { TransportEvent } from '#conductor/core/ports';
import type { Ready } from '#conductor/core/raft/events';
import type { RaftPosition, RaftStatus } from '#conductor/core/raft/status';
import { EntryType, Suffrage } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { ZERO_GO_TIME } from '#conductor/core/wire/go-time';
import { tickElection } from './go-election.ts';
import { answerOf } from './go-follower.ts';
import { leaderDeadlineMs, tickLeader } from './go-leader.ts';
import { snapshotIfDue } from './go-role.ts';
import { GoState } from './go-state.ts';

export class GoRaft {
  readonly state: GoState;

  constructor(...given: ConstructorParameters<typeof GoState>) {
    this.state = new GoState(...given);
  }

  handle(event: TransportEvent): void {
    const s = this.state;
    if (event.kind === 'request') {
      const response = answerOf(s, event.request) ?? { kind: 'error', message: 'unknown rpc type' };
      s.reply(event.inboundId, response);
    } else if (event.kind === 'response') s.answered(event.requestId, event.response);
    else if (event.kind === 'failed') s.answered(event.requestId, null);
  }

  /** Carries out what is due at `nowMs`, and what follows from what was handled. */
  tick(nowMs: number): void {
    const s = this.state;
    s.nowMs = nowMs;
    if (s.hasFailed) return;
    tickElection(s);
    tickLeader(s);
    snapshotIfDue(s);
  }

  /** The first configuration of a new cluster; false where there is one. */
  bootstrap(): boolean {
    const { log, options } = this.state;
    if (log.term > 0 || log.lastIndex > 0) return false;
    const { id, address } = options;
    const configuration = { servers: [{ id, address, suffrage: Suffrage.voter }] };
    const data = encodeConfiguration(configuration);
    log.setHard({ term: 1 });
    log.append([
      { index: 1, term: 1, type: EntryType.configuration, data, extensions: null, appendedAt: ZERO_GO_TIME },
    ]);
    this.state.latest = { index: 1, configuration };
    return true;
  }

  /** What raft wants of its host; `isEmpty` for nothing. */
  ready(): Pick<Ready, 'write' | 'send' | 'replies'> & { readonly isEmpty: boolean } {
    const { log, send, replies } = this.state;
    const write = log.takeBatch();
    const isEmpty = write === null && send.length === 0 && replies.length === 0;
    return { write, send: send.splice(0), replies: replies.splice(0), isEmpty };
  }

  persisted(nowMs: number): void {
    this.state.log.persisted();
    this.tick(nowMs);
  }

  nextDeadlineMs(): number {
    const { leading, timerAtMs, snapshotAtMs, hasFailed } = this.state;
    if (hasFailed) return Infinity;
    return Math.min(snapshotAtMs, leading === null ? timerAtMs : leaderDeadlineMs(leading));
  }

  position(): RaftPosition {
    const { role, term, leader, commitIndex, log, latest, hasFailed } = this.state;
    const { snapshotIndex } = log;
    const isSure = role === 'leader';
    return {
      role,
      isSure,
      leaseEndsAtMs: -Infinity,
      term,
      leaderId: leader?.id ?? null,
      commitIndex,
      snapshotIndex,
      configuration: latest,
      isRecovering: false,
      hasFailed,
    };
  }

  status(): RaftStatus {
    const s = this.state;
    const { options, leading, log, nowMs } = s;
    const peers = [...(leading?.replicas.values() ?? [])].map(({ peer: { id }, lastContactMs, heartbeatFailures }) => ({
      id,
      match: leading?.matches.get(id) ?? 0,
      contactAgeMs: nowMs - lastContactMs,
      mode: 'pipeline',
      hasFailedHeartbeats: heartbeatFailures > 0,
      isNative: false,
      isForeign: false,
      peerStatus: null,
      lastSaid: null,
    }));
    return {
      ...this.position(),
      id: options.id,
      leaderAddress: s.leader?.address ?? null,
      appliedIndex: s.appliedIndex,
      firstIndex: log.firstIndex,
      lastIndex: log.lastIndex,
      isConfigurationCommitted: s.latest.index <= s.commitIndex,
      isReady: leading !== null && s.commitIndex >= leading.firstIndex && leading.transfer === null,
      isTransferring: leading !== null && leading.transfer !== null,
      isTellingEnd: false,
      leaseEndsAtMs: leading?.leaseAtMs ?? -Infinity,
      leaderContactAgeMs: leading === null ? nowMs - s.lastContactMs : 0,
      peers,
      leaderSaid: null,
    };
  }
}
