/** Families of the process itself: its disk, its clock, its connections, its HTTP service. */
import { counter, gauge, histogram, fineBuckets, type MetricDefinition } from './definition.ts';

export const processMetrics = [
  histogram('fsync_seconds', 'Seconds per durable write', fineBuckets),
  counter('slow_writes_total', 'Durable writes longer than a tenth of the heartbeat timeout'),
  gauge('storage_size_bytes', 'Size of the volume that holds the raft log'),
  gauge('storage_free_bytes', 'Bytes of that volume that this process may still use'),
  gauge(
    'tls_certificate_expiry_seconds',
    'When the raft certificate of this node expires, in seconds of the Unix epoch; only with TLS',
  ),
  histogram('loop_lag_seconds', 'Seconds by which timers came late', fineBuckets),
  counter(
    'clock_jumps_total',
    'Times the wall clock ran ahead at once: the machine was suspended or moved, or its clock was set',
  ),
  {
    ...counter('alarms_total', 'Conditions that need an operator, by kind', 'kind'),
    known: [
      'other-branch',
      'node-off',
      'rollback-refused',
      'no-healthy-peer',
      'uncommitted',
      'bad-seals',
      'unvalidated',
      'invalid-committed',
      'override',
      'override-idle',
      'override-behind',
      'own-name',
      'wrong-server',
      'stranger',
      'term-jump',
      'second-leader',
      'port-closed',
    ],
  },
  gauge('raft_connections', 'Open raft connections', 'direction'),
  gauge('raft_plain_connections', 'Those of them without TLS', 'direction'),
  counter('raft_dial_failures_total', 'Raft connections that could not be made', 'reason'),
  counter('raft_requests_failed_total', 'Raft requests without an answer', 'reason'),
  counter('raft_wire_errors_total', 'Raft input that could not be decoded', 'reason'),
  {
    ...counter('raft_connections_rejected_total', 'Raft connections refused by our side', 'reason'),
    known: ['limit', 'displaced', 'unauthorized', 'stalled', 'memory'],
  },
  counter('raft_bytes_total', 'Bytes on raft connections', 'direction'),
  gauge('raft_send_queue_bytes', 'Bytes waiting to be sent to peers'),
  counter('flashblocks_messages_total', 'Flashblocks received, passed on or withheld and why', 'outcome'),
  counter('flashblocks_clients_dropped_total', 'Flashblocks clients dropped by our side', 'reason'),
  counter('http_rejected_total', 'HTTP requests refused before dispatch, by status', 'status'),
  counter('http_connections_shed_total', 'HTTP connections closed at a bound: memory or slow', 'reason'),
  counter('admin_calls_total', 'Admin calls by method and outcome, refused ones too', 'method', 'outcome'),
  {
    ...counter(
      'trace_spans_lost_total',
      'Spans of traces that no collector has: it did not take them, or too many waited for it',
      'reason',
    ),
    known: ['collector', 'full'],
  },
] as const satisfies readonly MetricDefinition[];
