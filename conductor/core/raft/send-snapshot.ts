/**
 * Sending a snapshot to a follower that needs entries this log no longer has (thesis §5.3): one request,
 * the state's bytes after it, on a connection of its own.
 */
import { encodeConfiguration } from '../wire/configuration.ts';
import { encodePeers } from '../wire/peers.ts';
import type { Progress } from './progress.ts';
import type { RequestContext } from './pending-requests.ts';
import type { RaftState } from './state.ts';
import { SNAPSHOT_VERSION, takeSnapshot } from './snapshots.ts';
import { SNAPSHOT_RETRY_MS } from './timing.ts';
import { Suffrage, type InstallSnapshotRequest, type RpcResponse } from './types.ts';

/** hashicorp gives a snapshot one request timeout for each of these. */
const BYTES_PER_TIMEOUT = 262_144;

type SnapshotContext = Extract<RequestContext, { kind: 'snapshot' }>;

export function sendSnapshot(s: RaftState, peer: Progress): void {
  const snapshot = s.log.readSnapshot();
  if (!snapshot) {
    s.warn('a follower needs entries that are gone and there is no snapshot', { server: peer.id, next: peer.next });
    peer.retryAtMs = s.nowMs + s.options.heartbeatTimeoutMs;
    return;
  }
  const { meta, data } = snapshot;
  const { servers } = meta.configuration.configuration;
  const request: InstallSnapshotRequest = {
    ...s.header,
    kind: 'snapshot',
    snapshotVersion: SNAPSHOT_VERSION,
    term: s.term,
    leader: s.options.address,
    lastLogIndex: meta.index,
    lastLogTerm: meta.term,
    peers: encodePeers(servers.filter((server) => server.suffrage === Suffrage.voter).map((server) => server.address)),
    configuration: encodeConfiguration(meta.configuration.configuration),
    configurationIndex: meta.configuration.index,
    size: data.length,
    data,
  };
  peer.restart(peer.next);
  peer.mode = 'snapshot';
  const context: SnapshotContext = { kind: 'snapshot', peerId: peer.id, epoch: peer.epoch, index: meta.index };
  const timeout = s.options.requestTimeoutMs;
  s.send(peer, 'snapshot', request, context, Math.max(timeout, timeout * Math.floor(data.length / BYTES_PER_TIMEOUT)));
}

export function onSnapshotResponse(
  s: RaftState,
  peer: Progress,
  context: SnapshotContext,
  response: RpcResponse,
): void {
  if (context.epoch !== peer.epoch) return;
  // A later term is heard in the answer to a heartbeat, which says whose it is.
  if (response.kind !== 'snapshot' || response.term > s.term || !response.success)
    return onSnapshotFailed(s, peer, context);
  // Go's answer names nobody: what the peer holds is known when it has answered the next append (rule 32).
  peer.restart(Math.max(peer.match, context.index) + 1);
  peer.backtrack = 1;
  peer.followsSnapshot = true;
  s.outbox.notices.push({ kind: 'snapshot', action: 'sent', index: context.index, peerId: peer.id });
}

export function onSnapshotFailed(s: RaftState, peer: Progress, context: SnapshotContext): void {
  if (context.epoch !== peer.epoch) return;
  peer.restart(peer.next);
  tryLater(s, peer);
}

/**
 * What follows a snapshot that was taken was refused as well: Go keeps a longer tail of its own behind it, and then agrees
 * with nothing before that tail's end. The next one comes after a pause, and reaches as far as it can.
 */
export function onSnapshotInVain(s: RaftState, peer: Progress, lastIndex: number): void {
  peer.followsSnapshot = false;
  tryLater(s, peer);
  if (lastIndex > (s.log.snapshot?.index ?? 0)) takeSnapshot(s);
}

function tryLater(s: RaftState, peer: Progress): void {
  peer.failures++;
  peer.retryAtMs = s.nowMs + Math.min(s.options.heartbeatTimeoutMs, SNAPSHOT_RETRY_MS * peer.failures);
}
