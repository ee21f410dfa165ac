/** Families of the replicated log and its members: terms, indexes, peers, elections, how long a failover took. */
import { failoverBuckets, type MetricDefinition } from './definition.ts';

export const clusterMetrics = [
  { name: 'raft_term', type: 'gauge', help: 'Current term', labels: [] },
  { name: 'raft_is_leader', type: 'gauge', help: '1 while this node leads', labels: [] },
  {
    name: 'raft_recovering',
    type: 'gauge',
    help: '1 while this node catches up after starting with an empty store, and does not vote',
    labels: [],
  },
  { name: 'raft_commit_index', type: 'gauge', help: 'Highest index known to be committed', labels: [] },
  { name: 'raft_applied_index', type: 'gauge', help: 'Highest index applied to the payload chain', labels: [] },
  { name: 'raft_last_index', type: 'gauge', help: 'Last index of the log', labels: [] },
  {
    name: 'raft_leader_known',
    type: 'gauge',
    help: '1 while this node leads, or was in contact with its leader within the last ten seconds',
    labels: [],
  },
  { name: 'raft_voters', type: 'gauge', help: 'Voters of the cluster as this node knows it', labels: [] },
  { name: 'raft_peer_lag_entries', type: 'gauge', help: "Entries a peer is behind the leader's log", labels: ['peer'] },
  {
    name: 'raft_peer_contact_seconds',
    type: 'gauge',
    help: 'Seconds since a peer last answered the leader',
    labels: ['peer', 'suffrage'],
  },
  {
    name: 'node_head_number',
    type: 'gauge',
    help: "Number of the unsafe head of a member's op-node, as this node knows it; a follower knows itself and its leader",
    labels: ['peer'],
  },
  {
    name: 'client_head_number',
    type: 'gauge',
    help: "Number of the head of a member's execution client, as this node knows it",
    labels: ['peer'],
  },
  {
    name: 'node_verdict',
    type: 'gauge',
    help: "What a member's node shows about the newest committed block: 1 for the one that holds",
    labels: ['peer', 'verdict'],
  },
  {
    name: 'node_word_age_seconds',
    type: 'gauge',
    help: 'Seconds since a member told this node, or since it looked at its own op-node and client',
    labels: ['peer'],
  },
  {
    name: 'raft_elections_total',
    type: 'counter',
    help: 'Times this node became candidate or leader',
    labels: ['role'],
    known: ['candidate', 'leader'],
  },
  {
    name: 'failover_seconds',
    type: 'histogram',
    help: 'Seconds from losing another leader to the start of the own sequencer',
    labels: [],
    buckets: failoverBuckets,
  },
] as const satisfies readonly MetricDefinition[];
