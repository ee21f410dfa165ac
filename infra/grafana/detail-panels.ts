/** Rows for finding out why: leadership, blocks, the sequencers. */
import type { PanelRow } from './panel.ts';

export const detailRows: readonly PanelRow[] = [
  {
    title: 'Leadership',
    height: 7,
    panels: [
      {
        title: 'Term',
        kind: 'lines',
        width: 6,
        help: 'Rises with every election. All lines lie on each other; one that climbs alone cannot reach the others.',
        queries: [{ expr: 'op_conductor_raft_term', legend: '{{instance}}' }],
        unit: 'none',
      },
      {
        title: 'Elections',
        kind: 'lines',
        width: 6,
        help: 'Candidates and winners per 5 minutes. Candidates without winners: a majority is missing.',
        queries: [{ expr: 'sum by (role) (increase(op_conductor_raft_elections_total[5m]))', legend: '{{role}}' }],
        unit: 'short',
      },
      {
        title: 'Failovers and transfers',
        kind: 'lines',
        width: 6,
        help: 'Takeovers from a lost leader, and leadership handed on by request, per 5 minutes.',
        queries: [
          { expr: 'sum(increase(op_conductor_failover_seconds_count[5m]))', legend: 'failovers' },
          {
            expr: 'sum by (success) (increase(op_conductor_leader_transfers_count[5m]))',
            legend: 'transfers, success {{success}}',
          },
        ],
        unit: 'short',
      },
      {
        title: 'Duration of failovers',
        kind: 'lines',
        width: 6,
        help: 'From losing the leader to starting the own sequencer: the slower half and the slowest of the last hour.',
        queries: [
          {
            expr: 'histogram_quantile(0.5, sum by (le) (increase(op_conductor_failover_seconds_bucket[1h])))',
            legend: 'half',
          },
          {
            expr: 'histogram_quantile(1, sum by (le) (increase(op_conductor_failover_seconds_bucket[1h])))',
            legend: 'slowest',
          },
        ],
        unit: 's',
      },
      {
        title: 'Entries that followers lack',
        kind: 'lines',
        width: 6,
        help: 'One entry is one block. A line that climbs: that follower, or the way to it, is too slow or gone. One that has not answered this leader yet counts with the whole log.',
        queries: [{ expr: 'op_conductor_raft_peer_lag_entries', legend: '{{peer}}' }],
        unit: 'short',
      },
      {
        title: 'Silence of followers',
        kind: 'lines',
        width: 6,
        help: 'Since when each has not answered the leader. A tenth of the heartbeat timeout is normal.',
        queries: [{ expr: 'op_conductor_raft_peer_contact_seconds', legend: '{{peer}} ({{suffrage}})' }],
        unit: 's',
      },
      {
        title: 'Paused and overridden',
        kind: 'lines',
        width: 6,
        help: 'What operators have set by hand. 1 while it is so.',
        queries: [
          { expr: 'op_conductor_paused', legend: '{{instance}} paused' },
          { expr: 'op_conductor_leader_overridden', legend: '{{instance}} overridden' },
        ],
        unit: 'none',
      },
      {
        title: 'Alarms',
        kind: 'lines',
        width: 6,
        help: 'Conditions that need an operator, per 5 minutes.',
        queries: [
          {
            expr: 'sum by (kind, instance) (increase(op_conductor_alarms_total[5m]))',
            legend: '{{kind}} at {{instance}}',
          },
        ],
        unit: 'short',
      },
    ],
  },
  {
    title: 'Blocks',
    height: 7,
    panels: [
      {
        title: 'Age of the committed head',
        kind: 'lines',
        width: 8,
        help: 'By conductor. A saw of one block time is normal; a line that climbs is a chain that stands still, or a follower behind.',
        queries: [{ expr: 'time() - op_conductor_committed_block_time_seconds', legend: '{{instance}}' }],
        unit: 's',
      },
      {
        title: 'Latency of commits',
        kind: 'lines',
        width: 8,
        help: 'From an admitted block to a majority having it. op-node waits for it before it publishes.',
        queries: [
          {
            expr: 'histogram_quantile(0.5, sum by (le) (rate(op_conductor_commit_seconds_bucket[5m])))',
            legend: 'half',
          },
          {
            expr: 'histogram_quantile(0.99, sum by (le) (rate(op_conductor_commit_seconds_bucket[5m])))',
            legend: '99 %',
          },
        ],
        unit: 's',
      },
      {
        title: 'Blocks not committed',
        kind: 'lines',
        width: 8,
        help: 'Per 5 minutes, by reason. A few not-leader around a failover are normal.',
        queries: [
          { expr: 'sum by (reason) (increase(op_conductor_payloads_refused_total[5m]))', legend: '{{reason}}' },
          { expr: 'sum(increase(op_conductor_payloads_unknown_total[5m]))', legend: 'outcome unknown' },
        ],
        unit: 'short',
      },
    ],
  },
  {
    title: 'Sequencers',
    height: 7,
    panels: [
      {
        title: 'Health',
        kind: 'states',
        width: 8,
        help: 'The last health check of each sequencer.',
        queries: [{ expr: 'op_conductor_sequencer_healthy', legend: '{{instance}}' }],
        words: ['unhealthy', 'healthy'],
      },
      {
        title: 'Health checks that fail',
        kind: 'lines',
        width: 8,
        help: 'Per 5 minutes, with the cause.',
        queries: [
          {
            expr: 'sum by (instance, error) (increase(op_conductor_healthchecks_count{success="false"}[5m]))',
            legend: '{{instance}}: {{error}}',
          },
        ],
        unit: 'short',
      },
      {
        title: 'Starts and stops',
        kind: 'lines',
        width: 8,
        help: 'Of the sequencer, by the control loop, per 5 minutes. Without success many in a row: see the log of that conductor.',
        queries: [
          {
            expr: 'sum by (instance, success) (increase(op_conductor_sequencer_starts_count[5m]))',
            legend: '{{instance}} start, success {{success}}',
          },
          {
            expr: 'sum by (instance, success) (increase(op_conductor_sequencer_stops_count[5m]))',
            legend: '{{instance}} stop, success {{success}}',
          },
        ],
        unit: 'short',
      },
    ],
  },
];
