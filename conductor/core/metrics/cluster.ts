/** Families of the replicated log and its members: terms, indexes, peers, elections, how long a failover took. */
import { counter, gauge, histogram, failoverBuckets, type MetricDefinition } from './definition.ts';

export const clusterMetrics = [
  gauge('raft_term', 'Current term'),
  gauge('raft_is_leader', '1 while this node leads'),
  gauge('raft_recovering', '1 while this node catches up after starting with an empty store, and does not vote'),
  gauge('raft_commit_index', 'Highest index known to be committed'),
  gauge('raft_applied_index', 'Highest index applied to the payload chain'),
  gauge('raft_last_index', 'Last index of the log'),
  gauge('raft_leader_known', '1 while this node leads, or was in contact with its leader within the last ten seconds'),
  gauge('raft_voters', 'Voters of the cluster as this node knows it'),
  gauge('raft_peer_lag_entries', "Entries a peer is behind the leader's log", 'peer'),
  gauge('raft_peer_contact_seconds', 'Seconds since a peer last answered the leader', 'peer', 'suffrage'),
  gauge(
    'node_head_number',
    "Number of the unsafe head of a member's op-node, as this node knows it; a follower knows itself and its leader",
    'peer',
  ),
  gauge('client_head_number', "Number of the head of a member's execution client, as this node knows it", 'peer'),
  gauge(
    'node_verdict',
    "What a member's node shows about the newest committed block: 1 for the one that holds",
    'peer',
    'verdict',
  ),
  gauge(
    'node_word_age_seconds',
    'Seconds since a member told this node, or since it looked at its own op-node and client',
    'peer',
  ),
  {
    ...counter('raft_elections_total', 'Times this node became candidate or leader', 'role'),
    known: ['candidate', 'leader'],
  },
  histogram(
    'failover_seconds',
    'Seconds from losing another leader to the start of the own sequencer',
    failoverBuckets,
  ),
] as const satisfies readonly MetricDefinition[];
