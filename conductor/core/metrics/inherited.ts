/** Families that op-conductor exports: names, labels and buckets are its own, so that dashboards and alerts go on working. */
import { defaultBuckets, type MetricDefinition } from './definition.ts';

export const inheritedMetrics = [
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
