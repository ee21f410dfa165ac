/** What all messages have in common: the three header fields, and the keys that only ours add. */
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

/** A key that is ours (rule 16); absent from the object when absent from the map. */
export const PEER_STATUS: FieldSpec = ['Hints', 'peerStatus', 'bytes', { limit: 'stringBytesMax', optional: true }];

/** Ours as well, in heartbeats and their answers (rule 34): milliseconds that a follower is asked for, and that it promises. */
export const ELECTION_TIMEOUT: FieldSpec = ['ElectionTimeout', 'electionTimeoutMs', 'unsigned', { optional: true }];

/** The last one, in pre-votes that ask for the members (rule 32) and their answers: a Configuration, of no bytes in the question. */
export const MEMBERS: FieldSpec = [
  'Configuration',
  'configuration',
  'bytes',
  { limit: 'configurationBytesMax', optional: true },
];
