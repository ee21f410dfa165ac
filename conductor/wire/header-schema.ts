/** What all messages have in common: the three header fields, and the hints that only ours add. */
import type { Header } from '../raft/types.ts';
import type { FieldSpec } from './schema.ts';

/** hashicorp's RPCHeader, which Go embeds as the first field of every message. */
export const HEADER: readonly FieldSpec[] = [
  ['ProtocolVersion', 'protocolVersion', 'signed'],
  ['ID', 'id', 'text'],
  ['Addr', 'address', 'text'],
];

/** A header of zero values. */
export const ZERO_HEADER: Header = { protocolVersion: 0, id: null, address: null };

/** The one key that is ours (rule 16); absent from the object when absent from the map. */
export const HINTS: FieldSpec = ['Hints', 'hints', 'bytes', { limit: 'stringBytesMax', optional: true }];
