/** The gauges of the log, the chain and the control loop, published when they are about to be read. */
import type { ChainBlock } from './payload/chain-block.ts';
import { nodeVerdicts, type NodeView } from './evidence/node-views.ts';
import type { Metrics } from './ports.ts';
import { votersOf } from './raft/quorum.ts';
import type { RaftStatus } from './raft/status.ts';

/** What a conductor is doing, apart from its log. */
export interface ControlState {
  readonly isPaused: boolean;
  readonly isStopped: boolean;
  readonly isOverridden: boolean;
  readonly isHealthy: boolean;
  /** What the sequencer is believed to do; null when not known. */
  readonly isSequencing: boolean | null;
}

/** Gauges by peer, which a leader knows, or of members that may go: their label sets are forgotten before they are set. */
export const peerGauges = [
  'raft_peer_lag_entries',
  'raft_peer_contact_seconds',
  'node_head_number',
  'client_head_number',
  'node_verdict',
  'node_word_age_seconds',
] as const;

/** A leader of whom nothing was heard for longer is taken for gone; heartbeats come at least once a second. */
export const leaderSilenceMsMax = 10_000;

interface Snapshot {
  readonly status: RaftStatus;
  /** The committed head, null while no payload is held. */
  readonly head: ChainBlock | null;
  readonly control: ControlState;
  /** Every member's node, as this server knows it. */
  readonly nodes: readonly NodeView[];
}

/** Sets every gauge. */
export function publishGauges(metrics: Metrics, { status, head, control, nodes }: Snapshot): void {
  publishRaft(metrics, status);
  publishNodes(metrics, nodes);
  const isLeader = status.role === 'leader';
  metrics.gauge('leader', isLeader || control.isOverridden ? 1 : 0);
  metrics.gauge('leader_overridden', control.isOverridden ? 1 : 0);
  metrics.gauge('active', control.isPaused || control.isStopped ? 0 : 1);
  metrics.gauge('paused', control.isPaused ? 1 : 0);
  metrics.gauge('sequencer_healthy', control.isHealthy ? 1 : 0);
  metrics.gauge('sequencer_active', control.isSequencing === null ? Number.NaN : control.isSequencing ? 1 : 0);
  if (head === null) return;
  metrics.gauge('committed_block_number', Number(head.number));
  metrics.gauge('committed_block_time_seconds', Number(head.timestamp));
}

function publishRaft(metrics: Metrics, status: RaftStatus): void {
  const voters = new Set(votersOf(status.configuration.configuration));
  metrics.gauge('raft_term', status.term);
  metrics.gauge('raft_is_leader', status.role === 'leader' ? 1 : 0);
  // A follower in search of a majority keeps the name of its last leader: only a sign of life counts.
  const isLed = status.leaderId !== null && status.leaderContactAgeMs <= leaderSilenceMsMax;
  metrics.gauge('raft_leader_known', isLed ? 1 : 0);
  metrics.gauge('raft_recovering', status.isRecovering ? 1 : 0);
  metrics.gauge('raft_commit_index', status.commitIndex);
  metrics.gauge('raft_applied_index', status.appliedIndex);
  metrics.gauge('raft_last_index', status.lastIndex);
  metrics.gauge('raft_voters', voters.size);
  for (const { id: peer, match, contactAgeMs } of status.peers) {
    metrics.gauge('raft_peer_lag_entries', status.lastIndex - match, { peer });
    const suffrage = voters.has(peer) ? 'voter' : 'nonvoter';
    metrics.gauge('raft_peer_contact_seconds', contactAgeMs / 1000, { peer, suffrage });
  }
}

/** One series of the verdict for each word, so that an alert can be made of any of them. */
function publishNodes(metrics: Metrics, nodes: readonly NodeView[]): void {
  for (const { id: peer, nodeHead, clientHead, verdict, ageMs } of nodes) {
    if (nodeHead !== null) metrics.gauge('node_head_number', Number(nodeHead.number), { peer });
    if (clientHead !== null) metrics.gauge('client_head_number', Number(clientHead.number), { peer });
    if (ageMs !== null) metrics.gauge('node_word_age_seconds', ageMs / 1000, { peer });
    for (const one of nodeVerdicts) metrics.gauge('node_verdict', one === verdict ? 1 : 0, { peer, verdict: one });
  }
}
