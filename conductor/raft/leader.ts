/**
 * Taking leadership and appending as leader: the no-op that opens a term, proposals, barriers, reads and
 * configuration changes (thesis §3.5.3, §4.1, §6.4).
 */
import { decodeConfiguration, encodeConfiguration } from '../wire/configuration.ts';
import { goTimeFromUnixMs } from '../wire/go-time.ts';
import { answerReads } from './commit.ts';
import { changeConfiguration, type MembershipCommand } from './membership.ts';
import { Progress } from './progress.ts';
import { setLeader } from './roles.ts';
import { assert } from '../assert.ts';
import type { RaftCommand } from './events.ts';
import type { Leadership, PendingEntry, RaftState } from './state.ts';
import { EntryType, Suffrage, type Configuration, type Entry } from './types.ts';

/** Reads that may wait for a quorum at once. */
const READS_MAX = 4096;
/** A promoted nonvoter may lag this many entries before it counts as behind. */
const LAG_MAX = 128;

export function becomeLeader(s: RaftState): void {
  s.role = 'leader';
  s.round = null;
  s.suspicion = null;
  s.lostRounds = 0;
  s.electionAtMs = Infinity;
  const peers = new Map<string, Progress>();
  for (const server of s.others)
    peers.set(server.id, new Progress(server.id, server.address, s.log.lastIndex + 1, s.nowMs));
  s.leadership = {
    peers,
    firstIndex: s.log.lastIndex + 1,
    entries: new Map(),
    reads: [],
    readRound: 0,
    transfer: null,
    staging: null,
    uncommittedBytes: 0,
  };
  s.outbox.notices.push({ kind: 'role', role: 'leader', term: s.term, reason: 'elected' });
  setLeader(s, { id: s.options.id, address: s.options.address });
  appendAsLeader(s, EntryType.noop, null);
}

function appendAsLeader(s: RaftState, type: number, data: Uint8Array | null): number {
  const index = s.log.lastIndex + 1;
  const appendedAt = goTimeFromUnixMs(s.ports.wallClock.unixMs());
  appendEntries(s, [{ index, term: s.term, type, data, extensions: null, appendedAt }]);
  return index;
}

/** Appends entries to the log; a configuration among them takes effect at once. Configurations must be decodable. */
export function appendEntries(s: RaftState, entries: readonly Entry[]): void {
  for (const entry of entries) {
    s.log.append([entry]);
    if (entry.type !== EntryType.configuration) continue;
    const held = { index: entry.index, configuration: decodeConfiguration(entry.data ?? new Uint8Array()) };
    s.membership.append(held);
    s.outbox.notices.push({ kind: 'configuration', configuration: held, committed: false });
  }
}

/** A command only a leader can serve: refused elsewhere, and while leadership is being handed over. */
export function serveAsLeader(s: RaftState, command: Exclude<RaftCommand, { kind: 'bootstrap' | 'transfer' }>): void {
  const led = s.leadership;
  if (s.hasFailed)
    return s.refuse(command.requestId, 'failed', 'the store of this node has failed; it is shutting down');
  if (!led) return s.refuse(command.requestId, 'not-leader', 'node is not the leader');
  if (command.kind === 'read') return read(s, led, command.requestId);
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
  const index = appendAsLeader(s, command.kind === 'propose' ? EntryType.command : EntryType.barrier, data);
  led.uncommittedBytes += size;
  led.entries.set(index, { requestId: command.requestId });
}

/** A round of heartbeats confirms leadership; the answer waits until all that was committed by now is applied. */
function read(s: RaftState, led: Leadership, requestId: number): void {
  if (led.reads.length >= READS_MAX) return s.refuse(requestId, 'busy', `${READS_MAX} reads already wait for a quorum`);
  led.readRound++;
  led.reads.push({ requestId, round: led.readRound, index: Math.max(s.commitIndex, led.firstIndex) });
  for (const peer of led.peers.values()) peer.heartbeatWanted = true;
  answerReads(s);
}

