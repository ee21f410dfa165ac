/**
 * RaftNode: one server of the replicated log, sans-IO. Events and the time go in through `handle`; what to
 * persist, send and answer comes out of `ready`. All behaviour lives in the modules beside this one.
 */
import { bootstrap } from './bootstrap.ts';
import { answerAsks } from './ask-peers.ts';
import { answerVerdict, askVerdicts } from './ask-verdicts.ts';
import type { VerdictName } from './types.ts';
import { advanceCommit, answerReads, refuseLateReads } from './commit.ts';
import { hasJumped, noticeJump } from './clock-jump.ts';
import { campaign, countVotes, mayCampaign } from './election.ts';
import { randomElectionTimeoutMs } from './election-timeout.ts';
import { answerHeldPreVotes, campaignFast, onInboundClosed } from './fast-election.ts';
import { dismissLeavers } from './change-membership.ts';
import { serveAsLeader } from './leader.ts';
import { announceWrite, tellWritten } from './heartbeats.ts';
import { judgeLeadership } from './lease.ts';
import { loadState, type NodePorts } from './load.ts';
import { nextDeadline } from './deadlines.ts';
import { onAnswer, onRequest } from './peer-messages.ts';
import { sayThatItWaits, tickRecovery } from './recovery.ts';
import { replicateToAll } from './replication.ts';
import type { ReceivedStatus } from './progress.ts';
import { becomeFollower, yieldsTurn } from './roles.ts';
import { replaceBySnapshot, scheduleSnapshotCheck, settleRollback, snapshotIfDue, takeSnapshot } from './snapshots.ts';
import {
  bestEligiblePeer,
  continueTransfer,
  mustLeave,
  startTransfer,
  successor,
  tellLastWord,
  tickTransfer,
} from './transfer.ts';
import type { PeerStatus } from '../wire/peer-status.ts';
import type { RaftCommand, RaftEvent, RaftOptions, Ready } from './events.ts';
import type { RaftState } from './state.ts';
import { continueStaging } from './staging.ts';
import { setLocalStatus, tellStatus } from './tell-status.ts';
import { raftPosition, raftStatus, type RaftPosition, type RaftStatus } from './status.ts';

export class RaftNode {
  readonly #state: RaftState;

