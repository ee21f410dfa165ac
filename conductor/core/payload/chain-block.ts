/**
 * How the chain speaks of a payload to the outside: hashes as text, and where its bytes are.
 */
import type { ChainIndex } from './chain-index.ts';
import { prefixedHex } from './hex.ts';

/** A payload of the chain, for people and nodes. */
export interface ChainBlock {
  readonly number: bigint;
  /** "0x" and 64 digits. */
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since the Unix epoch. */
  readonly timestamp: bigint;
  /** Log index of its entry; of the snapshot that stands for it when `isInLog` is false. */
  readonly index: number;
  readonly isInLog: boolean;
  /** The client of the leader that appended it had found it valid (rule 28). */
  readonly isValidated: boolean;
  /** Bytes of its SSZ. */
  readonly size: number;
}

/** The block of a record, in the log or pinned; null when it is no longer held. */
export function blockOf(chain: ChainIndex, sequence: number): ChainBlock | null {
  const record = chain.record(sequence);
  if (record === null) return null;
  const { number, timestamp, index, size, isValidated } = record;
  const isInLog = chain.records.has(sequence);
  return {
    number,
    hash: prefixedHex(record.hash),
    parentHash: prefixedHex(record.parentHash),
    timestamp,
    index,
    isInLog,
    isValidated,
    size,
  };
}
