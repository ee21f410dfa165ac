/**
 * One follower of a leader, as hashicorp/raft v1.7.3 serves it: heartbeats, one append at a time until one is taken, then two
 * in flight; 64 entries at most in each; an empty one every 50 to 100 ms, which tells of commits. A match is what was sent in
 * an append that was taken, so that it outlives the disk it was written to.
 */
import type { AppendEntriesRequest, RpcResponse } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import type { Leading, Peer, Replica } from './go-leading.ts';
import { matched } from './go-propose.ts';
import { become } from './go-role.ts';
import type { GoState } from './go-state.ts';

/** op-conductor's setting of hashicorp's transport. */
const PIPELINED_MAX = 2;
const FAILURE_WAIT_MS = 10;
const FAILURES_COUNTED_MAX = 12;
const HEARTBEATS_PER_TIMEOUT = 10;
const SNAPSHOT_VERSION = 1;

/** Replication to everybody who is a member now, and to nobody else. */
export function followMembers(s: GoState, { replicas }: Leading): void {
  const members = s.latest.configuration.servers.filter(({ id }) => id !== s.options.id);
  for (const peer of members) {
    const known = replicas.get(peer.id);
    if (known === undefined) replicas.set(peer.id, replicaOf(s, peer));
    else known.peer = peer;
  }
  for (const [id, replica] of replicas) {
    if (members.some((member) => member.id === id)) continue;
    // Who leaves is told so once, as far as it has followed.
    replicas.delete(id);
    const request = appendOf(s, replica.next);
    if (request !== null) s.ask(replica.peer, 'replicate', request, s.options.requestTimeoutMs, () => undefined);
  }
}

function replicaOf(s: GoState, peer: Peer): Replica {
  const next = s.log.lastIndex + 1;
  return {
    peer,
    next,
    sentTo: next,
    isPipelined: false,
    inFlight: 0,
    epoch: 0,
    failures: 0,
    retryAtMs: 0,
    isDue: true,
    commitAtMs: s.nowMs,
    heartbeatAtMs: s.nowMs,
    heartbeatFailures: 0,
    lastContactMs: s.nowMs,
  };
}

/** Sends what is due to one follower. */
export function replicate(s: GoState, leading: Leading, replica: Replica): void {
  if (s.nowMs >= replica.heartbeatAtMs) beat(s, leading, replica);
  if (s.nowMs >= replica.commitAtMs) replica.isDue = true;
  if (!replica.isDue || s.nowMs < replica.retryAtMs) return;
  if (isFull(replica)) return;
  replica.isDue = false;
  replica.commitAtMs = s.nowMs + s.randomTimeout(s.options.commitTimeoutMs);
  const request = appendOf(s, replica.isPipelined ? replica.sentTo : replica.next);
  if (request === null) return sendSnapshot(s, leading, replica);
  sendAppend(s, leading, replica, request);
}

/** As much is on its way to it as may be. */
export function isFull({ inFlight, isPipelined }: Replica): boolean {
  return inFlight >= (isPipelined ? PIPELINED_MAX : 1);
}

/** null where the log does not reach back so far. */
function appendOf(s: GoState, next: number): AppendEntriesRequest | null {
  const { commitIndex, log, options, term } = s;
  const prevLogTerm = next === 1 ? 0 : log.termAt(next - 1);
  const entries = log.entries(next, Math.min(next + options.appendEntriesMax - 1, log.lastIndex));
  if (prevLogTerm === null || entries === null) return null;
  return {
    ...s.header,
    kind: 'append',
    term,
    leader: options.address,
    prevLogIndex: next - 1,
    prevLogTerm,
    entries,
    leaderCommit: commitIndex,
  };
}

function sendAppend(s: GoState, leading: Leading, replica: Replica, request: AppendEntriesRequest): void {
  const { epoch } = replica;
  const last = request.entries?.at(-1)?.index ?? 0;
  if (last > 0) replica.sentTo = last + 1;
  replica.inFlight++;
  s.ask(replica.peer, 'replicate', request, s.options.requestTimeoutMs, (response) => {
    if (s.leading !== leading || replica.epoch !== epoch) return;
    replica.inFlight--;
    if (response?.kind !== 'append') return failed(s, replica);
    if (isStale(s, response.term)) return;
    replica.lastContactMs = s.nowMs;
    if (!response.success) return refused(s, replica, response);
    if (last > 0) {
      matched(leading, replica.peer.id, last);
      replica.next = Math.max(replica.next, last + 1);
    }
    replica.failures = 0;
    if (replica.isPipelined) return;
    // Batches follow each other until all is sent; in a pipeline the next one waits for an entry, or the next telling.
    if (replica.next <= s.log.lastIndex) replica.isDue = true;
    else {
      replica.isPipelined = true;
      replica.sentTo = replica.next;
    }
  });
}

