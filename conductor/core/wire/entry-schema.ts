/** Layout of one log entry and of the header that every message begins with. */
import type { Entry } from '../raft/types.ts';
import { ZERO_GO_TIME } from './go-time.ts';
import { struct, type StructSchema } from './schema.ts';

/** hashicorp's Log. */
export const ENTRY: StructSchema<Entry> = struct(
  'a log entry',
  [
    ['Index', 'index', 'unsigned'],
    ['Term', 'term', 'unsigned'],
    ['Type', 'type', 'octet'],
    ['Data', 'data', 'bytes', { limit: 'entryBytesMax' }],
    ['Extensions', 'extensions', 'bytes'],
    ['AppendedAt', 'appendedAt', 'time'],
  ],
  () => ({ index: 0, term: 0, type: 0, data: null, extensions: null, appendedAt: ZERO_GO_TIME }),
);
