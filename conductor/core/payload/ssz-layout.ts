/**
 * Where an envelope's fields stand in its SSZ form (OP Stack p2p spec, payload topics): the parent
 * beacon block root, a fixed part whose length names the version, then extra data, transactions and
 * withdrawals, each found through an offset counted from the fixed part's start. Little-endian.
 */
import { EMPTY_LIST_ROOT } from './trie-root.ts';

/** 1 Bedrock, 2 Canyon, 3 Ecotone, 4 Isthmus. Nothing in the bytes says it but the first offset. */
export type SszVersion = 1 | 2 | 3 | 4;

/** Bytes before the fixed part. */
export const ROOT_BYTES = 32;
/** Bytes of the fixed part, by version. */
export const FIXED_BYTES: Readonly<Record<SszVersion, number>> = { 1: 508, 2: 512, 3: 528, 4: 560 };
/** Bytes of one withdrawal. */
export const WITHDRAWAL_BYTES = 44;

/** Bounds of the lists. */
export const TRANSACTIONS_MAX = 1 << 20;
export const WITHDRAWALS_MAX = 16;
export const EXTRA_DATA_BYTES_MAX = 32;

/** The most that can stand before and after the list of transactions. */
export const ROOM_BEFORE_LIST_BYTES = ROOT_BYTES + FIXED_BYTES[4] + EXTRA_DATA_BYTES_MAX;
export const ROOM_AFTER_LIST_BYTES = WITHDRAWALS_MAX * WITHDRAWAL_BYTES;

/** Offsets from the start of the fixed part. */
export const FIELD = {
  parentHash: 0,
  feeRecipient: 32,
  stateRoot: 52,
  receiptsRoot: 84,
  logsBloom: 116,
  prevRandao: 372,
  blockNumber: 404,
  gasLimit: 412,
  gasUsed: 420,
  timestamp: 428,
  extraDataOffset: 436,
  baseFeePerGas: 440,
  blockHash: 472,
  transactionsOffset: 504,
  withdrawalsOffset: 508,
  blobGasUsed: 512,
  excessBlobGas: 520,
  withdrawalsRoot: 528,
} as const;

/** True when a withdrawals root makes a payload version 4: present, and not that of an empty list. */
export function isIsthmusRoot(root: Uint8Array | null): root is Uint8Array {
  return root !== null && !root.every((byte, at) => byte === EMPTY_LIST_ROOT[at]);
}
