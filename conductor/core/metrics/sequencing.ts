/** Families of the sequencer, the committed chain and the commits: who leads, what was refused, what a client was asked. */
import { counter, gauge, histogram, fineBuckets, type MetricDefinition } from './definition.ts';

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
  gauge('leader', '1 while this node answers that it leads, overridden or not'),
  gauge('leader_overridden', '1 while leadership is overridden here'),
  gauge('active', '1 while the conductor is neither paused nor stopped'),
  gauge('paused', '1 while the control loop is paused'),
  gauge('sequencer_healthy', '1 while the last health check was good'),
  gauge('sequencer_active', '1 while the own sequencer is believed to run, NaN while that is not known'),
  gauge('committed_block_number', 'Number of the committed unsafe head'),
  gauge('committed_block_time_seconds', 'Time of the committed unsafe head, in seconds of the Unix epoch'),
  histogram('commit_seconds', 'Seconds from an admitted payload to its commit', fineBuckets),
  { ...counter('payloads_refused_total', 'Payloads not admitted, by reason', 'reason'), known: payloadRefusals },
  counter(
    'validations_total',
    'Blocks that the own execution client was given before they were appended, by what it said',
    'verdict',
    'late',
  ),
  counter(
    'voter_validations_total',
    'The same of the other voters that a leader asked, with --consensus.validate=quorum',
    'voter',
    'verdict',
  ),
  counter(
    'payloads_unvalidated_total',
    'Blocks that went on without a verdict of the execution client, by reason',
    'reason',
  ),
  {
    ...counter('bad_seals_total', 'Invalid blocks of the own sequencer, by what was done', 'action'),
    known: ['dropJob', 'handOver', 'recover', 'dropLater'],
  },
  counter('payload_gaps_total', 'Payloads accepted above a gap of heights'),
  counter('rollbacks_total', 'Times this leader moved the committed chain back with the rollup'),
  counter('payloads_unknown_total', 'Payloads whose outcome could not be told'),
  counter('catch_up_payloads_total', 'Committed payloads posted to the own node'),
  counter('engine_requests_total', 'Requests to the engine API, by method and how they ended', 'method', 'outcome'),
  histogram('engine_request_seconds', 'Seconds from a request to the engine API to its end', fineBuckets, 'method'),
] as const satisfies readonly MetricDefinition[];
