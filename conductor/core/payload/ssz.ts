/**
 * Envelopes as SSZ, the bytes of a log entry: written in one exactly sized buffer, read as views into
 * the input. What is accepted and refused, and in which words, is op-node's, because Go peers apply
 * the same entries and must reach the same state.
 */
import type { Envelope, ExecutionPayload, Withdrawal } from './envelope.ts';
import {
  FIELD,
  FIXED_BYTES,
  ROOM_AFTER_LIST_BYTES,
  ROOM_BEFORE_LIST_BYTES,
  ROOT_BYTES,
  WITHDRAWAL_BYTES,
  isIsthmusRoot,
  type SszVersion,
} from './ssz-layout.ts';
import { checkSsz, SszError } from './ssz-check.ts';

/** Version the encoder picks, by which fields are present. */
export function sszVersion(payload: ExecutionPayload): SszVersion {
  if (isIsthmusRoot(payload.withdrawalsRoot)) return 4;
  if (payload.blobGasUsed !== null && payload.excessBlobGas !== null) return 3;
  return payload.withdrawals !== null ? 2 : 1;
}

/** Why a payload without withdrawals, which its version needs, has no SSZ: the words of Go's decoder, whose encoder crashes. */
export const NO_WITHDRAWALS = 'transactions - fixed part size is inconsistent';

/**
 * The SSZ form, in a buffer of its own, or around transactions that were read into their place. An envelope whose fields contradict the version they imply has
 * none: `SszError` with the reason. Versions 1 and 2 are written, though no state machine reads them.
 */
export function encodeSsz(envelope: Envelope): Uint8Array | SszError {
  const payload = envelope.executionPayload;
  const root = envelope.parentBeaconBlockRoot;
  if (root === null) return new SszError('execution payload envelope is missing data');
  const version = sszVersion(payload);
  if (version >= 3 && (payload.blobGasUsed === null || payload.excessBlobGas === null)) {
    return new SszError('cannot encode ecotone payload without dencun header attributes');
  }
  if (version >= 2 && payload.withdrawals === null) {
    return new SszError(NO_WITHDRAWALS);
  }
  const withdrawals = payload.withdrawals ?? [];
  let transactionBytes = 4 * payload.transactions.length;
  for (const transaction of payload.transactions) transactionBytes += transaction.length;
  const extraDataAt = FIXED_BYTES[version];
  const transactionsAt = extraDataAt + payload.extraData.length;
  const withdrawalsAt = transactionsAt + transactionBytes;
  const size = ROOT_BYTES + withdrawalsAt + WITHDRAWAL_BYTES * withdrawals.length;
  const room = roomFor(payload, ROOT_BYTES + transactionsAt, size);
  const out = room ?? new Uint8Array(size);
  out.set(root, 0);
  const body = out.subarray(ROOT_BYTES);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  writeFixedPart(payload, version, body, view);
  view.setUint32(FIELD.extraDataOffset, extraDataAt, true);
  view.setUint32(FIELD.transactionsOffset, transactionsAt, true);
  if (version >= 2) view.setUint32(FIELD.withdrawalsOffset, withdrawalsAt, true);
  body.set(payload.extraData, extraDataAt);
  if (room === null) writeTransactions(payload.transactions, body, view, transactionsAt);
  withdrawals.forEach((withdrawal, at) =>
    writeWithdrawal(withdrawal, body, view, withdrawalsAt + at * WITHDRAWAL_BYTES),
  );
  return out;
}

/** The `size` bytes around a list that stands in its place already, `before` bytes in; null where none does. */
function roomFor(payload: ExecutionPayload, before: number, size: number): Uint8Array | null {
  const fits =
    before <= ROOM_BEFORE_LIST_BYTES && (payload.withdrawals?.length ?? 0) * WITHDRAWAL_BYTES <= ROOM_AFTER_LIST_BYTES;
  const buffer = fits ? (payload.packedTransactions?.claim() ?? null) : null;
  const start = ROOM_BEFORE_LIST_BYTES - before;
  return buffer?.subarray(start, start + size) ?? null;
}

function writeFixedPart(payload: ExecutionPayload, version: SszVersion, body: Uint8Array, view: DataView): void {
  body.set(payload.parentHash, FIELD.parentHash);
  body.set(payload.feeRecipient, FIELD.feeRecipient);
  body.set(payload.stateRoot, FIELD.stateRoot);
  body.set(payload.receiptsRoot, FIELD.receiptsRoot);
  body.set(payload.logsBloom, FIELD.logsBloom);
  body.set(payload.prevRandao, FIELD.prevRandao);
  view.setBigUint64(FIELD.blockNumber, payload.blockNumber, true);
  view.setBigUint64(FIELD.gasLimit, payload.gasLimit, true);
  view.setBigUint64(FIELD.gasUsed, payload.gasUsed, true);
  view.setBigUint64(FIELD.timestamp, payload.timestamp, true);
  for (let limb = 0; limb < 4; limb++) {
    view.setBigUint64(FIELD.baseFeePerGas + 8 * limb, payload.baseFeePerGas >> BigInt(64 * limb), true);
  }
  body.set(payload.blockHash, FIELD.blockHash);
  if (version < 3) return;
  view.setBigUint64(FIELD.blobGasUsed, payload.blobGasUsed!, true);
  view.setBigUint64(FIELD.excessBlobGas, payload.excessBlobGas!, true);
  if (version === 4) body.set(payload.withdrawalsRoot!, FIELD.withdrawalsRoot);
}

