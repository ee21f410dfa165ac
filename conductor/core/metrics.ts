/**
 * The metric table: every family the process exports. The first part keeps op-conductor's names,
 * labels and buckets, so that dashboards and alerts go on working; the second part is ours.
 * The exporter and the docs are made from it, and it types what code may count, set and observe: a family that is not
 * in the table, and a label that is not its own, do not compile; a row that nothing records fails a test.
 */

/** One metric family. `name` is without the namespace `op_conductor_`. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending, without +Inf; histograms only. */
  readonly buckets?: readonly number[];
  /** Values of the one label that are on the page from the start, at 0, so that alerts can watch their rise. */
  readonly known?: readonly string[];
  /** True where op-conductor exports the same family. */
  readonly inherited?: true;
}

export const metricNamespace = 'op_conductor';

const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const failoverBuckets = [0.05, 0.1, 0.15, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30];
const fineBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const inherited = [
  { name: 'info', type: 'gauge', help: 'Version of the binary, as a label', labels: ['version'] },
  { name: 'up', type: 'gauge', help: '1 once the conductor has started', labels: [] },
  {
    name: 'healthchecks_count',
    type: 'counter',
    help: 'Health checks by result and cause',
    labels: ['success', 'error'],
  },
  {
    name: 'leader_transfers_count',
    type: 'counter',
    help: 'Leadership transfers tried by this node',
    labels: ['success'],
    known: ['true', 'false'],
  },
  {
    name: 'sequencer_starts_count',
    type: 'counter',
    help: 'Attempts to start the sequencer',
    labels: ['success'],
    known: ['true', 'false'],
  },
  {
    name: 'sequencer_stops_count',
    type: 'counter',
    help: 'Attempts to stop the sequencer',
    labels: ['success'],
    known: ['true', 'false'],
  },
  {
    name: 'state_changes_count',
    type: 'counter',
    help: 'Changes of the control state',
    labels: ['leader', 'healthy', 'active'],
  },
  {
    name: 'loop_execution_time',
    type: 'histogram',
    help: 'Seconds per pass of the control loop',
    labels: [],
    buckets: defaultBuckets,
  },
  {
    name: 'rollup_boost_connection_attempts_count',
    type: 'counter',
    help: 'Connections tried to the flashblocks source',
    labels: ['success', 'source'],
  },
  { name: 'websocket_clients_connected', type: 'gauge', help: 'Flashblocks clients connected', labels: [] },
  { name: 'rpc_server_requests_total', type: 'counter', help: 'RPC calls received', labels: ['rpc', 'method'] },
  {
    name: 'rpc_server_responses_total',
    type: 'counter',
    help: 'RPC answers by error',
    labels: ['rpc', 'method', 'error'],
  },
  {
    name: 'rpc_server_request_duration_seconds',
    type: 'histogram',
    help: 'Seconds from call to answer',
    labels: ['rpc', 'method'],
    buckets: defaultBuckets,
  },
  {
    name: 'rpc_server_params_size_total',
    type: 'counter',
    help: 'Bytes of call parameters',
    labels: ['rpc', 'method'],
  },
  { name: 'rpc_server_results_size_total', type: 'counter', help: 'Bytes of results', labels: ['rpc', 'method'] },
] as const satisfies readonly MetricDefinition[];

