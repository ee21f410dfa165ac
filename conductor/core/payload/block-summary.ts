/**
 * The short record of a payload that is stored beside its log entry, so that opening a log of gigabytes
 * reads no payload: version, flags, number, timestamp, hash, parent hash in 82 bytes, big-endian.
 */
import type { Envelope } from './envelope.ts';
import { prefixedHex } from './hex.ts';
import { rollbackPayload } from './rollback-entry.ts';
import { checkSsz, SszError } from './ssz-check.ts';
import { FIELD, ROOT_BYTES } from './ssz-layout.ts';

/** What the chain needs to know of a payload. */
export interface BlockSummary {
  /** 0..2^64-1. */
  readonly number: bigint;
  /** Seconds since the Unix epoch, 0..2^64-1. */
  readonly timestamp: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** True for an entry that moves the chain back (rule 6). */
  readonly isRollback: boolean;
  /** True for a block that the client of the leader that appended it had executed and found valid (rule 28). */
  readonly isValidated: boolean;
}

const SUMMARY_VERSION = 1;
const SUMMARY_BYTES = 82;
const FLAG_ROLLBACK = 1;
const FLAG_VALIDATED = 2;

/** Extensions of the log entry of a validated block: they travel with it and are stored with it, on op-conductor too. */
export const VALIDATED_MARK = Uint8Array.from('valid', (character) => character.charCodeAt(0));

/** The record of an entry, by its data and its extensions; null when no state machine can read a payload in it. */
export function summarizeData(data: Uint8Array | null, extensions: Uint8Array | null): Uint8Array | null {
  if (data === null) return null;
  const inside = rollbackPayload(data);
  const ssz = inside ?? data;
  if (checkSsz(ssz) instanceof SszError) return null;
  const source = new DataView(ssz.buffer, ssz.byteOffset + ROOT_BYTES, FIELD.withdrawalsOffset);
  const body = ssz.subarray(ROOT_BYTES);
  const summary = new Uint8Array(SUMMARY_BYTES);
  const view = new DataView(summary.buffer);
  summary[0] = SUMMARY_VERSION;
  summary[1] = (inside === null ? 0 : FLAG_ROLLBACK) | (isValidatedMark(extensions) ? FLAG_VALIDATED : 0);
  view.setBigUint64(2, source.getBigUint64(FIELD.blockNumber, true));
  view.setBigUint64(10, source.getBigUint64(FIELD.timestamp, true));
  summary.set(body.subarray(FIELD.blockHash, FIELD.blockHash + 32), 18);
  summary.set(body.subarray(FIELD.parentHash, FIELD.parentHash + 32), 50);
  return summary;
}

/** Reads such a record (its hashes are views); null when another version of this software wrote it. */
export function readSummary(summary: Uint8Array): BlockSummary | null {
  if (summary.length !== SUMMARY_BYTES || summary[0] !== SUMMARY_VERSION) return null;
  const view = new DataView(summary.buffer, summary.byteOffset, SUMMARY_BYTES);
  return {
    number: view.getBigUint64(2),
    timestamp: view.getBigUint64(10),
    hash: summary.subarray(18, 50),
    parentHash: summary.subarray(50, 82),
    isRollback: (summary[1]! & FLAG_ROLLBACK) !== 0,
    isValidated: (summary[1]! & FLAG_VALIDATED) !== 0,
  };
}

function isValidatedMark(extensions: Uint8Array | null): boolean {
  return extensions?.length === VALIDATED_MARK.length && VALIDATED_MARK.every((byte, at) => extensions[at] === byte);
}

/** The same of an envelope at hand, for admission. */
export function summaryOf(envelope: Envelope): BlockSummary {
  const { blockNumber, timestamp, blockHash, parentHash } = envelope.executionPayload;
  return { number: blockNumber, timestamp, hash: blockHash, parentHash, isRollback: false, isValidated: false };
}

/** Which payload an entry's data holds, unchecked: hashes as text, and its SSZ as a view; null when it is too short for one. */
export function identityOf(
  data: Uint8Array,
): { readonly hash: string; readonly parentHash: string; readonly ssz: Uint8Array } | null {
  const ssz = rollbackPayload(data) ?? data;
  if (ssz.length < ROOT_BYTES + FIELD.withdrawalsOffset) return null;
  const text = (field: number): string => prefixedHex(ssz.subarray(ROOT_BYTES + field, ROOT_BYTES + field + 32));
  return { hash: text(FIELD.blockHash), parentHash: text(FIELD.parentHash), ssz };
}