function writeTransactions(list: readonly Uint8Array[], body: Uint8Array, view: DataView, start: number): void {
  let offset = 4 * list.length;
  for (let at = 0; at < list.length; at++) {
    view.setUint32(start + 4 * at, offset, true);
    body.set(list[at]!, start + offset);
    offset += list[at]!.length;
  }
}

function writeWithdrawal(withdrawal: Withdrawal, body: Uint8Array, view: DataView, at: number): void {
  view.setBigUint64(at, withdrawal.index, true);
  view.setBigUint64(at + 8, withdrawal.validatorIndex, true);
  body.set(withdrawal.address, at + 16);
  view.setBigUint64(at + 36, withdrawal.amount, true);
}

/** Outcome of reading bytes as the state machine does. */
export type DecodedSsz = { readonly version: 3 | 4; readonly envelope: Envelope };

/**
 * Reads version 4, and if that fails version 3; the error returned is that of version 3, as in Go.
 * The envelope's byte fields are views into `bytes`.
 */
export function decodeSsz(bytes: Uint8Array): DecodedSsz | SszError {
  const version = checkSsz(bytes);
  return version instanceof SszError ? version : { version, envelope: readEnvelope(bytes, version) };
}

/** Views of bytes that passed `checkSsz` as `version`. */
function readEnvelope(bytes: Uint8Array, version: 3 | 4): Envelope {
  const body = bytes.subarray(ROOT_BYTES);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const field = (at: number, length: number): Uint8Array => body.subarray(at, at + length);
  const transactionsAt = view.getUint32(FIELD.transactionsOffset, true);
  const withdrawalsAt = view.getUint32(FIELD.withdrawalsOffset, true);
  const executionPayload: ExecutionPayload = {
    parentHash: field(FIELD.parentHash, 32),
    feeRecipient: field(FIELD.feeRecipient, 20),
    stateRoot: field(FIELD.stateRoot, 32),
    receiptsRoot: field(FIELD.receiptsRoot, 32),
    logsBloom: field(FIELD.logsBloom, 256),
    prevRandao: field(FIELD.prevRandao, 32),
    blockNumber: view.getBigUint64(FIELD.blockNumber, true),
    gasLimit: view.getBigUint64(FIELD.gasLimit, true),
    gasUsed: view.getBigUint64(FIELD.gasUsed, true),
    timestamp: view.getBigUint64(FIELD.timestamp, true),
    extraData: body.subarray(FIXED_BYTES[version], transactionsAt),
    baseFeePerGas: readBaseFee(view),
    blockHash: field(FIELD.blockHash, 32),
    transactions: readTransactions(body.subarray(transactionsAt, withdrawalsAt)),
    withdrawals: readWithdrawals(body.subarray(withdrawalsAt)),
    blobGasUsed: view.getBigUint64(FIELD.blobGasUsed, true),
    excessBlobGas: view.getBigUint64(FIELD.excessBlobGas, true),
    withdrawalsRoot: version === 4 ? field(FIELD.withdrawalsRoot, 32) : null,
  };
  return { parentBeaconBlockRoot: bytes.subarray(0, ROOT_BYTES), executionPayload };
}

function readBaseFee(view: DataView): bigint {
  let value = 0n;
  for (let limb = 3; limb >= 0; limb--)
    value = (value << 64n) | view.getBigUint64(FIELD.baseFeePerGas + 8 * limb, true);
  return value;
}

function readTransactions(list: Uint8Array): Uint8Array[] {
  if (list.length === 0) return [];
  const view = new DataView(list.buffer, list.byteOffset, list.length);
  const count = view.getUint32(0, true) / 4;
  const transactions: Uint8Array[] = [];
  for (let at = 0; at < count; at++) {
    const end = at + 1 < count ? view.getUint32(4 * at + 4, true) : list.length;
    transactions.push(list.subarray(view.getUint32(4 * at, true), end));
  }
  return transactions;
}

function readWithdrawals(list: Uint8Array): Withdrawal[] {
  const view = new DataView(list.buffer, list.byteOffset, list.length);
  const withdrawals: Withdrawal[] = [];
  for (let at = 0; at < list.length; at += WITHDRAWAL_BYTES) {
    withdrawals.push({
      index: view.getBigUint64(at, true),
      validatorIndex: view.getBigUint64(at + 8, true),
      address: list.subarray(at + 16, at + 36),
      amount: view.getBigUint64(at + 36, true),
    });
  }
  return withdrawals;
}
