/** What somebody who was woken needs first: who leads, who builds, since when nothing was built, and what else is wrong. */
import { badFrom, type PanelRow } from './panel.ts';

export const overviewRows: readonly PanelRow[] = [
  {
    title: 'Now',
    height: 4,
    panels: [
      {
        title: 'Leader',
        kind: 'name',
        width: 4,
        help: 'Who leads. Nobody is normal for a second after a failure, and while an op-conductor leads: it has no such metric.',
        queries: [{ expr: 'op_conductor_raft_is_leader == 1', legend: '{{instance}}' }],
        nothing: 'nobody of ours',
      },
      {
        title: 'Builds blocks',
        kind: 'name',
        width: 4,
        help: 'Whose sequencer runs. It should be the one of the leader, and only that.',
        queries: [{ expr: 'op_conductor_sequencer_active == 1', legend: '{{instance}}' }],
        nothing: 'nobody',
      },
      {
        title: 'Last block',
        kind: 'value',
        width: 4,
        help: 'Age of the newest committed block. Up to two block times is normal.',
        queries: [{ expr: 'time() - max(op_conductor_committed_block_time_seconds)', legend: '' }],
        unit: 's',
        thresholds: [
          { from: null, colour: 'green' },
          { from: 10, colour: 'orange' },
          { from: 30, colour: 'red' },
        ],
      },
      {
        title: 'Committed block',
        kind: 'value',
        width: 3,
        help: 'Number of the newest block that a majority has on disk.',
        queries: [{ expr: 'max(op_conductor_committed_block_number)', legend: '' }],
        unit: 'none',
        thresholds: [{ from: null, colour: 'blue' }],
      },
      {
        title: 'Healthy sequencers',
        kind: 'value',
        width: 3,
        help: 'Whose last health check was good. All of them should be.',
        queries: [{ expr: 'sum(op_conductor_sequencer_healthy)', legend: '' }],
        unit: 'none',
        thresholds: [
          { from: null, colour: 'red' },
          { from: 1, colour: 'orange' },
          { from: 2, colour: 'green' },
        ],
      },
      {
        title: 'Failures left',
        kind: 'value',
        width: 3,
        help: 'How many more voters may fail before the chain stops: 1 for three voters that all answer. Only our leaders tell.',
        queries: [
          {
            // Without a leader nobody tells who is silent, and none would count as silent.
            expr: '(floor((max(op_conductor_raft_voters) - 1) / 2) - (count(op_conductor_raft_peer_contact_seconds{suffrage="voter"} > 10) or vector(0))) and (max(op_conductor_raft_is_leader) == 1)',
            legend: '',
          },
        ],
        unit: 'none',
        thresholds: [
          { from: null, colour: 'red' },
          { from: 1, colour: 'green' },
        ],
        nothing: 'no leader of ours',
      },
      {
        title: 'Paused or overridden',
        kind: 'value',
        width: 3,
        help: 'Conductors that do not act by themselves. Outside of maintenance there are none.',
        queries: [{ expr: 'sum(op_conductor_paused) + sum(op_conductor_leader_overridden)', legend: '' }],
        unit: 'none',
        thresholds: badFrom(1),
      },
    ],
  },
  {
    title: 'Alerts and what happened',
    height: 8,
    panels: [
      {
        title: 'Alerts that fire',
        kind: 'list',
        width: 8,
        help: 'Each has a section of its name in the runbooks.',
        queries: [{ expr: 'ALERTS{alertname=~"Conductor.*",alertstate="firing"}', legend: '' }],
        nothing: 'none',
      },
      {
        title: 'Who leads',
        kind: 'states',
        width: 8,
        help: 'One line for each conductor. At each moment one of them leads.',
        queries: [{ expr: 'op_conductor_raft_is_leader', legend: '{{instance}}' }],
        words: ['follows', 'leads'],
      },
      {
        title: 'Whose sequencer runs',
        kind: 'states',
        width: 8,
        help: 'The same picture as beside it, a moment later. A gap means that the conductor does not know.',
        queries: [{ expr: 'op_conductor_sequencer_active', legend: '{{instance}}' }],
        words: ['idle', 'builds'],
      },
    ],
  },
];