  /** Loads the store; throws StoreError when it cannot be trusted, and Error when its snapshot is none. */
  constructor(options: RaftOptions, ports: NodePorts, nowMs: number) {
    this.#state = loadState(options, ports, nowMs);
    this.#state.electionAtMs = nowMs + randomElectionTimeoutMs(this.#state);
    scheduleSnapshotCheck(this.#state);
  }

  /** Takes one event. `nowMs` is monotonic; smaller values than before count as no time passed. */
  handle(event: RaftEvent, nowMs: number): void {
    const s = this.#state;
    this.#advanceTime(nowMs, nextDeadline(s));
    switch (event.kind) {
      case 'request':
        onRequest(s, event);
        break;
      case 'response':
        onAnswer(s, event.requestId, event.response, '');
        break;
      case 'failed':
        onAnswer(s, event.requestId, event.reason, event.message);
        break;
      case 'inboundClosed':
        onInboundClosed(s, event.connectionId);
        break;
      case 'tick':
        break;
      default:
        this.#onCommand(event);
    }
    answerHeldPreVotes(s);
    this.#runTimers();
    this.#leaveIfDone();
  }

  /** What the host must do now (see Ready), or null. With a `write`, `persisted` or `writeFailed` must follow before anything else. */
  ready(): Ready | null {
    const s = this.#state;
    tellStatus(s);
    replicateToAll(s);
    dismissLeavers(s);
    const mustWrite = (s.hardChanged || s.log.hasChanges) && !s.hasFailed;
    if (!mustWrite && s.outbox.isEmpty) return null;
    if (mustWrite && s.log.persistedIndex === s.log.lastIndex) announceWrite(s);
    const write = mustWrite ? { ...s.log.takeChanges(), ...(s.hardChanged ? { hardState: s.hard } : {}) } : null;
    // A term or vote that is not durable yet lets nothing out (rule 15).
    return { ...s.outbox.take(mustWrite && s.hardChanged), write };
  }

  /** The write of the last Ready is durable. */
  persisted(nowMs: number): void {
    const s = this.#state;
    s.hardChanged = false;
    s.log.persisted();
    tellWritten(s);
    // Nothing else was done since the last event: all of it was the write.
    this.#advanceTime(nowMs, s.lastTurnMs);
    countVotes(s);
    advanceCommit(s);
    continueTransfer(s);
    snapshotIfDue(s);
    this.#leaveIfDone();
  }

  /** The write failed: nothing more is acknowledged or committed; a leader tells its best peer to take over (rule 15). */
  writeFailed(message: string): void {
    const s = this.#state;
    s.hasFailed = true;
    s.outbox.replies = [];
    s.outbox.send = [];
    if (s.role === 'leader') {
      tellLastWord(s, bestEligiblePeer(s), { mayBeLost: true });
      becomeFollower(s, s.term, `the store failed: ${message}`);
    }
  }

  /** Monotonic ms at which `handle({kind: 'tick'})` is next wanted; Infinity for never. */
  nextDeadlineMs(): number {
    return nextDeadline(this.#state);
  }

  status(): RaftStatus {
    return raftStatus(this.#state);
  }

  /** Whether time has passed unseen since the last event (rule 34): what is known then is to be learned anew first. */
  hasJumped(): boolean {
    return hasJumped(this.#state);
  }

  /** The part of it that is cheap: for what is asked with every event. */
  position(): RaftPosition {
    return raftPosition(this.#state);
  }

  /** What the leader that is followed said of itself last; null for nothing yet, and where this server leads. */
  get leaderStatus(): ReceivedStatus | null {
    return this.#state.leaderStatus;
  }

  /** All there is, for whoever has to tell two servers apart that say the same of themselves. To be read only. */
  get state(): Readonly<RaftState> {
    return this.#state;
  }

  /** Data of a log entry, for state machines that keep none; null when the log does not hold it, or cannot read it and will replace it. */
  dataAt(index: number): Uint8Array | null {
    const s = this.#state;
    const data = s.log.dataAt(index);
    const isDamaged = data === null && (s.log.summaryAt(index)?.size ?? 0) > 0;
    if (isDamaged) s.damagedThrough = Math.max(s.damagedThrough, index);
    return data;
  }

  /** The store found that it cannot read this entry any more. */
  entryDamaged(index: number): void {
    const s = this.#state;
    s.damagedThrough = Math.max(s.damagedThrough, index);
    snapshotIfDue(s);
  }

  /** Snapshots now; false where there is nothing to snapshot. */
  takeSnapshot(): boolean {
    return takeSnapshot(this.#state);
  }

  /** Gives back the applied log through `index` behind a snapshot; false while there is nothing to snapshot. */
  compactThrough(index: number): boolean {
    return replaceBySnapshot(this.#state, index);
  }

  /** Puts an applied rollback at `index` behind a snapshot, and the log below it away where it could be misread (rule 6); false while that cannot be. */
  settleRollback(index: number): boolean {
    return settleRollback(this.#state, index);
  }

  /** What this server tells its peers of itself (rule 16); `isNews`: peers should know at once. */
  setLocalStatus(peerStatus: Partial<Omit<PeerStatus, 'version' | 'own'>>, isNews = false): void {
    setLocalStatus(this.#state, peerStatus, isNews);
  }

  /** Has the other voters' clients execute a block that is to be proposed; the ids of those that were asked (ask-verdicts.ts). */
  askVerdicts(questionId: number, payload: Uint8Array, timeoutMs: number): string[] {
    return askVerdicts(this.#state, questionId, payload, timeoutMs);
  }

  /** What the own client says of a block that the leader asked about in a notice 'verdictAsked'. */
  answerVerdict(inboundId: number, verdict: VerdictName, message: string): void {
    answerVerdict(this.#state, inboundId, verdict, message);
  }

  #advanceTime(nowMs: number, dueMs: number): void {
    const s = this.#state;
    s.nowMs = Math.max(s.nowMs, nowMs);
    const beforeMs = s.lastTurnMs;
    s.lastTurnMs = s.nowMs;
    noticeJump(s);
    judgeLeadership(s, beforeMs, dueMs);
  }

  #runTimers(): void {
    const s = this.#state;
    tickTransfer(s);
    refuseLateReads(s);
    answerAsks(s);
    continueStaging(s);
    campaignFast(s);
    if (s.nowMs >= s.electionAtMs) {
      if (s.round) s.failedElections++;
      if (mayCampaign(s) && yieldsTurn(s)) s.electionAtMs = s.nowMs + s.options.heartbeatTimeoutMs;
      else if (mayCampaign(s)) campaign(s, { isTransfer: false, isFast: false });
      else s.electionAtMs = s.role === 'leader' ? Infinity : s.nowMs + randomElectionTimeoutMs(s);
      if (s.hard.recovering) sayThatItWaits(s);
    }
    tickRecovery(s);
    snapshotIfDue(s);
  }

  /** A leader that is no longer a voter hands over once that is committed, and follows. */
  #leaveIfDone(): void {
    const s = this.#state;
    if (!mustLeave(s)) return;
    tellLastWord(s, successor(s));
    becomeFollower(s, s.term, 'no longer a voter of the cluster');
  }

  #onCommand(command: RaftCommand): void {
    const s = this.#state;
    if (command.kind === 'bootstrap') return bootstrap(s, command);
    if (command.kind === 'transfer') return startTransfer(s, command);
    serveAsLeader(s, command);
    answerReads(s);
  }
}
