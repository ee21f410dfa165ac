/** Alerts about the sequencers and the chain that they build. */
import type { AlertGroup } from './alert.ts';

export const sequencerAlerts: AlertGroup = {
  runbook: 'sequencer',
  alerts: [
    {
      name: 'ConductorNoBlock',
      severity: 'critical',
      for: '30s',
      expr: 'time() - max by (CLUSTER) (op_conductor_committed_block_time_seconds) > 30',
      summary:
        'The last committed block of {{ $labels.CLUSTER }} is {{ $value | humanizeDuration }} old: the chain has stopped.',
    },
    {
      name: 'ConductorLeaderUnhealthy',
      severity: 'critical',
      for: '1m',
      expr: 'op_conductor_sequencer_healthy == 0 and on (job, instance) op_conductor_raft_is_leader == 1',
      summary: 'The leader at {{ $labels.instance }} has an unhealthy sequencer and keeps leadership.',
    },
    {
      name: 'ConductorSequencerUnhealthy',
      severity: 'warning',
      for: '30s',
      expr: 'sum by (CLUSTER, instance, error) (increase(op_conductor_healthchecks_count{success="false"}[2m])) > 0 unless on (CLUSTER, instance) sum by (CLUSTER, instance) (increase(op_conductor_healthchecks_count{success="true"}[2m])) > 0',
      summary: 'No health check of the sequencer at {{ $labels.instance }} succeeds: {{ $labels.error }}.',
    },
    {
      name: 'ConductorSequencerStartFails',
      severity: 'critical',
      for: '1m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_sequencer_starts_count{success="false"}[5m])) > 2',
      summary: 'The leader at {{ $labels.instance }} cannot start its sequencer.',
    },
    {
      name: 'ConductorSequencerStopFails',
      severity: 'warning',
      for: '1m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_sequencer_stops_count{success="false"}[5m])) > 2',
      summary: 'The conductor at {{ $labels.instance }} cannot stop its sequencer, which continues to build in vain.',
    },
    {
      name: 'ConductorNoHealthyPeer',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="no-healthy-peer"}[5m])) > 0',
      summary: 'The sequencer at {{ $labels.instance }} is unhealthy and no other can take over.',
    },
    {
      name: 'ConductorOtherBranch',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="other-branch"}[5m])) > 0',
      summary: 'The node at {{ $labels.instance }} is not on the committed chain, and its sequencer is not started.',
    },
    {
      name: 'ConductorNodeOff',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="node-off"}[5m])) > 0',
      summary: 'The node at {{ $labels.instance }} does not accept the committed blocks that it lacks.',
    },
    {
      name: 'ConductorRollbackRefused',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="rollback-refused"}[5m])) > 0',
      summary: 'The rollup has left the committed chain, and the leader at {{ $labels.instance }} may not follow it.',
    },
    {
      name: 'ConductorBadSeals',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="bad-seals"}[5m])) > 0',
      summary:
        'The sequencer at {{ $labels.instance }} seals invalid blocks; with the engine API none of them is committed.',
    },
    {
      name: 'ConductorUnvalidated',
      severity: 'warning',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="unvalidated"}[5m])) > 0',
      summary: 'The leader at {{ $labels.instance }} commits blocks without a verdict of its execution client.',
    },
    {
      name: 'ConductorInvalidCommitted',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="invalid-committed"}[5m])) > 0',
      summary:
        'The execution client at {{ $labels.instance }} refused a block after the commit had stopped waiting for it.',
    },
    {
      name: 'ConductorNodeAgainst',
      severity: 'warning',
      for: '15s',
      expr: 'max by (CLUSTER, peer, verdict) (op_conductor_node_verdict{verdict=~"l1|left|invalid|notTaken"}) == 1',
      summary: 'The node of {{ $labels.peer }} is against the newest committed block: {{ $labels.verdict }}.',
    },
    {
      name: 'ConductorClientBehind',
      severity: 'warning',
      for: '30s',
      expr: 'max by (CLUSTER, peer) (op_conductor_client_head_number) - on (CLUSTER) group_left () max by (CLUSTER) (op_conductor_committed_block_number) < -20',
      summary: 'The execution client of {{ $labels.peer }} is more than 20 blocks behind the committed head.',
    },
    {
      name: 'ConductorChainMovedBack',
      severity: 'warning',
      for: '0m',
      expr: 'sum by (CLUSTER) (increase(op_conductor_rollbacks_total[15m])) > 0',
      summary: 'The committed chain of {{ $labels.CLUSTER }} was rolled back: unsafe blocks were replaced.',
    },
    {
      name: 'ConductorPayloadsRefused',
      severity: 'warning',
      for: '2m',
      expr: 'sum by (CLUSTER, instance, reason) (increase(op_conductor_payloads_refused_total{reason!="not-leader"}[5m])) > 10',
      summary: 'The leader at {{ $labels.instance }} refuses the blocks of its node: {{ $labels.reason }}.',
    },
    {
      name: 'ConductorUncommitted',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="uncommitted"}[5m])) > 0',
      summary: 'The node of the leader at {{ $labels.instance }} gets new blocks that are not offered for commit.',
    },
    {
      name: 'ConductorOutcomesUnknown',
      severity: 'warning',
      for: '0m',
      expr: 'sum by (CLUSTER) (increase(op_conductor_payloads_unknown_total[10m])) > 5',
      summary:
        'The outcome of {{ $value | printf "%.0f" }} commits of {{ $labels.CLUSTER }} was unknown within 10 minutes.',
    },
    {
      name: 'ConductorCommitsSlow',
      severity: 'warning',
      for: '5m',
      expr: 'histogram_quantile(0.99, sum by (CLUSTER, instance, le) (rate(op_conductor_commit_seconds_bucket[5m]))) > 0.5',
      summary: 'One commit of a hundred at {{ $labels.instance }} takes {{ $value | humanizeDuration }} or longer.',
    },
  ],
};
