/**
 * The map keys of the protocol, each pre-encoded as its msgpack raw string.
 * The names are Go's exported field names and are case-sensitive.
 */

const NAMES = [
  'Addr',
  'Address',
  'AppendedAt',
  'Candidate',
  'Configuration',
  'ConfigurationIndex',
  'Data',
  'DurableIndex',
  'ElectionTimeout',
  'Entries',
  'Extensions',
  'Granted',
  'HeartbeatInterval',
  'Hints',
  'ID',
  'Index',
  'LastLog',
  'LastLogIndex',
  'LastLogTerm',
  'Leader',
  'LeaderCommitIndex',
  'LeadershipTransfer',
  'Message',
  'NoRetryBackoff',
  'Payload',
  'Peers',
  'PrevLogEntry',
  'PrevLogTerm',
  'ProtocolVersion',
  'Servers',
  'Size',
  'SnapshotVersion',
  'Success',
  'Suffrage',
  'Term',
  'Type',
  'Verdict',
] as const;

/** A key of the protocol. */
export type KeyName = (typeof NAMES)[number];

/** Key name → its encoded form. Do not modify. */
export const KEYS = Object.fromEntries(NAMES.map((name) => [name, encodeKey(name)])) as Record<KeyName, Uint8Array>;

/** A short ASCII name (≤ 31 letters) as a fixed raw string. */
export function encodeKey(name: string): Uint8Array {
  const bytes = new Uint8Array(name.length + 1);
  bytes[0] = 0xa0 | name.length;
  for (let i = 0; i < name.length; i += 1) bytes[i + 1] = name.charCodeAt(i);
  return bytes;
}
