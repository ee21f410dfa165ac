/**
 * The log entry that moves the chain back (rule 6): a marker block of 512 bytes, then the SSZ of the
 * payload that becomes the head. The marker holds ff×4 where an envelope has its extra data offset, so
 * op-conductor's decoders refuse the entry, as a state machine may, and go on; no envelope can look like it.
 */

/** Bytes before the payload's SSZ. */
export const ROLLBACK_HEADER_BYTES = 512;

const MAGIC = Uint8Array.from('conductor/rewind', (character) => character.charCodeAt(0));
const OFFSET_AT = 468;
const OFFSET_MARK = 0xffffffff;

/** The entry that makes the payload the head. */
export function buildRollbackEntry(ssz: Uint8Array): Uint8Array {
  const entry = new Uint8Array(ROLLBACK_HEADER_BYTES + ssz.length);
  entry.set(MAGIC, 0);
  new DataView(entry.buffer).setUint32(OFFSET_AT, OFFSET_MARK);
  entry.set(ssz, ROLLBACK_HEADER_BYTES);
  return entry;
}

/** The payload's SSZ in a rollback entry, as a view; null for any other entry. */
export function rollbackPayload(data: Uint8Array): Uint8Array | null {
  if (data.length < ROLLBACK_HEADER_BYTES) return null;
  const view = new DataView(data.buffer, data.byteOffset, ROLLBACK_HEADER_BYTES);
  if (view.getUint32(OFFSET_AT) !== OFFSET_MARK) return null;
  return MAGIC.every((byte, at) => data[at] === byte) ? data.subarray(ROLLBACK_HEADER_BYTES) : null;
}