/** A later term is believed, and adopted when its leader or a candidate is heard. */
function isStale(s: GoState, term: number): boolean {
  if (term <= s.term) return false;
  become(s, 'follower');
  return true;
}

function fallBack(replica: Replica): void {
  replica.isPipelined = false;
  replica.inFlight = 0;
  replica.epoch++;
  replica.sentTo = replica.next;
}

function failed(s: GoState, replica: Replica): void {
  if (!replica.isPipelined) replica.retryAtMs = s.nowMs + backoffMs(++replica.failures);
  fallBack(replica);
}

function refused(
  s: GoState,
  replica: Replica,
  { lastLog, noRetryBackoff }: Extract<RpcResponse, { kind: 'append' }>,
): void {
  replica.isDue = true;
  if (replica.isPipelined) return fallBack(replica);
  fallBack(replica);
  replica.next = Math.max(Math.min(replica.next - 1, lastLog + 1), 1);
  replica.failures = noRetryBackoff ? 0 : replica.failures + 1;
  if (replica.failures > 0) replica.retryAtMs = s.nowMs + backoffMs(replica.failures);
}

/** Go's backoff: doubles from the third failure on. */
function backoffMs(failures: number): number {
  return FAILURE_WAIT_MS * 2 ** Math.max(0, Math.min(failures, FAILURES_COUNTED_MAX) - 2);
}

function beat(s: GoState, leading: Leading, replica: Replica): void {
  const { heartbeatTimeoutMs, requestTimeoutMs, address } = s.options;
  replica.heartbeatAtMs = Infinity;
  const request = {
    ...s.header,
    kind: 'append',
    term: s.term,
    leader: address,
    prevLogIndex: 0,
    prevLogTerm: 0,
    entries: null,
    leaderCommit: 0,
  } as const;
  s.ask(replica.peer, 'heartbeat', request, requestTimeoutMs, (response) => {
    if (s.leading !== leading) return;
    if (response?.kind === 'append') {
      replica.lastContactMs = s.nowMs;
      replica.heartbeatFailures = 0;
      replica.heartbeatAtMs = s.nowMs + s.randomTimeout(heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT);
    } else {
      const waitMs = Math.min(heartbeatTimeoutMs / 2, backoffMs(++replica.heartbeatFailures));
      replica.heartbeatAtMs = s.nowMs + waitMs;
    }
  });
}

function sendSnapshot(s: GoState, leading: Leading, replica: Replica): void {
  const { snapshot } = s.log;
  fallBack(replica);
  // Without a snapshot there is nothing to send: it is looked for again with the next telling.
  if (snapshot === null) return;
  const { meta, data } = snapshot;
  const { epoch } = replica;
  replica.inFlight++;
  const request = {
    ...s.header,
    kind: 'snapshot',
    snapshotVersion: SNAPSHOT_VERSION,
    term: s.term,
    leader: s.options.address,
    lastLogIndex: meta.index,
    lastLogTerm: meta.term,
    peers: null,
    configuration: encodeConfiguration(meta.configuration.configuration),
    configurationIndex: meta.configuration.index,
    size: data.length,
    data,
  } as const;
  s.ask(replica.peer, 'snapshot', request, s.options.requestTimeoutMs, (response) => {
    if (s.leading !== leading || replica.epoch !== epoch) return;
    replica.inFlight--;
    if (response?.kind !== 'snapshot') return failed(s, replica);
    if (isStale(s, response.term)) return;
    replica.lastContactMs = s.nowMs;
    if (!response.success) return failed(s, replica);
    matched(leading, replica.peer.id, meta.index);
    replica.next = meta.index + 1;
    replica.sentTo = replica.next;
    replica.failures = 0;
    replica.isDue = replica.next <= s.log.lastIndex;
  });
}
