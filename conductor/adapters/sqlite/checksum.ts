/**
 * CRC-32 over what the store keeps, chained so that a field cannot move to another row unnoticed.
 * The head (index, term, type, size, summary) is checked for every entry at open without touching
 * its data; the body continues from the head's sum and is checked whenever data is read.
 */
import type { EntrySummary } from '#conductor/core/ports';
import type { Candidate, Entry, HardState } from '#conductor/core/raft/types';

const scratch = new Uint8Array(48);
const view = new DataView(scratch.buffer);
const text = new TextEncoder();

/** Checksum of an entry without its body. */
export function headChecksum(head: EntrySummary): number {
  view.setFloat64(0, head.index);
  view.setFloat64(8, head.term);
  view.setFloat64(16, head.size);
  view.setUint32(24, head.type);
  return withBytes(Bun.hash.crc32(scratch.subarray(0, 28)), head.summary);
}

/** Checksum of an entry's body, continuing from the sum of its head. */
export function bodyChecksum(head: number, body: Pick<Entry, 'appendedAt' | 'extensions' | 'data'>): number {
  return withBytes(withBytes(withBytes(head, body.appendedAt), body.extensions), body.data);
}

/** Checksum of the state row: where the log begins, and the hard state. */
export function stateChecksum(firstIndex: number, hard: HardState): number {
  view.setFloat64(0, firstIndex);
  view.setFloat64(8, hard.term);
  view.setFloat64(16, hard.votedTerm);
  view.setUint8(24, hard.recovering ? 1 : 0);
  const candidate: Candidate | null = hard.votedFor;
  const sum = withText(Bun.hash.crc32(scratch.subarray(0, 25)), candidate?.id ?? null);
  return withText(sum, candidate?.address ?? null);
}

/** Checksum of the snapshot row; `configuration` is its stored text. */
export function snapshotChecksum(index: number, term: number, configuration: string, data: Uint8Array): number {
  view.setFloat64(0, index);
  view.setFloat64(8, term);
  return withBytes(withText(Bun.hash.crc32(scratch.subarray(0, 16)), configuration), data);
}

function withText(sum: number, value: string | null): number {
  return withBytes(sum, value === null ? null : text.encode(value));
}

/** The length goes in first, with null told from empty, so that bytes cannot slide between neighbours. */
function withBytes(sum: number, bytes: Uint8Array | null): number {
  view.setFloat64(40, bytes === null ? -1 : bytes.length);
  const framed = Bun.hash.crc32(scratch.subarray(40, 48), sum);
  return bytes === null || bytes.length === 0 ? framed : Bun.hash.crc32(bytes, framed);
}
