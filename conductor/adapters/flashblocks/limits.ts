/** Bounds and times of the flashblocks relay; what happens at each is said beside it. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Sizes in bytes, times in milliseconds. */
export interface FlashblocksLimits {
  /** Tries to reach the source at start; then the process ends. */
  readonly startTriesMax: number;
  /** From one try to the next, at start and after a loss. */
  readonly reconnectMs: number;
  /** Longest wait for one try. */
  readonly dialMs: number;
  /** From one ping to the next, to clients and to the source. */
  readonly pingIntervalMs: number;
  /** Longest wait for the pong; then the connection is dropped. */
  readonly pongTimeoutMs: number;
  /** Longest time a client may take for a message that was begun; then it is dropped. */
  readonly writeTimeoutMs: number;
  /** How often clients are looked after. */
  readonly sweepMs: number;
  /** A larger message of the source closes that connection. Bun itself refuses one above 128 MiB. */
  readonly messageBytesMax: number;
  /** Messages and bytes waiting for one client, the one being written not counted; beyond: it is dropped. */
  readonly clientMessagesMax: number;
  readonly clientBytesMax: number;
  /** Bytes being written to all slow clients together; beyond: the client that would add more is dropped. */
  readonly writingBytesMax: number;
  /** One more client is answered with 503. */
  readonly clientsMax: number;
  /** A client has nothing to say: a longer message of it, or more messages and pings per sweep, and it is dropped. */
  readonly clientSaysBytesMax: number;
  readonly clientSaysPerSweepMax: number;
}

export const flashblocksLimits: FlashblocksLimits = {
  startTriesMax: 5,
  reconnectMs: 5000,
  dialMs: 5000,
  pingIntervalMs: 15_000,
  pongTimeoutMs: 10_000,
  writeTimeoutMs: 5000,
  sweepMs: 500,
  messageBytesMax: 10 * MIB,
  clientMessagesMax: 256,
  clientBytesMax: 32 * MIB,
  writingBytesMax: 256 * MIB,
  clientsMax: 4096,
  clientSaysBytesMax: 32 * KIB,
  clientSaysPerSweepMax: 64,
};

/**
 * Bounds on clients for a process that may open `descriptors` files and sockets: at most a quarter of them, for a
 * conductor that can open no socket to its own node takes that node for dead.
 */
export function clientLimits(descriptors: number): Pick<FlashblocksLimits, 'clientsMax'> {
  return { clientsMax: Math.min(flashblocksLimits.clientsMax, Math.floor(descriptors / 4)) };
}