const own = [
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
  { name: 'leader', type: 'gauge', help: '1 while this node answers that it leads, overridden or not', labels: [] },
  { name: 'leader_overridden', type: 'gauge', help: '1 while leadership is overridden here', labels: [] },
  { name: 'active', type: 'gauge', help: '1 while the conductor is neither paused nor stopped', labels: [] },
  { name: 'paused', type: 'gauge', help: '1 while the control loop is paused', labels: [] },
  { name: 'sequencer_healthy', type: 'gauge', help: '1 while the last health check was good', labels: [] },
  {
    name: 'sequencer_active',
    type: 'gauge',
    help: '1 while the own sequencer is believed to run, NaN while that is not known',
    labels: [],
  },
  { name: 'committed_block_number', type: 'gauge', help: 'Number of the committed unsafe head', labels: [] },
  {
    name: 'committed_block_time_seconds',
    type: 'gauge',
    help: 'Time of the committed unsafe head, in seconds of the Unix epoch',
    labels: [],
  },
  {
    name: 'commit_seconds',
    type: 'histogram',
    help: 'Seconds from an admitted payload to its commit',
    labels: [],
    buckets: fineBuckets,
  },
  {
    name: 'payloads_refused_total',
    type: 'counter',
    help: 'Payloads not admitted, by reason',
    labels: ['reason'],
    known: ['malformed', 'not-leader', 'block-hash', 'invalid', 'height-held', 'parent-mismatch', 'below-chain', 'gap'],
  },
  {
    name: 'validations_total',
    type: 'counter',
    help: 'Blocks that the own execution client was given before they were appended, by what it said',
    labels: ['verdict', 'late'],
  },
  {
    name: 'voter_validations_total',
    type: 'counter',
    help: 'The same of the other voters that a leader asked, with --consensus.validate=quorum',
    labels: ['voter', 'verdict'],
  },
  {
    name: 'payloads_unvalidated_total',
    type: 'counter',
    help: 'Blocks that went on without a verdict of the execution client, by reason',
    labels: ['reason'],
  },
  {
    name: 'bad_seals_total',
    type: 'counter',
    help: 'Invalid blocks of the own sequencer, by what was done',
    labels: ['action'],
    known: ['dropJob', 'handOver', 'recover', 'dropLater'],
  },
  { name: 'payload_gaps_total', type: 'counter', help: 'Payloads accepted above a gap of heights', labels: [] },
  {
    name: 'rollbacks_total',
    type: 'counter',
    help: 'Times this leader moved the committed chain back with the rollup',
    labels: [],
  },
  { name: 'payloads_unknown_total', type: 'counter', help: 'Payloads whose outcome could not be told', labels: [] },
  { name: 'catch_up_payloads_total', type: 'counter', help: 'Committed payloads posted to the own node', labels: [] },
  {
    name: 'engine_requests_total',
    type: 'counter',
    help: 'Requests to the engine API, by method and how they ended',
    labels: ['method', 'outcome'],
  },
  {
    name: 'engine_request_seconds',
    type: 'histogram',
    help: 'Seconds from a request to the engine API to its end',
    labels: ['method'],
    buckets: fineBuckets,
  },
  { name: 'fsync_seconds', type: 'histogram', help: 'Seconds per durable write', labels: [], buckets: fineBuckets },
  {
    name: 'slow_writes_total',
    type: 'counter',
    help: 'Durable writes longer than a tenth of the heartbeat timeout',
    labels: [],
  },
  { name: 'storage_size_bytes', type: 'gauge', help: 'Size of the volume that holds the raft log', labels: [] },
  {
    name: 'storage_free_bytes',
    type: 'gauge',
    help: 'Bytes of that volume that this process may still use',
    labels: [],
  },
  {
    name: 'tls_certificate_expiry_seconds',
    type: 'gauge',
    help: 'When the raft certificate of this node expires, in seconds of the Unix epoch; only with TLS',
    labels: [],
  },
  {
    name: 'loop_lag_seconds',
    type: 'histogram',
    help: 'Seconds by which timers came late',
    labels: [],
    buckets: fineBuckets,
  },
  {
    name: 'clock_jumps_total',
    type: 'counter',
    help: 'Times the wall clock ran ahead at once: the machine was suspended or moved, or its clock was set',
    labels: [],
  },
  {
    name: 'alarms_total',
    type: 'counter',
    help: 'Conditions that need an operator, by kind',
    labels: ['kind'],
    known: [
      'other-branch',
      'node-off',
      'rollback-refused',
      'no-healthy-peer',
      'bad-seals',
      'unvalidated',
      'invalid-committed',
      'override',
      'own-name',
      'wrong-server',
      'stranger',
      'term-jump',
    ],
  },
  { name: 'raft_connections', type: 'gauge', help: 'Open raft connections', labels: ['direction'] },
  {
    name: 'raft_plain_connections',
    type: 'gauge',
    help: 'Those of them without TLS',
    labels: ['direction'],
  },
  {
    name: 'raft_dial_failures_total',
    type: 'counter',
    help: 'Raft connections that could not be made',
    labels: ['reason'],
  },
  { name: 'raft_requests_failed_total', type: 'counter', help: 'Raft requests without an answer', labels: ['reason'] },
  { name: 'raft_wire_errors_total', type: 'counter', help: 'Raft input that could not be decoded', labels: ['reason'] },
  {
    name: 'raft_connections_rejected_total',
    type: 'counter',
    help: 'Raft connections refused by our side',
    labels: ['reason'],
    known: ['limit', 'displaced', 'unauthorized', 'stalled', 'memory'],
  },
  { name: 'raft_bytes_total', type: 'counter', help: 'Bytes on raft connections', labels: ['direction'] },
  { name: 'raft_send_queue_bytes', type: 'gauge', help: 'Bytes waiting to be sent to peers', labels: [] },
  {
    name: 'flashblocks_messages_total',
    type: 'counter',
    help: 'Flashblocks received, passed on or withheld and why',
    labels: ['outcome'],
  },
  {
    name: 'flashblocks_clients_dropped_total',
    type: 'counter',
    help: 'Flashblocks clients dropped by our side',
    labels: ['reason'],
  },
  {
    name: 'http_rejected_total',
    type: 'counter',
    help: 'HTTP requests refused before dispatch, by status',
    labels: ['status'],
  },
  {
    name: 'http_connections_shed_total',
    type: 'counter',
    help: 'HTTP connections closed at a bound: memory or slow',
    labels: ['reason'],
  },
  {
    name: 'admin_calls_total',
    type: 'counter',
    help: 'Admin calls by method and outcome, refused ones too',
    labels: ['method', 'outcome'],
  },
] as const satisfies readonly MetricDefinition[];

/** Every family, op-conductor's first. */
export const metricTable: readonly MetricDefinition[] = [
  ...inherited.map((one) => ({ ...one, inherited: true as const })),
  ...own,
];

type Row = (typeof inherited)[number] | (typeof own)[number];
type RowOf<Type extends MetricDefinition['type']> = Extract<Row, { readonly type: Type }>;

/** The labels of each family, by its name. */
export type MetricLabels = {
  [Family in Row as Family['name']]: { readonly [Label in Family['labels'][number]]: string };
};
/** Families of a type, by whether they have labels. */
export type PlainMetric<Type extends MetricDefinition['type']> = Extract<
  RowOf<Type>,
  { readonly labels: readonly [] }
>['name'];
export type LabelledMetric<Type extends MetricDefinition['type']> = Exclude<RowOf<Type>['name'], PlainMetric<Type>>;
export type NoLabels = Readonly<Record<string, never>>;
