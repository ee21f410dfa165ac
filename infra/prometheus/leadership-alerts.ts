/** Alerts about who leads, and whether a majority is there to lead. */
import type { AlertGroup } from './alert.ts';

export const leadershipAlerts: AlertGroup = {
  runbook: 'leadership',
  alerts: [
    {
      name: 'ConductorNoLeader',
      severity: 'critical',
      for: '30s',
      expr: 'max by (CLUSTER) (op_conductor_raft_leader_known) == 0',
      summary: 'No conductor of {{ $labels.CLUSTER }} leads or hears a leader: no block can be committed.',
    },
    {
      name: 'ConductorTwoLeaders',
      severity: 'critical',
      for: '30s',
      expr: 'sum by (CLUSTER) (op_conductor_raft_is_leader) > 1',
      summary: '{{ $value }} conductors of {{ $labels.CLUSTER }} lead at the same time: there may be two clusters.',
    },
    {
      name: 'ConductorTwoSequencers',
      severity: 'critical',
      for: '30s',
      expr: 'count by (CLUSTER) (op_conductor_sequencer_active == 1) > 1',
      summary: '{{ $value }} sequencers of {{ $labels.CLUSTER }} build blocks; only one of them can commit.',
    },
    {
      name: 'ConductorQuorumAtRisk',
      severity: 'critical',
      for: '2m',
      expr: 'count by (CLUSTER) (op_conductor_raft_peer_contact_seconds{suffrage="voter"} > 10) >= on (CLUSTER) floor((max by (CLUSTER) (op_conductor_raft_voters) - 1) / 2)',
      summary: 'Voters of {{ $labels.CLUSTER }} that are silent: {{ $value }}. One more failure stops the chain.',
    },
    {
      name: 'ConductorFollowerLagging',
      severity: 'warning',
      for: '2m',
      expr: 'max by (CLUSTER, peer) (op_conductor_raft_peer_lag_entries) > 100',
      summary: 'Conductor {{ $labels.peer }} is {{ $value }} log entries behind the leader of {{ $labels.CLUSTER }}.',
    },
    {
      name: 'ConductorLeadershipFlapping',
      severity: 'warning',
      for: '1m',
      expr: 'sum by (CLUSTER) (increase(op_conductor_raft_elections_total{role="leader"}[15m])) > 3',
      summary: 'Leadership of {{ $labels.CLUSTER }} moved {{ $value | printf "%.0f" }} times within 15 minutes.',
    },
    {
      name: 'ConductorTransfersFail',
      severity: 'warning',
      for: '1m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_leader_transfers_count{success="false"}[10m])) > 2',
      summary: 'The conductor at {{ $labels.instance }} tries to hand leadership over and cannot.',
    },
    {
      name: 'ConductorMembershipDiffers',
      severity: 'warning',
      for: '5m',
      expr: 'max by (CLUSTER) (op_conductor_raft_voters) != min by (CLUSTER) (op_conductor_raft_voters)',
      summary: 'The conductors of {{ $labels.CLUSTER }} do not know the same voters: one is not a member, or cut off.',
    },
    {
      name: 'ConductorRecovering',
      severity: 'warning',
      for: '15m',
      expr: 'op_conductor_raft_recovering == 1',
      summary: 'The conductor at {{ $labels.instance }} began with an empty log and still may not vote.',
    },
    {
      name: 'ConductorPaused',
      severity: 'warning',
      for: '15m',
      expr: 'op_conductor_active == 0',
      summary: 'The conductor at {{ $labels.instance }} is paused or stopped: it does not start or stop its sequencer.',
    },
    {
      name: 'ConductorOverridden',
      severity: 'warning',
      for: '10m',
      expr: 'op_conductor_leader_overridden == 1',
      summary: 'Leadership is overridden at {{ $labels.instance }}: it says that it leads whether or not it does.',
    },
    {
      name: 'ConductorOverrideConflict',
      severity: 'critical',
      for: '0m',
      expr: 'sum by (CLUSTER, instance) (increase(op_conductor_alarms_total{kind="override"}[10m])) > 0',
      summary:
        'Leadership is overridden at {{ $labels.instance }} while another conductor leads: two sequencers may build.',
    },
  ],
};
