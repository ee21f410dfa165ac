/**
 * What to set a chain's two fee scalars to (Fjord), so that fees cover what its data costs on L1.
 * The model is the public "Fjord fee parameter calculator" spreadsheet: transactions are like those
 * of a known chain, batches are sent when a channel is full or its time is up, blobs have a fixed
 * overhead. Pure arithmetic: no rounding but where a scalar is set.
 */

/** What the model knows of a chain's average transaction. */
export interface TransactionType {
  readonly name: string;
  /** Estimated (FastLZ) size of a transaction, bytes. */
  readonly estimatedSize: number;
  /** Estimated size that fits into one unit of blob gas. */
  readonly sizePerBlobGas: number;
  /** Calldata gas for one byte of estimated size. */
  readonly calldataGasPerSize: number;
}

export const transactionTypes: readonly TransactionType[] = [
  { name: 'General OP Mainnet', estimatedSize: 474.6, sizePerBlobGas: 1.313, calldataGasPerSize: 21.0 },
  { name: 'Base', estimatedSize: 368.6, sizePerBlobGas: 2.193, calldataGasPerSize: 35.09 },
  { name: 'Zora', estimatedSize: 174.6, sizePerBlobGas: 1.435, calldataGasPerSize: 22.96 },
  { name: 'Mint', estimatedSize: 206.9, sizePerBlobGas: 0.65, calldataGasPerSize: 10.44 },
  { name: 'Mode', estimatedSize: 144.3, sizePerBlobGas: 1.402, calldataGasPerSize: 22.43 },
];

export type DataAvailability = 'ethereum' | 'alt-da';

export interface FeeInputs {
  readonly transactionsPerDay: number;
  readonly transactionType: TransactionType;
  readonly dataAvailability: DataAvailability;
  readonly hasFaultProofs: boolean;
  /** What remains of the data fee after costs, in percent of it; below 100. */
  readonly marginPercent: number;
  /** 1 to 6: a transaction carries no more since the Fusaka upgrade. */
  readonly blobsPerTransactionMax: number;
  /** How long the batcher keeps a channel open at most. */
  readonly channelHours: number;
  /** Hours between two state proposals; 0 when the chain pays for none. */
  readonly proposalHours: number;
  /** Whether fees also cover the state proposals. */
  readonly includesProposals: boolean;
  readonly l1BaseFeeGwei: number;
  readonly blobBaseFeeGwei: number;
  readonly ethUsd: number;
}

export type DataPath = 'blobs' | 'calldata' | 'alt-da';

export interface FeeRecommendation {
  /** Where the data should go at these prices. */
  readonly dataPath: DataPath;
  /** Both scalars as `SystemConfig` takes them: millionths. */
  readonly blobBaseFeeScalar: number;
  readonly baseFeeScalar: number;
  readonly feePerTransactionUsd: number;
  /** The same for each way the chain could go, to compare. */
  readonly feeUsdOf: Readonly<Record<DataPath, number>>;
  readonly revenueEthPerDay: number;
  readonly dataCostEthPerDay: number;
  readonly proposalCostEthPerDay: number;
  /** Revenue less both costs; negative when proposals are not covered. */
  readonly marginEthPerDay: number;
  /** 0 to 1: how full the average blob is. */
  readonly blobFullness: number;
  readonly blobsPerL1Transaction: number;
}

const BLOB_GAS_PER_BLOB = 131_072;
const OVERHEAD_BLOB_GAS = 1028;
const OVERHEAD_BYTES = 406;
const GAS_PER_BLOB_COMMITMENT = 21_000;
const GAS_PER_ALT_DA_COMMITMENT = 21_532;
const OVERHEAD_CALLDATA_GAS = 6385;
const GAS_PER_OUTPUT_PROPOSAL = 86_847.5;
const GAS_PER_FAULT_PROOF_PROPOSAL = 420_926;
const CALLDATA_GAS_PER_BYTE = 16;
const SCALAR_UNIT = 1e6;
const GWEI_PER_ETH = 1e9;

/** The recommendation for inputs within their ranges; see `inputs.ts` for those. */
export function recommendFees(inputs: FeeInputs): FeeRecommendation {
  const volume = dailyVolume(inputs);
  const scalars = scalarsOf(inputs, volume);
  const feeUsdOf = {
    blobs: feeUsd(inputs, scalars.blobs),
    calldata: feeUsd(inputs, scalars.calldata),
    'alt-da': feeUsd(inputs, scalars['alt-da']),
  };
  const dataPath = choosePath(inputs, feeUsdOf);
  const chosen = scalars[dataPath];
  const revenue =
    (inputs.transactionsPerDay * inputs.transactionType.estimatedSize * priceOf(inputs, chosen)) / GWEI_PER_ETH;
  const dataCost = dataCostEth(inputs, volume, dataPath);
  const proposalCost = (volume.proposalGas * inputs.l1BaseFeeGwei) / GWEI_PER_ETH;
  return {
    dataPath,
    blobBaseFeeScalar: chosen.blob,
    baseFeeScalar: chosen.base,
    feePerTransactionUsd: feeUsdOf[dataPath],
    feeUsdOf,
    revenueEthPerDay: revenue,
    dataCostEthPerDay: dataCost,
    proposalCostEthPerDay: proposalCost,
    marginEthPerDay: revenue - (dataCost + proposalCost),
    blobFullness: volume.blobFullness,
    blobsPerL1Transaction: volume.blobsPerL1Transaction,
  };
}

