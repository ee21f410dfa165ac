/** Default settings of a raft server, as op-conductor's where it has them. */
import type { RaftOptions } from './events.ts';

const MIB = 1024 * 1024;

/** Everything but the server's identity; see RaftOptions for units. */
export const RAFT_DEFAULTS: Omit<RaftOptions, 'id' | 'address'> = {
  heartbeatTimeoutMs: 1000,
  electionTimeoutMs: 1000,
  leaderLeaseMs: 500,
  commitTimeoutMs: 50,
  requestTimeoutMs: 5000,
  appendEntriesMax: 64,
  appendBytesMax: 8 * MIB,
  inflightRequestsMax: 16,
  inflightBytesMax: 32 * MIB,
  entryBytesMax: 64 * MIB,
  uncommittedEntriesMax: 4096,
  uncommittedBytesMax: 256 * MIB,
  cacheBytesMax: 16 * MIB,
  snapshotThreshold: 8192,
  snapshotIntervalMs: 120_000,
  snapshotBytes: 256 * MIB,
  trailingLogs: 10_240,
  trailingBytes: 512 * MIB,
  legacyEmptyStore: false,
  requireCatchUp: false,
  stageVoters: true,
  fastElections: true,
  learnedTimeouts: true,
};
