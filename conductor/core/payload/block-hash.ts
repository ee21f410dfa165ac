/**
 * The hash that a payload's own fields give: keccak256 of the RLP header that an OP Stack execution
 * client would build from them, for every fork (yellow paper §4.3, EIP-1559, 4895, 4844, 4788, 7685,
 * and the OP rules for the withdrawals root). Comparing it with the payload's claim is the caller's.
 */
import type { Envelope, ExecutionPayload, Withdrawal } from './envelope.ts';
import { keccak256 } from './keccak.ts';
import { orderedTrieRoot, orderedTrieRootSteps } from './trie-root.ts';

/** keccak256(rlp([])): a block without uncles. */
const EMPTY_UNCLES_HASH = bytes32('1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347');
/** sha256(""): a block without execution requests (EIP-7685). */
const EMPTY_REQUESTS_HASH = bytes32('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
const ZERO_NONCE = new Uint8Array(8);
const NOTHING = new Uint8Array(0);
const LARGEST_SIGNED = 2n ** 63n - 1n;

/** List header and fields: 21 fields at most, the bloom of 256 bytes the largest. */
const HEADER_BYTES_MAX = 1024;
const HEADER_START = 3;

/**
 * The 32-byte block hash by the fields. A block number above 2^63-1 gives keccak256 of nothing, as in
 * op-node, which cannot encode it.
 */
export function blockHash(envelope: Envelope): Uint8Array {
  const steps = blockHashSteps(envelope);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps of some milliseconds each. */
export function* blockHashSteps(envelope: Envelope): Generator<undefined, Uint8Array> {
  const payload = envelope.executionPayload;
  if (payload.blockNumber > LARGEST_SIGNED) return keccak256(NOTHING);
  const transactionsRoot = yield* orderedTrieRootSteps(payload.transactions);
  const header = new HeaderWriter();
  header.bytes(payload.parentHash);
  header.bytes(EMPTY_UNCLES_HASH);
  header.bytes(payload.feeRecipient);
  header.bytes(payload.stateRoot);
  header.bytes(transactionsRoot);
  header.bytes(payload.receiptsRoot);
  header.bytes(payload.logsBloom);
  header.quantity(0n);
  header.quantity(payload.blockNumber);
  header.quantity(payload.gasLimit);
  header.quantity(payload.gasUsed);
  header.quantity(payload.timestamp);
  header.bytes(payload.extraData);
  header.bytes(payload.prevRandao);
  header.bytes(ZERO_NONCE);
  header.quantity(payload.baseFeePerGas);
  header.optional([
    withdrawalsRoot(payload),
    payload.blobGasUsed,
    payload.excessBlobGas,
    envelope.parentBeaconBlockRoot,
    payload.withdrawalsRoot === null ? null : EMPTY_REQUESTS_HASH,
  ]);
  return keccak256(header.finish());
}

/** Isthmus puts the message passer's storage root here; before it, from Canyon on, it is the root of the list. */
function withdrawalsRoot(payload: ExecutionPayload): Uint8Array | null {
  if (payload.withdrawalsRoot !== null) return payload.withdrawalsRoot;
  if (payload.withdrawals === null) return null;
  return orderedTrieRoot(payload.withdrawals.map(encodeWithdrawal));
}

function encodeWithdrawal(withdrawal: Withdrawal): Uint8Array {
  const list = new HeaderWriter();
  list.quantity(withdrawal.index);
  list.quantity(withdrawal.validatorIndex);
  list.bytes(withdrawal.address);
  list.quantity(withdrawal.amount);
  return list.finish();
}

/** An RLP list of short strings and integers in one fixed buffer. */
export class HeaderWriter {
  readonly #out = new Uint8Array(HEADER_BYTES_MAX);
  #at = HEADER_START;

  bytes(value: Uint8Array): void {
    if (value.length === 1 && value[0]! < 0x80) {
      this.#out[this.#at++] = value[0]!;
      return;
    }
    this.#at = writeHeader(0x80, value.length, this.#out, this.#at);
    this.#out.set(value, this.#at);
    this.#at += value.length;
  }

  /** Big-endian without leading zeros; zero is the empty string. */
  quantity(value: bigint): void {
    let digits = value === 0n ? '' : value.toString(16);
    if (digits.length % 2 !== 0) digits = `0${digits}`;
    const bytes = new Uint8Array(digits.length / 2);
    for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
    this.bytes(bytes);
  }

  /** Trailing fields that later forks added: an absent one before a present one is written as the empty string. */
  optional(values: readonly (Uint8Array | bigint | null)[]): void {
    const last = values.findLastIndex((value) => value !== null);
    for (const value of values.slice(0, last + 1)) {
      if (typeof value === 'bigint') this.quantity(value);
      else this.bytes(value ?? NOTHING);
    }
  }

  finish(): Uint8Array {
    const length = this.#at - HEADER_START;
    const header = new Uint8Array(HEADER_START);
    const size = writeHeader(0xc0, length, header, 0);
    const start = HEADER_START - size;
    this.#out.set(header.subarray(0, size), start);
    return this.#out.subarray(start, this.#at);
  }
}

/** RLP header of fewer than 65 536 bytes; `kind` is 0x80 for strings and 0xc0 for lists. */
function writeHeader(kind: number, length: number, out: Uint8Array, start: number): number {
  let at = start;
  if (length < 56) {
    out[at++] = kind + length;
  } else if (length < 256) {
    out[at++] = kind + 56;
    out[at++] = length;
  } else {
    out[at++] = kind + 57;
    out[at++] = length >> 8;
    out[at++] = length & 0xff;
  }
  return at;
}

function bytes32(digits: string): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16));
}
