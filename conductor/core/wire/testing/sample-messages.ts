/** One message of each kind that carries more than numbers, for tests of their bytes. */
import type { AppendEntriesRequest, Entry, InstallSnapshotRequest } from '../../raft/types.ts';

export const address = '127.0.0.1:7000';
export const header = { protocolVersion: 3, id: 'n1', address };
/** "hi". */
export const hi = Uint8Array.of(0x68, 0x69);

export const heartbeat: AppendEntriesRequest = {
  kind: 'append',
  ...header,
  term: 5,
  leader: address,
  prevLogIndex: 0,
  prevLogTerm: 0,
  entries: null,
  leaderCommit: 0,
};

export const entry: Entry = {
  index: 7,
  term: 5,
  type: 0,
  data: hi,
  extensions: null,
  appendedAt: Uint8Array.fromHex('010000000edf6ba85a075bcd15ffff'),
};

/** 200 bytes of snapshot, with this configuration. */
export function snapshotWith(configuration: Uint8Array): InstallSnapshotRequest {
  return {
    kind: 'snapshot',
    ...header,
    snapshotVersion: 1,
    term: 6,
    leader: address,
    lastLogIndex: 300,
    lastLogTerm: 5,
    peers: null,
    configuration,
    configurationIndex: 1,
    size: 200,
    data: new Uint8Array(200).fill(9),
  };
}
