/** One log entry as a msgpack map, the same inside AppendEntries and as a value of a boltdb log. */
import type { Entry } from '../raft/types.ts';
import { isGoTime } from './go-time.ts';
import { KEYS } from './keys.ts';
import type { MsgpackWriter } from './msgpack-writer.ts';
import { WireError } from './wire-error.ts';

const FIELDS = 6;
const TYPE_MAX = 255;

/** Throws WireError 'unencodable' for a time that is not MarshalBinary or a type above 255. */
export function writeEntry(to: MsgpackWriter, entry: Entry): void {
  if (!isGoTime(entry.appendedAt))
    throw new WireError('unencodable', `appendedAt of entry ${entry.index} is not a Go time of 15 or 16 bytes`);
  if (entry.type > TYPE_MAX)
    throw new WireError('unencodable', `entry ${entry.index} has type ${entry.type}, above ${TYPE_MAX}`);
  to.mapHeader(FIELDS);
  to.key(KEYS.AppendedAt).bytes(entry.appendedAt);
  to.key(KEYS.Data).bytes(entry.data);
  to.key(KEYS.Extensions).bytes(entry.extensions);
  to.key(KEYS.Index).unsigned(entry.index);
  to.key(KEYS.Term).unsigned(entry.term);
  to.key(KEYS.Type).unsigned(entry.type);
}
