/** One log entry as raft-boltdb stores it: the same map as inside an AppendEntries request. */
import type { Entry } from '../raft/types.ts';
import { decodeStruct } from './decode-struct.ts';
import { encodeWhole } from './encode-whole.ts';
import { ENTRY } from './entry-schema.ts';
import { writeEntry } from './write-entry.ts';

/** Byte for byte what Go stores. Throws WireError 'unencodable' for values outside their documented range. */
export function encodeEntry(entry: Entry): Uint8Array {
  return encodeWhole((to) => writeEntry(to, entry));
}

/** Reads a stored entry. Throws WireError. */
export function decodeEntry(bytes: Uint8Array): Entry {
  return decodeStruct(ENTRY, bytes);
}
