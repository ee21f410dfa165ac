/** The gauges of the log and the chain, published when they are about to be read. */
import type { ChainBlock } from './payload/chain-block.ts';
import type { Metrics } from './ports.ts';
import type { RaftStatus } from './raft/status.ts';

/** Sets every gauge of raft and of the committed head; `head` is null while no payload is held. */
export function publishGauges(metrics: Metrics, status: RaftStatus, head: ChainBlock | null): void {
  metrics.gauge('raft_term', status.term);
  metrics.gauge('raft_is_leader', status.role === 'leader' ? 1 : 0);
  metrics.gauge('raft_recovering', status.isRecovering ? 1 : 0);
  metrics.gauge('raft_commit_index', status.commitIndex);
  metrics.gauge('raft_applied_index', status.appliedIndex);
  metrics.gauge('raft_last_index', status.lastIndex);
  if (head !== null) metrics.gauge('committed_block_number', Number(head.number));
  for (const peer of status.peers)
    metrics.gauge('raft_peer_lag_entries', status.lastIndex - peer.match, { peer: peer.id });
}
