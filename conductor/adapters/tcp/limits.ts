/**
 * Bounds of the TCP transport. Everything a peer or a slow network could make us hold or wait for
 * is named here; what happens at each bound is said beside it.
 */
import { DEFAULT_WIRE_LIMITS } from '#conductor/core/wire/limits';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Most entries in a request of op-conductor, which leaves hashicorp's MaxAppendEntries as it is. */
const GO_ENTRIES_MAX = 64;

/** Sizes in bytes, times in milliseconds. */
export interface TcpLimits {
  /** Bytes waiting to be written on one outbound connection (or one request of any size); beyond: 'overflow'. */
  readonly sendQueueBytesMax: number;
  /** Inbound connections; for one more, one that was never heard is closed, or else one silent for silentMs, or else the new one. */
  readonly inboundConnectionsMax: number;
  /** Inbound connections from one address; beyond: the same among those. */
  readonly inboundPerAddressMax: number;
  /** Many times what a leader with the usual timeouts waits between two heartbeats. */
  readonly silentMs: number;
  /** Bytes read ahead on an inbound connection whose current request is unanswered; beyond: no more reading. */
  readonly readAheadBytesMax: number;
  /** Unsent replies on an inbound connection; beyond: its next request waits. */
  readonly replyBacklogBytesMax: number;
  /** Requests taken from one connection before the others get a turn. */
  readonly requestsPerTurnMax: number;
  /**
   * Bytes of incomplete requests over all inbound connections. Beyond: the connection that has been
   * at its request the longest is closed; a single one may go on to loneRequestBytesMax (rule 11).
   */
  readonly incompleteBytesMax: number;
  /** The same where one connection has them all: above what op-conductor sends, if the memory allows. Beyond: it is closed. */
  readonly loneRequestBytesMax: number;
  /** A connection that was never heard to the end of a first request must deliver progressBytesMin per this time, or is closed. */
  readonly firstRequestMs: number;
  readonly progressBytesMin: number;
  /** Longest time for a request of more than readAheadBytesMax. hashicorp's own for a snapshot of 64 MiB is 21 minutes. */
  readonly largeRequestMs: number;
  /** Age from which an unfinished dial is given up for a new one, with the name resolved again; after eight in a row, eight times that. */
  readonly dialMs: number;
  /** Longest wait for one address of a name that has several, before the next is tried. */
  readonly addressMs: number;
  /** Idle time after which the kernel probes a connection; ten lost probes, one second apart, end it. */
  readonly keepAliveMs: number;
}

export const DEFAULT_TCP_LIMITS: TcpLimits = {
  sendQueueBytesMax: 96 * MIB,
  inboundConnectionsMax: 2048,
  inboundPerAddressMax: 1024,
  silentMs: 10_000,
  readAheadBytesMax: MIB,
  replyBacklogBytesMax: 64 * KIB,
  requestsPerTurnMax: 64,
  incompleteBytesMax: 1024 * MIB,
  loneRequestBytesMax: (GO_ENTRIES_MAX + 1) * DEFAULT_WIRE_LIMITS.entryBytesMax,
  firstRequestMs: 60_000,
  progressBytesMin: 64 * KIB,
  largeRequestMs: 1_800_000,
  dialMs: 2000,
  addressMs: 250,
  keepAliveMs: 30_000,
};

/** Fewest raft connections that make a cluster, of any size anybody runs. */
const CONNECTIONS_MIN = 32;

/**
 * Bounds on connections for a process that may open `descriptors` files and sockets: at most a quarter of
 * them, for a conductor that can open no socket to its own node takes that node for dead.
 */
export function connectionLimits(
  descriptors: number,
): Pick<TcpLimits, 'inboundConnectionsMax' | 'inboundPerAddressMax'> {
  const most = Math.max(CONNECTIONS_MIN, Math.floor(descriptors / 4));
  return {
    inboundConnectionsMax: Math.min(DEFAULT_TCP_LIMITS.inboundConnectionsMax, most),
    inboundPerAddressMax: Math.min(DEFAULT_TCP_LIMITS.inboundPerAddressMax, Math.ceil(most / 2)),
  };
}

/**
 * Bounds on incomplete requests for a process that may use `bytes` of memory: a quarter of it for the only
 * one, but 1 GiB where that is no more than half, since op-conductor's leader repeats what was refused.
 */
export function memoryLimits(bytes: number): Pick<TcpLimits, 'incompleteBytesMax' | 'loneRequestBytesMax'> {
  const { incompleteBytesMax, loneRequestBytesMax } = DEFAULT_TCP_LIMITS;
  const most = Math.max(Math.floor(bytes / 4), Math.min(incompleteBytesMax, Math.floor(bytes / 2)));
  return {
    incompleteBytesMax: Math.min(incompleteBytesMax, most),
    loneRequestBytesMax: Math.min(loneRequestBytesMax, most),
  };
}
