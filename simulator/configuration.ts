/** The fixed part of a run: how large the cluster is and how it is set up. What happens to it is a list of events. */

export interface Configuration {
  /** 1..2^32−1; names every random choice of the run. */
  readonly seed: number;
  /** Conductors, each beside a sequencer. Random runs have all of these. */
  readonly servers: number;
  /** How many of them, the last ones, are members that do not vote. */
  readonly nonvoters: number;
  /** Seconds between blocks. */
  readonly blockSeconds: number;
  /** One-way delay between machines, microseconds. */
  readonly delayMinUs: number;
  readonly delayMaxUs: number;
  /** Seconds between health checks, and the allowed age of the unsafe head. */
  readonly healthSeconds: number;
  readonly unsafeSeconds: number;
  /** Log entries that make a snapshot due, and those kept behind one. */
  readonly snapshotThreshold: number;
  readonly trailingLogs: number;
  /** Milliseconds until it is looked whether a snapshot is due, or up to twice as long. */
  readonly snapshotMs: number;
  /** Log entries in one request at most; few of them make a log be found to agree piece by piece. */
  readonly entriesPerRequest: number;
  /** Bytes of entries that a conductor has in memory, in a request and under way to one server; 0: as many as operators allow. */
  readonly memoryBytes: number;
  /** What came in during a write, at most so much of it, is handled in one turn; 1: each event by itself, as raft.tla has it. */
  readonly eventsPerTurn: number;
  /** Seconds for which the cluster has been formed, and still is paused, before the first block. */
  readonly idleSeconds: number;
  /** Partial answers of rollup-boost that a conductor tolerates within a minute. */
  readonly toleratedPartials: number;
  /** How a conductor has the peers of its client counted: 0 not at all, 1 by net_peerCount, 2 by admin_peers. */
  readonly clientPeers: number;
  /** 1 when conductors have the address of their client’s engine API and the leader’s validates, 2 when a majority’s do. */
  readonly engine: number;
  /** 1 when they have that of the L1 endpoint of their op-node, 2 when all have one that is on a branch that no op-node is on; and blocks name their origin in a deposit. */
  readonly layerOne: number;
  /** Milliseconds that a client takes to execute a block: until then its op-node does not have what it published. */
  readonly executionMs: number;
  /** 1 when leadership is handed round in turn (--raft.round-robin-leader-transfer). */
  readonly roundRobin: number;
  /** Which servers are op-conductors: the sum of 2 to the power of each one's number. */
  readonly opConductors: number;
  /** 1 when execution clients are op-reths, which lose blocks and no states, and tell less of themselves than op-geths. */
  readonly reth: number;
  /** Height of the block that the chain begins with: from 128 on execution clients may get from others what they have lost. */
  readonly firstBlock: number;
  /** 1 when nothing is moved back without an operator's word (--consensus.rollback=refuse). */
  readonly refusesRollback: number;
}

export const defaultConfiguration: Configuration = {
  seed: 1,
  servers: 3,
  nonvoters: 0,
  blockSeconds: 1,
  delayMinUs: 200,
  delayMaxUs: 3000,
  healthSeconds: 1,
  unsafeSeconds: 3,
  snapshotThreshold: 16,
  trailingLogs: 12,
  snapshotMs: 5000,
  entriesPerRequest: 64,
  memoryBytes: 0,
  eventsPerTurn: 1024,
  idleSeconds: 0,
  toleratedPartials: 0,
  clientPeers: 0,
  engine: 0,
  layerOne: 0,
  executionMs: 0,
  roundRobin: 0,
  opConductors: 0,
  reth: 0,
  firstBlock: 0,
  refusesRollback: 0,
};

/** When blocks come, when a head is too old, and how often that is looked at. */
export type Times = Pick<Configuration, 'blockSeconds' | 'unsafeSeconds'> &
  Partial<Pick<Configuration, 'healthSeconds'>>;

/** Blocks of two seconds come now and then, with an unsafe interval that is two blocks and a second. */
export const blockTimes: readonly Times[] = [
  { blockSeconds: 1, unsafeSeconds: 3 },
  { blockSeconds: 1, unsafeSeconds: 3 },
  { blockSeconds: 2, unsafeSeconds: 5 },
];

/** The longest way between two machines, microseconds: of one site, and now and then of distant ones. */
export const waysUs = [3000, 3000, 40_000] as const;

/** What each setting may be, both ends included: a run may come from a stranger's link. */
export const configurationLimits: Readonly<Record<keyof Configuration, readonly [number, number]>> = {
  seed: [1, 2 ** 32 - 1],
  servers: [1, 7],
  nonvoters: [0, 6],
  blockSeconds: [1, 30],
  delayMinUs: [0, 1_000_000],
  delayMaxUs: [0, 1_000_000],
  healthSeconds: [1, 60],
  unsafeSeconds: [1, 3600],
  snapshotThreshold: [1, 100_000],
  trailingLogs: [0, 100_000],
  snapshotMs: [10, 600_000],
  entriesPerRequest: [1, 1024],
  memoryBytes: [0, 16 * 1024 * 1024],
  eventsPerTurn: [1, 1024],
  idleSeconds: [0, 600],
  toleratedPartials: [0, 1000],
  clientPeers: [0, 2],
  engine: [0, 2],
  layerOne: [0, 2],
  executionMs: [0, 1000],
  roundRobin: [0, 1],
  opConductors: [0, 127],
  reth: [0, 1],
  firstBlock: [0, 1_000_000_000],
  refusesRollback: [0, 1],
};

/** Whether a server, by its number, is an op-conductor. */
export function isOp({ opConductors }: Configuration, index: number): boolean {
  return ((opConductors >> index) & 1) === 1;
}

/** Whether a machine is to vote in the end: the last ones of a cluster begin as nonvoters, and may have been made voters. */
export function isToVote({ servers, nonvoters }: Configuration, index: number): boolean {
  return index < servers - nonvoters;
}
