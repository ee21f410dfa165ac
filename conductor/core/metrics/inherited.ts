/** Families that op-conductor exports: names, labels and buckets are its own, so that dashboards and alerts go on working. */
import { counter, gauge, histogram, defaultBuckets, type MetricDefinition } from './definition.ts';

export const inheritedMetrics = [
  gauge('info', 'Version of the binary, as a label', 'version'),
  gauge('up', '1 once the conductor has started'),
  counter('healthchecks_count', 'Health checks by result and cause', 'success', 'error'),
  {
    ...counter('leader_transfers_count', 'Leadership transfers tried by this node', 'success'),
    known: ['true', 'false'],
  },
  { ...counter('sequencer_starts_count', 'Attempts to start the sequencer', 'success'), known: ['true', 'false'] },
  { ...counter('sequencer_stops_count', 'Attempts to stop the sequencer', 'success'), known: ['true', 'false'] },
  counter('state_changes_count', 'Changes of the control state', 'leader', 'healthy', 'active'),
  histogram('loop_execution_time', 'Seconds per pass of the control loop', defaultBuckets),
  counter('rollup_boost_connection_attempts_count', 'Connections tried to the flashblocks source', 'success', 'source'),
  gauge('websocket_clients_connected', 'Flashblocks clients connected'),
  counter('rpc_server_requests_total', 'RPC calls received', 'rpc', 'method'),
  counter('rpc_server_responses_total', 'RPC answers by error', 'rpc', 'method', 'error'),
  histogram('rpc_server_request_duration_seconds', 'Seconds from call to answer', defaultBuckets, 'rpc', 'method'),
  counter('rpc_server_params_size_total', 'Bytes of call parameters', 'rpc', 'method'),
  counter('rpc_server_results_size_total', 'Bytes of results', 'rpc', 'method'),
] as const satisfies readonly MetricDefinition[];
