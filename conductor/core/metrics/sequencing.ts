/** Families of the sequencer, the committed chain and the commits: who leads, what was refused, what a client was asked. */
import { fineBuckets, type MetricDefinition } from './definition.ts';

/** Why a payload may be refused: of itself, of the committed chain, of the execution client, and of the moment. */
const payloadRefusals = [
  'malformed',
  'unsupported',
  'block-hash',
  'height-held',
  'parent-mismatch',
  'below-chain',
  'gap',
  'invalid',
  'client-syncing',
  'not-leader',
  'transferring',
  'busy',
  'too-large',
  'timeout',
  'shutting-down',
  'store-failed',
  'failed',
] as const;
export type PayloadRefusal = (typeof payloadRefusals)[number];

export const sequencingMetrics = [
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
    known: payloadRefusals,
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
] as const satisfies readonly MetricDefinition[];
