/** Rows about the processes, their disks and their callers. */
import type { PanelRow } from './panel.ts';

export const machineRows: readonly PanelRow[] = [
  {
    title: 'Processes and disks',
    height: 7,
    panels: [
      {
        title: 'Memory',
        kind: 'lines',
        width: 6,
        help: 'Resident. Between 100 and 300 MB is normal.',
        queries: [
          { expr: 'process_resident_memory_bytes and on (job, instance) op_conductor_up', legend: '{{instance}}' },
        ],
        unit: 'bytes',
      },
      {
        title: 'Processor',
        kind: 'lines',
        width: 6,
        help: 'Cores in use. A few hundredths at one block a second.',
        queries: [
          {
            expr: 'rate(process_cpu_seconds_total[5m]) and on (job, instance) op_conductor_up',
            legend: '{{instance}}',
          },
        ],
        unit: 'short',
      },
      {
        title: 'Lateness of timers',
        kind: 'lines',
        width: 6,
        help: 'The latest of a hundred. Half a second costs a leader its lease.',
        queries: [
          {
            expr: 'histogram_quantile(0.99, sum by (instance, le) (rate(op_conductor_loop_lag_seconds_bucket[5m])))',
            legend: '{{instance}}',
          },
        ],
        unit: 's',
      },
      {
        title: 'Passes of the control loop',
        kind: 'lines',
        width: 6,
        help: 'Duration of the slowest of a hundred. Starting a sequencer takes as long as its node needs.',
        queries: [
          {
            expr: 'histogram_quantile(0.99, sum by (instance, le) (rate(op_conductor_loop_execution_time_bucket[5m])))',
            legend: '{{instance}}',
          },
        ],
        unit: 's',
      },
      {
        title: 'Room on the disk',
        kind: 'lines',
        width: 6,
        help: 'Of the volume with the log. At 0 the conductor ends.',
        queries: [
          { expr: 'op_conductor_storage_free_bytes / op_conductor_storage_size_bytes', legend: '{{instance}}' },
        ],
        unit: 'percentunit',
      },
      {
        title: 'Durable writes',
        kind: 'lines',
        width: 6,
        help: 'The slowest of a hundred, and how many were slow enough to be counted.',
        queries: [
          {
            expr: 'histogram_quantile(0.99, sum by (instance, le) (rate(op_conductor_fsync_seconds_bucket[5m])))',
            legend: '{{instance}}',
          },
        ],
        unit: 's',
      },
      {
        title: 'Raft connections',
        kind: 'lines',
        width: 6,
        help: 'Open ones. With two peers a leader has several in each direction.',
        queries: [{ expr: 'op_conductor_raft_connections', legend: '{{instance}} {{direction}}' }],
        unit: 'none',
      },
      {
        title: 'Raft trouble',
        kind: 'lines',
        width: 6,
        help: 'Dials that failed and connections refused, per 5 minutes. A server that is down causes the first.',
        queries: [
          {
            expr: 'sum by (instance, reason) (increase(op_conductor_raft_dial_failures_total[5m]))',
            legend: '{{instance}} dial: {{reason}}',
          },
          {
            expr: 'sum by (instance, reason) (increase(op_conductor_raft_connections_rejected_total[5m]))',
            legend: '{{instance}} refused: {{reason}}',
          },
        ],
        unit: 'short',
      },
    ],
  },
  {
    title: 'Callers and versions',
    height: 7,
    panels: [
      {
        title: 'Calls',
        kind: 'lines',
        width: 6,
        help: 'JSON-RPC calls per second, by method.',
        queries: [{ expr: 'sum by (method) (rate(op_conductor_rpc_server_requests_total[5m]))', legend: '{{method}}' }],
        unit: 'reqps',
      },
      {
        title: 'Duration of calls',
        kind: 'lines',
        width: 6,
        help: 'The slowest of a hundred, by method.',
        queries: [
          {
            expr: 'histogram_quantile(0.99, sum by (method, le) (rate(op_conductor_rpc_server_request_duration_seconds_bucket[5m])))',
            legend: '{{method}}',
          },
        ],
        unit: 's',
      },
      {
        title: 'Admin calls',
        kind: 'lines',
        width: 6,
        help: 'Who did what is in the log, in lines with the message admin call.',
        queries: [
          {
            expr: 'sum by (method, outcome) (increase(op_conductor_admin_calls_total[5m]))',
            legend: '{{method}}: {{outcome}}',
          },
        ],
        unit: 'short',
      },
      {
        title: 'Versions',
        kind: 'list',
        width: 6,
        help: 'What runs where.',
        queries: [{ expr: 'op_conductor_info', legend: '' }],
      },
    ],
  },
];