interface DailyVolume {
  /** Estimated size of all transactions, bytes. */
  readonly size: number;
  readonly blobs: number;
  readonly blobFullness: number;
  readonly blobsPerL1Transaction: number;
  readonly l1Transactions: number;
  readonly sizePerBlob: number;
  readonly proposalGas: number;
}

function dailyVolume(inputs: FeeInputs): DailyVolume {
  const { transactionsPerDay, transactionType, channelHours, proposalHours } = inputs;
  const { estimatedSize, sizePerBlobGas } = transactionType;
  const size = estimatedSize * transactionsPerDay;
  const sizePerBlob = (BLOB_GAS_PER_BLOB - OVERHEAD_BYTES - OVERHEAD_BLOB_GAS) * sizePerBlobGas;
  const transactionsPerBlob = Math.min(sizePerBlob / estimatedSize, transactionsPerDay / (24 / channelHours));
  const blobs = transactionsPerDay / transactionsPerBlob;
  const blobsPerChannel = (size * (channelHours / 24)) / sizePerBlob;
  const blobsPerL1Transaction = Math.round(Math.max(Math.min(inputs.blobsPerTransactionMax, blobsPerChannel), 1));
  const proposals = proposalHours === 0 ? 0 : 24 / proposalHours;
  return {
    size,
    blobs,
    blobFullness: (transactionsPerBlob * estimatedSize) / sizePerBlob,
    blobsPerL1Transaction,
    l1Transactions: blobs / blobsPerL1Transaction,
    sizePerBlob,
    proposalGas: proposals * (inputs.hasFaultProofs ? GAS_PER_FAULT_PROOF_PROPOSAL : GAS_PER_OUTPUT_PROPOSAL),
  };
}

interface Scalars {
  readonly blob: number;
  readonly base: number;
}

function scalarsOf(inputs: FeeInputs, volume: DailyVolume): Record<DataPath, Scalars> {
  const kept = 1 - inputs.marginPercent / 100;
  const scalar = (ratio: number): number => Math.round((ratio / kept) * SCALAR_UNIT);
  const proposalGas = inputs.includesProposals ? volume.proposalGas : 0;
  const perCalldataByte = CALLDATA_GAS_PER_BYTE * volume.size;
  const blob =
    inputs.dataAvailability === 'ethereum'
      ? scalar((volume.blobs * BLOB_GAS_PER_BLOB) / volume.size / volume.blobFullness)
      : 0;
  return {
    blobs: { blob, base: scalar((volume.l1Transactions * GAS_PER_BLOB_COMMITMENT + proposalGas) / perCalldataByte) },
    calldata: { blob, base: scalar(calldataGasPerSize(inputs, volume) / CALLDATA_GAS_PER_BYTE) },
    'alt-da': { blob, base: scalar((volume.blobs * GAS_PER_ALT_DA_COMMITMENT + proposalGas) / perCalldataByte) },
  };
}

function calldataGasPerSize({ transactionType }: FeeInputs, { size, l1Transactions }: DailyVolume): number {
  return (size * transactionType.calldataGasPerSize + OVERHEAD_CALLDATA_GAS * l1Transactions) / size;
}

function choosePath(inputs: FeeInputs, feeUsdOf: Readonly<Record<DataPath, number>>): DataPath {
  if (inputs.dataAvailability === 'alt-da') return 'alt-da';
  return feeUsdOf.blobs > feeUsdOf.calldata ? 'calldata' : 'blobs';
}

/** Gwei for one byte of estimated size. */
function priceOf({ l1BaseFeeGwei, blobBaseFeeGwei }: FeeInputs, { base, blob }: Scalars): number {
  return CALLDATA_GAS_PER_BYTE * (base / SCALAR_UNIT) * l1BaseFeeGwei + (blob / SCALAR_UNIT) * blobBaseFeeGwei;
}

function feeUsd(inputs: FeeInputs, scalars: Scalars): number {
  return ((inputs.transactionType.estimatedSize * priceOf(inputs, scalars)) / GWEI_PER_ETH) * inputs.ethUsd;
}

function dataCostEth(inputs: FeeInputs, volume: DailyVolume, path: DataPath): number {
  const { l1BaseFeeGwei, blobBaseFeeGwei } = inputs;
  if (path === 'alt-da') return (volume.blobs * GAS_PER_ALT_DA_COMMITMENT * l1BaseFeeGwei) / GWEI_PER_ETH;
  if (path === 'blobs') {
    const commitments = volume.l1Transactions * GAS_PER_BLOB_COMMITMENT * l1BaseFeeGwei;
    return (commitments + volume.blobs * BLOB_GAS_PER_BLOB * blobBaseFeeGwei) / GWEI_PER_ETH;
  }
  const calldata = volume.sizePerBlob * volume.blobs * (calldataGasPerSize(inputs, volume) / CALLDATA_GAS_PER_BYTE);
  return ((calldata + OVERHEAD_CALLDATA_GAS * volume.blobs) * l1BaseFeeGwei) / GWEI_PER_ETH;
}
