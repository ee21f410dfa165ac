/**
 * The execution payload envelope: what op-node hands over for commit, what the log holds as SSZ, and
 * what is posted to a node that must catch up. Quantities are bigint, because each may use all 64 (the
 * base fee 256) bits; hashes and data are bytes. JSON is read in parse-envelope and written here.
 */
import { prefixedHex } from './hex.ts';
import type { PackedTransactions } from './packed-transactions.ts';

/** One withdrawal; quantities 0..2^64-1, `amount` in gwei. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly amount: bigint;
}

/** An execution payload as in the engine API. Quantities are 0..2^64-1 unless said otherwise. */
export interface ExecutionPayload {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** 20 bytes. */
  readonly feeRecipient: Uint8Array;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
  /** 32 bytes. */
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** 32 bytes. */
  readonly prevRandao: Uint8Array;
  readonly blockNumber: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Seconds since the Unix epoch. */
  readonly timestamp: bigint;
  /** At most 32 bytes. */
  readonly extraData: Uint8Array;
  /** 0..2^256-1, in wei. */
  readonly baseFeePerGas: bigint;
  /** 32 bytes, as the sender claims it; see block-hash. */
  readonly blockHash: Uint8Array;
  /** Opaque bytes each; may be views into a larger buffer. A JSON null list is read as empty. */
  readonly transactions: readonly Uint8Array[];
  /** The same list where it was read into its place in SSZ; used up by the first `encodeSsz`. */
  readonly packedTransactions?: PackedTransactions;
  /** null before Canyon. */
  readonly withdrawals: readonly Withdrawal[] | null;
  /** null before Ecotone. */
  readonly blobGasUsed: bigint | null;
  /** null before Ecotone. */
  readonly excessBlobGas: bigint | null;
  /** 32 bytes; null before Isthmus. */
  readonly withdrawalsRoot: Uint8Array | null;
}

/** A payload and the L1 root that its header also covers. */
export interface Envelope {
  /** 32 bytes; null before Ecotone (such an envelope has no SSZ form). */
  readonly parentBeaconBlockRoot: Uint8Array | null;
  readonly executionPayload: ExecutionPayload;
}

/** The JSON value op-node sends and takes for an envelope: same keys, same order, absent fields left out. */
export function formatEnvelope(envelope: Envelope): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  if (envelope.parentBeaconBlockRoot !== null)
    json['parentBeaconBlockRoot'] = prefixedHex(envelope.parentBeaconBlockRoot);
  json['executionPayload'] = formatPayload(envelope.executionPayload);
  return json;
}

/** The payload in it, which is also the engine API's. */
export function formatPayload(payload: ExecutionPayload): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    parentHash: prefixedHex(payload.parentHash),
    feeRecipient: prefixedHex(payload.feeRecipient),
    stateRoot: prefixedHex(payload.stateRoot),
    receiptsRoot: prefixedHex(payload.receiptsRoot),
    logsBloom: prefixedHex(payload.logsBloom),
    prevRandao: prefixedHex(payload.prevRandao),
    blockNumber: quantity(payload.blockNumber),
    gasLimit: quantity(payload.gasLimit),
    gasUsed: quantity(payload.gasUsed),
    timestamp: quantity(payload.timestamp),
    extraData: prefixedHex(payload.extraData),
    baseFeePerGas: quantity(payload.baseFeePerGas),
    blockHash: prefixedHex(payload.blockHash),
    transactions: payload.transactions.map(prefixedHex),
  };
  if (payload.withdrawals !== null) fields['withdrawals'] = payload.withdrawals.map(formatWithdrawal);
  if (payload.blobGasUsed !== null) fields['blobGasUsed'] = quantity(payload.blobGasUsed);
  if (payload.excessBlobGas !== null) fields['excessBlobGas'] = quantity(payload.excessBlobGas);
  if (payload.withdrawalsRoot !== null) fields['withdrawalsRoot'] = prefixedHex(payload.withdrawalsRoot);
  return fields;
}

function formatWithdrawal(withdrawal: Withdrawal): Record<string, string> {
  return {
    index: quantity(withdrawal.index),
    validatorIndex: quantity(withdrawal.validatorIndex),
    address: prefixedHex(withdrawal.address),
    amount: quantity(withdrawal.amount),
  };
}

/** Hex without leading zeros. */
function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}
