/**
 * Bounds of the TCP transport. Everything a peer or a slow network could make us hold or wait for
 * is named here; what happens at each bound is said beside it.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Sizes in bytes, times in milliseconds. */
export interface TcpLimits {
  /** Bytes waiting to be written on one outbound connection (or one request of any size); beyond: 'overflow'. */
  readonly sendQueueBytesMax: number;
  /** Inbound connections; for one more, one that was never heard is closed, or else the new one. */
  readonly inboundConnectionsMax: number;
  /** Inbound connections from one address; beyond: the same among those. */
  readonly inboundPerAddressMax: number;
  /** Bytes read ahead on an inbound connection whose current request is unanswered; beyond: no more reading. */
  readonly readAheadBytesMax: number;
  /** Unsent replies on an inbound connection; beyond: its next request waits. */
  readonly replyBacklogBytesMax: number;
  /** Requests taken from one connection before the others get a turn. */
  readonly requestsPerTurnMax: number;
  /**
   * Bytes of incomplete requests over all inbound connections. Beyond: the connection that has been
   * at its request the longest is closed; a single one may go on (rule 11: a request's total has no cap).
   */
  readonly incompleteBytesMax: number;
  /** A connection that was never heard to the end of a first request must deliver progressBytesMin per this time, or is closed. */
  readonly firstRequestMs: number;
  readonly progressBytesMin: number;
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
  readAheadBytesMax: MIB,
  replyBacklogBytesMax: 64 * KIB,
  requestsPerTurnMax: 64,
  incompleteBytesMax: 1024 * MIB,
  firstRequestMs: 60_000,
  progressBytesMin: 64 * KIB,
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
