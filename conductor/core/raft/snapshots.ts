/**
 * Taking, installing and following up snapshots (thesis §5; rule 7): when one is due, what a leader's
 * snapshot replaces, and how the log behind one is given back a little at a time.
 */
import { assert } from '../assert.ts';
import { decodeConfiguration } from '../wire/configuration.ts';
import { holdReply, mayAcknowledge } from './recovery.ts';
import { acceptLeader, whyRefused, type InboundRequest } from './follower.ts';
import type { RaftState } from './state.ts';
import type { Configuration, InstallSnapshotRequest, InstallSnapshotResponse } from './types.ts';

export const SNAPSHOT_VERSION = 1;

/** Takes a snapshot if one is due by entries (looked at now and then) or by bytes (at once). */
export function snapshotIfDue(s: RaftState): void {
  const isCheck = s.nowMs >= s.snapshotCheckAtMs;
  if (isCheck) scheduleSnapshotCheck(s);
  const since = s.appliedIndex - (s.log.snapshot?.index ?? 0);
  const isDue =
    (isCheck && since >= s.options.snapshotThreshold) ||
    (since > 0 && s.log.bytesSinceSnapshot >= s.options.snapshotBytes);
  if (isDue) takeSnapshot(s);
  replaceDamaged(s);
}

/**
 * A damaged entry is of no use to anybody: once it is applied, a snapshot takes its place, so that this server
 * never has to send it.
 */
function replaceDamaged(s: RaftState): void {
  const { damagedThrough } = s;
  if (damagedThrough === 0 || s.appliedIndex < damagedThrough) return;
  if (damagedThrough >= s.log.firstIndex) {
    if (!replaceBySnapshot(s, damagedThrough)) return;
    s.warn('a damaged log entry was replaced by a snapshot', { index: damagedThrough });
  }
  s.damagedThrough = 0;
}

/** Gives back the applied log through `index` behind a snapshot, without the entries that usually trail; false while there is nothing to snapshot. */
export function replaceBySnapshot(s: RaftState, index: number): boolean {
  if (!coverBySnapshot(s, index)) return false;
  if (index >= s.log.firstIndex) s.log.compact(index);
  return true;
}

/**
 * A server that joins after a rollback must not read what came before it: op-conductor would read past it (rule 6). Where
 * nobody has joined since, the log is kept: a node that goes back further, or loses its head, needs it.
 */
export function settleRollback(s: RaftState, index: number): boolean {
  if (s.membership.latest.index > index || hasForeignPeer(s)) return replaceBySnapshot(s, index);
  if (!coverBySnapshot(s, index)) return false;
  s.nativeThrough = Math.max(s.nativeThrough, index);
  return true;
}

function hasForeignPeer({ leadership }: RaftState): boolean {
  if (leadership === null) return false;
  for (const peer of leadership.peers.values()) if (peer.isForeign) return true;
  return false;
}

/** Whether a snapshot covers the applied log through `index`, if need be a new one. */
function coverBySnapshot(s: RaftState, index: number): boolean {
  assert(index <= s.appliedIndex, 'only what is applied can be replaced by a snapshot');
  return (s.log.snapshot?.index ?? 0) >= index || takeSnapshot(s);
}

export function scheduleSnapshotCheck(s: RaftState): void {
  s.snapshotCheckAtMs = s.nowMs + s.randomBetween(s.options.snapshotIntervalMs, 2 * s.options.snapshotIntervalMs);
}

/** Snapshots the state machine as of the last applied entry; false where it is empty or nothing is new. */
export function takeSnapshot(s: RaftState): boolean {
  const index = s.appliedIndex;
  if (index <= (s.log.snapshot?.index ?? 0)) return false;
  const data = s.ports.machine.snapshot();
  if (!data) return false;
  const configuration = s.membership.at(index);
  s.log.takeSnapshot({ meta: { index, term: s.log.termAt(index)!, configuration, size: data.length }, data });
  s.membership.compact(index);
  compactLog(s);
  s.outbox.notices.push({ kind: 'snapshot', action: 'taken', index });
  return true;
}

/** Gives back what lies behind the snapshot and the trailing entries; the store deletes it a little at a time. */
function compactLog(s: RaftState): void {
  const snapshotIndex = s.log.snapshot!.index;
  let through = Math.min(snapshotIndex, s.log.lastIndex - s.options.trailingLogs);
  through = Math.max(through, s.log.firstIndex - 1);
  let bytes = s.log.bytesFrom(through + 1);
  while (through < Math.min(snapshotIndex, s.log.lastIndex) && bytes > s.options.trailingBytes) {
    through++;
    bytes -= s.log.summaryAt(through)!.size;
  }
  if (through >= s.log.firstIndex) s.log.compact(through);
}

export function onInstallSnapshot(s: RaftState, from: InboundRequest, request: InstallSnapshotRequest): void {
  // Go leaves the header of this response zero.
  const answer = (success: boolean, error?: string): InstallSnapshotResponse => ({
    protocolVersion: 0,
    id: null,
    address: null,
    kind: 'snapshot',
    term: s.term,
    success,
    ...(error === undefined ? {} : { error }),
  });
  if (request.snapshotVersion !== SNAPSHOT_VERSION) {
    return s.reply(from.inboundId, answer(false, `unsupported snapshot version ${request.snapshotVersion}`));
  }
  const connection = acceptLeader(s, from, request);
  if (connection === 'stale') return s.reply(from.inboundId, answer(false));
  if (typeof connection === 'string') return s.reply(from.inboundId, answer(false, whyRefused(s, connection)));
  const problem = request.lastLogIndex <= s.commitIndex ? null : install(s, request);
  if (problem !== null) return s.reply(from.inboundId, answer(false, problem));
  if (mayAcknowledge(s)) {
    connection.hasAnswered = true;
    s.reply(from.inboundId, answer(true));
  } else holdReply(s, { ...from, response: answer(true), term: s.term });
}

/** Replaces state, configuration and whatever of the log does not fit; an error text when nothing was changed. */
function install(s: RaftState, request: InstallSnapshotRequest): string | null {
  const { lastLogIndex: index, lastLogTerm: term, data } = request;
  if (data.length !== request.size) return 'short read';
  if (term > request.term || request.configurationIndex > index) return `snapshot ${term}-${index} contradicts itself`;
  let configuration: Configuration;
  try {
    configuration = decodeConfiguration(request.configuration ?? new Uint8Array());
  } catch (error) {
    return `failed to decode configuration of the snapshot: ${String(error)}`;
  }
  const problem = s.ports.machine.restore(data, index, term);
  if (problem !== null) return `failed to restore snapshot ${term}-${index}: ${problem}`;
  const held = { index: request.configurationIndex, configuration };
  const keepsSuffix = s.log.installSnapshot({ meta: { index, term, configuration: held, size: data.length }, data });
  s.membership.install(held, keepsSuffix);
  s.inquiry.introduced.clear();
  s.commitIndex = index;
  s.appliedIndex = index;
  compactLog(s);
  s.outbox.notices.push({ kind: 'configuration', configuration: held, committed: true });
  s.outbox.notices.push({ kind: 'snapshot', action: 'installed', index });
  return null;
}
