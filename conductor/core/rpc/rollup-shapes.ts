/**
 * The types of op-node's answers that are proxied, as of v1.19.6: sync status, output at a block and
 * rollup configuration. Order and presence of the fields are as in op-node.
 */
import type { Field, Shape, StructShape } from './answer-shape.ts';

const uint64: Shape = { kind: 'uint', bits: 64 };
const hash: Shape = { kind: 'hex', bytes: 32, goType: 'common.Hash' };
const address: Shape = { kind: 'hex', bytes: 20, goType: 'common.Address' };
const bytes32: Shape = { kind: 'hex', bytes: 32, goType: '*eth.Bytes32' };

function always(shape: Shape, ...keys: string[]): Field[] {
  return keys.map((key) => ({ key, shape, presence: 'always' }));
}

function omitted(shape: Shape, ...keys: string[]): Field[] {
  return keys.map((key) => ({ key, shape, presence: 'omitted' }));
}

function struct(goType: string, ...fields: readonly Field[]): StructShape {
  return { kind: 'struct', goType, fields };
}

const blockId = struct('eth.BlockID', ...always(hash, 'hash'), ...always(uint64, 'number'));

const l1BlockRef = struct(
  'eth.L1BlockRef',
  ...always(hash, 'hash'),
  ...always(uint64, 'number'),
  ...always(hash, 'parentHash'),
  ...always(uint64, 'timestamp'),
);

const l2BlockRef = struct(
  'eth.L2BlockRef',
  ...l1BlockRef.fields,
  ...always(blockId, 'l1origin'),
  ...always(uint64, 'sequenceNumber'),
);

/** Answer of optimism_syncStatus. */
export const syncStatusShape: StructShape = struct(
  'eth.SyncStatus',
  ...always(l1BlockRef, 'current_l1', 'current_l1_finalized', 'head_l1', 'safe_l1', 'finalized_l1'),
  ...always(l2BlockRef, 'unsafe_l2', 'safe_l2', 'finalized_l2', 'pending_safe_l2', 'local_safe_l2'),
);

/** Answer of optimism_outputAtBlock. */
export const outputShape: StructShape = struct(
  'eth.OutputResponse',
  ...always(bytes32, 'version', 'outputRoot'),
  ...always(l2BlockRef, 'blockRef'),
  ...always(hash, 'withdrawalStorageRoot', 'stateRoot'),
  { key: 'syncStatus', shape: syncStatusShape, presence: 'optional' },
);

const systemConfig = struct(
  'eth.SystemConfig',
  ...always(address, 'batcherAddr'),
  ...always(bytes32, 'overhead', 'scalar'),
  ...always(uint64, 'gasLimit'),
  ...always({ kind: 'hex', bytes: 8, goType: '*eth.Bytes8' }, 'eip1559Params'),
  ...always(bytes32, 'operatorFeeParams'),
  ...always(uint64, 'minBaseFee'),
  ...always({ kind: 'uint', bits: 16 }, 'daFootprintGasScalar'),
);

const genesis = struct(
  'rollup.Genesis',
  ...always(blockId, 'l1', 'l2'),
  ...always(uint64, 'l2_time'),
  ...always(systemConfig, 'system_config'),
);

const feeConfig = struct(
  'params.OptimismConfig',
  ...always(uint64, 'eip1559Elasticity', 'eip1559Denominator'),
  ...omitted(uint64, 'eip1559DenominatorCanyon'),
);

const altDa = struct(
  'rollup.AltDAConfig',
  ...always(address, 'da_challenge_contract_address'),
  ...always({ kind: 'text' }, 'da_commitment_type'),
  ...omitted(uint64, 'da_max_input_size'),
  ...always(uint64, 'da_challenge_window', 'da_resolve_window'),
);

const forks = ['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', 'karst'];

/** Answer of optimism_rollupConfig. */
export const rollupConfigShape: StructShape = struct(
  'rollup.Config',
  ...always(genesis, 'genesis'),
  ...always(uint64, 'block_time'),
  { key: 'max_sequencer_drift', shape: uint64, presence: 'omitted-zero' },
  ...always(uint64, 'seq_window_size', 'channel_timeout'),
  { key: 'l1_chain_id', shape: { kind: 'integer' }, presence: 'optional' },
  { key: 'l2_chain_id', shape: { kind: 'integer' }, presence: 'optional' },
  ...omitted(uint64, ...forks.map((fork) => `${fork}_time`)),
  { key: 'keep_karst_upgrade_gas', shape: { kind: 'bool' }, presence: 'omitted-zero' },
  ...omitted(uint64, 'lagoon_time'),
  ...always(address, 'batch_inbox_address', 'deposit_contract_address', 'l1_system_config_address'),
  ...omitted(feeConfig, 'chain_op_config'),
  ...omitted(altDa, 'alt_da'),
  ...omitted(uint64, 'pectra_blob_schedule_time'),
);
