/**
 * Decides whether bytes are an envelope, without building one. Everything that op-node's decoder
 * checks is checked, in its order and with its texts; offsets and sizes are unsigned 32-bit there, and
 * entries are far below 4 GiB here, so plain numbers hold them.
 */
import {
  EXTRA_DATA_BYTES_MAX,
  FIELD,
  FIXED_BYTES,
  ROOT_BYTES,
  TRANSACTIONS_MAX,
  WITHDRAWAL_BYTES,
  WITHDRAWALS_MAX,
} from './ssz-layout.ts';

/** Bytes that are no envelope, or an envelope that has no bytes. `message` is op-node's. */
export class SszError extends Error {
  readonly code = 'ssz';
  override readonly name = 'SszError';
}

/** The version the bytes are read as (4 is tried first), or why version 3 does not fit. */
export function checkSsz(bytes: Uint8Array): 3 | 4 | SszError {
  if (checkVersion(bytes, 4) === null) return 4;
  const problem = checkVersion(bytes, 3);
  return problem === null ? 3 : new SszError(problem);
}

/** What is wrong with the bytes as that version; null when nothing is. */
export function checkVersion(bytes: Uint8Array, version: 3 | 4): string | null {
  if (bytes.length < ROOT_BYTES) return `scope too small to decode execution payload: ${bytes.length}`;
  const scope = bytes.length - ROOT_BYTES;
  const fixed = FIXED_BYTES[version];
  if (scope < fixed) return `scope too small to decode execution payload: ${scope}, version is: ${version - 1}`;
  const view = new DataView(bytes.buffer, bytes.byteOffset + ROOT_BYTES, scope);
  const extraDataAt = view.getUint32(FIELD.extraDataOffset, true);
  if (extraDataAt !== fixed) return `unexpected extra data offset: ${extraDataAt} <> ${fixed}`;
  const transactionsAt = view.getUint32(FIELD.transactionsOffset, true);
  if (transactionsAt < extraDataAt) return 'transactions offset is smaller than extra data offset, aborting';
  const withdrawalsAt = view.getUint32(FIELD.withdrawalsOffset, true);
  if (withdrawalsAt < transactionsAt) return 'withdrawals offset is smaller than transaction offset, aborting';
  if (withdrawalsAt > scope) return `withdrawals offset is too large: ${withdrawalsAt}`;
  const extraDataBytes = transactionsAt - extraDataAt;
  if (extraDataBytes > EXTRA_DATA_BYTES_MAX) return `extra-data is too large: ${extraDataBytes}`;
  const transactions = checkTransactions(view, transactionsAt, withdrawalsAt - transactionsAt);
  if (transactions !== null) return `failed to unmarshal transactions list: ${transactions}`;
  const withdrawals = checkWithdrawals(scope - withdrawalsAt);
  return withdrawals === null ? null : `failed to unmarshal withdrawals list: ${withdrawals}`;
}

/** A list of `scope` bytes at `start`: offsets from the list's start, one per transaction, then their bytes. */
function checkTransactions(view: DataView, start: number, scope: number): string | null {
  if (scope === 0) return null;
  if (scope < 4) return `not enough scope to read first tx offset: ${scope}`;
  const first = view.getUint32(start, true);
  if (first % 4 !== 0) return `invalid first tx offset: ${first}, not a multiple of offset size`;
  if (first > scope) return `invalid first tx offset: ${first}, out of scope ${scope}`;
  const count = first / 4;
  if (count === 0) return `invalid first tx offset: ${first}, no transactions in scope ${scope}`;
  if (count > TRANSACTIONS_MAX) return `too many transactions: ${count} > ${TRANSACTIONS_MAX}`;
  let current = first;
  for (let at = 0; at < count; at++) {
    const next = at + 1 < count ? view.getUint32(start + 4 * at + 4, true) : scope;
    if (next < current || next > scope) {
      return `tx ${at} has bad next offset: ${next}, current is ${current}, scope is ${scope}`;
    }
    current = next;
  }
  return null;
}

function checkWithdrawals(scope: number): string | null {
  if (scope % WITHDRAWAL_BYTES !== 0) return 'invalid withdrawals data';
  const count = scope / WITHDRAWAL_BYTES;
  return count > WITHDRAWALS_MAX ? `too many withdrawals: ${count} > ${WITHDRAWALS_MAX}` : null;
}