function changeMembership(s: RaftState, led: Leadership, command: MembershipCommand): void {
  const latest = s.membership.latest;
  if (latest.index > s.commitIndex || led.staging) {
    return s.refuse(command.requestId, 'change-in-progress', `configuration ${latest.index} is not committed yet`);
  }
  // The single-server bug of 2015: no change before an entry of this term is committed.
  if (s.commitIndex < led.firstIndex) {
    return s.refuse(command.requestId, 'not-ready', 'this leader has not committed an entry of its term yet');
  }
  const change = changeConfiguration(latest, command);
  if (change.kind === 'refused') return s.refuse(command.requestId, change.reason, change.message);
  if (s.options.stageVoters && isNewVoter(s, command)) {
    const nonvoter = changeConfiguration(latest, { ...command, suffrage: Suffrage.nonvoter });
    assert(nonvoter.kind === 'changed', 'who may join as a voter may join as a nonvoter');
    led.staging = { command, deadlineMs: s.nowMs + s.options.requestTimeoutMs };
    return appendConfiguration(s, led, nonvoter.configuration, null);
  }
  const lag = promotionLag(s, led, command);
  const warning =
    lag > LAG_MAX ? `server ${command.id} lags ${lag} entries: until it has them it cannot help a quorum` : undefined;
  if (warning && s.options.requireCatchUp) return s.refuse(command.requestId, 'not-caught-up', warning);
  if (warning) s.warn(warning, { server: command.id });
  const waiting = { requestId: command.requestId, ...(warning === undefined ? {} : { warning }) };
  appendConfiguration(s, led, change.configuration, waiting);
}

/** Whether a command brings in a voter that is no member yet. */
function isNewVoter(s: RaftState, command: MembershipCommand): command is Extract<RaftCommand, { kind: 'addServer' }> {
  return command.kind === 'addServer' && command.suffrage === Suffrage.voter && !s.membership.find(command.id);
}

/** Appends a configuration, in force from here on; `waiting` is answered when it is committed. */
export function appendConfiguration(
  s: RaftState,
  led: Leadership,
  configuration: Configuration,
  waiting: PendingEntry | null,
): void {
  const index = appendAsLeader(s, EntryType.configuration, encodeConfiguration(configuration));
  if (waiting) led.entries.set(index, waiting);
  updatePeers(s, led);
}

/** How many entries a server that is about to become a voter still lacks; 0 for anything else. */
function promotionLag(s: RaftState, led: Leadership, command: MembershipCommand): number {
  if (command.kind !== 'addServer' || command.suffrage !== Suffrage.voter || s.membership.isVoter(command.id)) return 0;
  return s.log.lastIndex - (led.peers.get(command.id)?.match ?? 0);
}

/** Follows the configuration in force: new peers are replicated to, removed ones get one last attempt. */
function updatePeers(s: RaftState, led: Leadership): void {
  for (const server of s.others) {
    const known = led.peers.get(server.id);
    if (known) {
      if (known.address !== server.address) s.outbox.forget.push(server.id);
      known.address = server.address;
      known.isLeaving = false;
    } else led.peers.set(server.id, new Progress(server.id, server.address, s.log.lastIndex + 1, s.nowMs));
  }
  for (const peer of led.peers.values()) {
    if (!s.membership.find(peer.id)) peer.isLeaving = true;
  }
}

/** Lets go of removed peers that know of it, or cannot be told. */
export function dismissLeavers(s: RaftState): void {
  const led = s.leadership;
  if (!led) return;
  for (const peer of led.peers.values()) {
    if (!peer.isLeaving) continue;
    const isTold =
      peer.match >= s.membership.latest.index &&
      peer.commitTold >= s.membership.latest.index &&
      peer.inflightRequests === 0;
    if (!isTold && peer.failures === 0 && s.nowMs - peer.contactMs < s.options.heartbeatTimeoutMs) continue;
    led.peers.delete(peer.id);
    s.ownIds.delete(peer.id);
    s.outbox.forget.push(peer.id);
  }
}
