/**
 * Taking leadership and serving as leader: the no-op that opens a term, proposals, barriers and reads
 * (thesis §3.5.3, §6.4).
 */
import { appendAsLeader } from './append.ts';
import { askPeers } from './ask-peers.ts';
import { answerReads } from './commit.ts';
import { changeMembership } from './change-membership.ts';
import { Progress } from './progress.ts';
import { setLeader } from './roles.ts';
import type { RaftCommand } from './events.ts';
import type { Leadership } from './leadership.ts';
import type { RaftState } from './state.ts';
import { RANDOM_TIMEOUT_PART, READ_TIMEOUTS } from './timing.ts';
import { EntryType } from './types.ts';

/** Reads that may wait for a quorum at once. */
const READS_MAX = 4096;

export function becomeLeader(s: RaftState): void {
  const replaced = replacedByTimeout(s);
  // Votes say who follows as of when they were asked for: they may have lain unread (rule 34).
  const votedMs = s.round?.sinceMs ?? s.nowMs;
  s.role = 'leader';
  s.round = null;
  s.suspectedFailure = null;
  s.failedElections = 0;
  s.hasYielded = false;
  s.electionAtMs = Infinity;
  const peers = new Map<string, Progress>();
  for (const server of s.others) {
    const peer = new Progress(server, s.log.lastIndex + 1, s.nowMs, s.options);
    peer.promisedUntilMs = votedMs + s.options.heartbeatTimeoutMs;
    peers.set(server.id, peer);
  }
  s.leadership = {
    sinceMs: s.nowMs,
    replaced,
    peers,
    firstIndex: s.log.lastIndex + 1,
    entries: new Map(),
    reads: [],
    readRound: 0,
    asks: [],
    askRound: 0,
    doubtedAtMs: -Infinity,
    jumpedAtMs: -Infinity,
    toldInVainAtMs: -Infinity,
    transfer: null,
    staging: null,
    moving: null,
    uncommittedBytes: 0,
  };
  s.outbox.notices.push({ kind: 'role', role: 'leader', term: s.term, reason: 'elected' });
  setLeader(s, { id: s.options.id, address: s.options.address });
  appendAsLeader(s, EntryType.noop, null);
}

/** Whom this server's own election timeout ends, if one did (rule 34). */
function replacedByTimeout({ round, timing, contactMs, options }: RaftState): Leadership['replaced'] {
  const id = timing?.leaderId ?? null;
  if (!round || round.isTransfer || round.isFast || id === null) return null;
  return { id, untilMs: contactMs + options.heartbeatTimeoutMs * (1 + RANDOM_TIMEOUT_PART) };
}

/** A command only a leader can serve: refused elsewhere, and while leadership is being handed over. */
export function serveAsLeader(s: RaftState, command: Exclude<RaftCommand, { kind: 'bootstrap' | 'transfer' }>): void {
  const led = s.leadership;
  if (s.hasFailed)
    return s.refuse(command.requestId, 'failed', 'the store of this node has failed; it is shutting down');
  if (!led) return s.refuse(command.requestId, 'not-leader', 'node is not the leader');
  if (command.kind === 'read') return read(s, led, command.requestId);
  if (command.kind === 'ask') return askPeers(s, led, command.requestId);
  if (led.transfer) return s.refuse(command.requestId, 'transferring', 'leadership transfer in progress');
  if (command.kind === 'propose' || command.kind === 'barrier') return propose(s, led, command);
  return changeMembership(s, led, command);
}

function propose(s: RaftState, led: Leadership, command: Extract<RaftCommand, { kind: 'propose' | 'barrier' }>): void {
  const data = command.kind === 'propose' ? command.data : null;
  const size = data?.length ?? 0;
  if (size > s.options.entryBytesMax) {
    return s.refuse(
      command.requestId,
      'too-large',
      `entry of ${size} bytes is over the limit of ${s.options.entryBytesMax}`,
    );
  }
  const entries = s.log.lastIndex - s.commitIndex;
  const isFull =
    entries >= s.options.uncommittedEntriesMax ||
    (led.uncommittedBytes > 0 && led.uncommittedBytes + size > s.options.uncommittedBytesMax);
  if (isFull) {
    return s.refuse(
      command.requestId,
      'busy',
      `${entries} entries (${led.uncommittedBytes} bytes) already wait for a quorum`,
    );
  }
  const extensions = command.kind === 'propose' ? (command.extensions ?? null) : null;
  const index = appendAsLeader(s, command.kind === 'propose' ? EntryType.command : EntryType.barrier, data, extensions);
  led.uncommittedBytes += size;
  led.entries.set(index, { requestId: command.requestId });
}

/** A round of heartbeats confirms leadership; the answer waits until all that was committed by now is applied. */
function read(s: RaftState, led: Leadership, requestId: number): void {
  if (led.reads.length >= READS_MAX) return s.refuse(requestId, 'busy', `${READS_MAX} reads already wait for a quorum`);
  led.readRound++;
  const index = Math.max(s.commitIndex, led.firstIndex);
  led.reads.push({
    requestId,
    round: led.readRound,
    index,
    deadlineMs: s.nowMs + READ_TIMEOUTS * s.options.heartbeatTimeoutMs,
  });
  for (const peer of led.peers.values()) peer.heartbeatWanted = true;
  answerReads(s);
}
