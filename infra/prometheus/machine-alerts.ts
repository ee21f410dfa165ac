/** Alerts about the processes and the machines under them. */
import type { AlertGroup } from './alert.ts';

/** Conductors of the last week: what `up` alone does not tell. One that stays down longer is no longer known as one. */
const seen = 'last_over_time(op_conductor_up[7d])';
const target = (condition: string): string => `${condition} and on (job, instance) ${seen}`;

export const machineAlerts: AlertGroup = {
  runbook: 'machine',
  alerts: [
    {
      name: 'ConductorDown',
      severity: 'warning',
      for: '1m',
      expr: target('up == 0'),
      summary: 'The conductor at {{ $labels.instance }} cannot be scraped: it is down or cut off.',
    },
    {
      name: 'ConductorMissing',
      severity: 'warning',
      for: '5m',
      // What is down counts here: ConductorDown tells of it. A pod that is replaced has a new name, which nobody has seen up.
      expr: `count by (CLUSTER) (${target('up')}) < on (CLUSTER) max by (CLUSTER) (op_conductor_raft_voters)`,
      summary: 'Prometheus knows {{ $value }} conductors of {{ $labels.CLUSTER }}, and the cluster has more voters.',
    },
    {
      name: 'ConductorAllDown',
      severity: 'critical',
      for: '1m',
      expr: `count by (CLUSTER) (${target('up == 0')}) == on (CLUSTER) count by (CLUSTER) (${target('up')})`,
      summary: 'No conductor of {{ $labels.CLUSTER }} can be scraped.',
    },
    {
      name: 'ConductorTargetsGone',
      severity: 'critical',
      for: '5m',
      expr: `(count by (CLUSTER) (${seen}) unless on (CLUSTER) count by (CLUSTER) (${target('up')})) or absent(${seen})`,
      summary:
        'Prometheus has no target left that is a conductor of {{ or $labels.CLUSTER "any cluster" }}: nobody watches it.',
    },
    {
      name: 'ConductorRestarting',
      severity: 'warning',
      for: '0m',
      expr: 'changes(process_start_time_seconds[15m]) > 2 and on (job, instance) last_over_time(op_conductor_up[15m])',
      summary: 'The conductor at {{ $labels.instance }} was started {{ $value }} times within 15 minutes.',
    },
    {
      name: 'ConductorDiskFillsUp',
      severity: 'warning',
      for: '10m',
      expr: 'op_conductor_storage_free_bytes / op_conductor_storage_size_bytes < 0.15',
      summary: 'The volume of the log at {{ $labels.instance }} has {{ $value | humanizePercentage }} left.',
    },
    {
      name: 'ConductorDiskAlmostFull',
      severity: 'critical',
      for: '1m',
      expr: 'op_conductor_storage_free_bytes / op_conductor_storage_size_bytes < 0.03',
      summary:
        'The volume of the log at {{ $labels.instance }} has {{ $value | humanizePercentage }} left; a full one ends the conductor.',
    },
    {
      name: 'ConductorSlowDisk',
      severity: 'warning',
      for: '5m',
      expr: 'increase(op_conductor_slow_writes_total[10m]) > 10',
      summary:
        '{{ $value | printf "%.0f" }} writes of the conductor at {{ $labels.instance }} within 10 minutes were too slow.',
    },
    {
      name: 'ConductorLoopLag',
      severity: 'warning',
      for: '5m',
      expr: 'histogram_quantile(0.99, sum by (CLUSTER, instance, le) (rate(op_conductor_loop_lag_seconds_bucket[5m]))) > 0.1',
      summary:
        'Timers of the conductor at {{ $labels.instance }} come {{ $value | humanizeDuration }} late: it gets too little CPU time.',
    },
    {
      name: 'ConductorMemory',
      severity: 'warning',
      for: '15m',
      expr: 'process_resident_memory_bytes > 1e9 and on (job, instance) op_conductor_up',
      summary: 'The conductor at {{ $labels.instance }} uses {{ $value | humanize1024 }}B of memory.',
    },
    {
      name: 'ConductorCertificateExpires',
      severity: 'warning',
      for: '1h',
      expr: 'op_conductor_tls_certificate_expiry_seconds - time() < 14 * 86400',
      summary: 'The raft certificate at {{ $labels.instance }} expires in {{ $value | humanizeDuration }}.',
    },
    {
      name: 'ConductorCertificateExpired',
      severity: 'critical',
      for: '1m',
      expr: 'op_conductor_tls_certificate_expiry_seconds - time() < 86400',
      summary:
        'The raft certificate at {{ $labels.instance }} has expired or will within a day: the others will refuse it.',
    },
    {
      name: 'ConductorPortClosed',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="port-closed"}[5m])) > 0',
      summary:
        'The raft port at {{ $labels.instance }} is closed since its TLS files were renewed: others cannot connect.',
    },
    {
      name: 'ConductorConnectionsRefused',
      severity: 'warning',
      for: '2m',
      expr: 'sum by (CLUSTER, instance, reason) (increase(op_conductor_raft_connections_rejected_total[10m])) > 10',
      summary: 'The conductor at {{ $labels.instance }} refuses raft connections: {{ $labels.reason }}.',
    },
    {
      name: 'ConductorCallersRefused',
      severity: 'warning',
      for: '0m',
      expr: 'sum by (CLUSTER, instance, method) (increase(op_conductor_admin_calls_total{outcome="unauthorized"}[10m])) > 5',
      summary: 'Somebody calls {{ $labels.method }} at {{ $labels.instance }} without a valid token.',
    },
    {
      name: 'ConductorVersionsDiffer',
      severity: 'warning',
      for: '2h',
      expr: 'count by (CLUSTER) (count by (CLUSTER, version) (op_conductor_info)) > 1',
      summary: 'The conductors of {{ $labels.CLUSTER }} run {{ $value }} different versions.',
    },
  ],
};
