/** The gauges of the log, the chain and the control loop, published when they are about to be read. */
import type { ChainBlock } from './payload/chain-block.ts';
import type { Metrics } from './ports.ts';
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

/** Sets every gauge; `head` is the committed one, null while no payload is held. */
export function publishGauges(
  metrics: Metrics,
  {
    status,
    head,
    control,
  }: { readonly status: RaftStatus; readonly head: ChainBlock | null; readonly control: ControlState },
): void {
  const isLeader = status.role === 'leader';
  metrics.gauge('raft_term', status.term);
  metrics.gauge('raft_is_leader', isLeader ? 1 : 0);
  metrics.gauge('raft_recovering', status.isRecovering ? 1 : 0);
  metrics.gauge('raft_commit_index', status.commitIndex);
  metrics.gauge('raft_applied_index', status.appliedIndex);
  metrics.gauge('raft_last_index', status.lastIndex);
  metrics.gauge('leader', isLeader || control.isOverridden ? 1 : 0);
  metrics.gauge('leader_overridden', control.isOverridden ? 1 : 0);
  metrics.gauge('active', control.isPaused || control.isStopped ? 0 : 1);
  metrics.gauge('paused', control.isPaused ? 1 : 0);
  metrics.gauge('sequencer_healthy', control.isHealthy ? 1 : 0);
  metrics.gauge('sequencer_active', control.isSequencing === null ? Number.NaN : control.isSequencing ? 1 : 0);
  if (head !== null) metrics.gauge('committed_block_number', Number(head.number));
  for (const peer of status.peers)
    metrics.gauge('raft_peer_lag_entries', status.lastIndex - peer.match, { peer: peer.id });
}
