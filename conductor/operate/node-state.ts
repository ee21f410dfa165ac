/** What one op-node tells of itself, as far as the tool goes by it. */

const HASH = /^0x[0-9a-fA-F]{64}$/;
const UNSET = /^0x0*$/;

/** A block, as far as it is compared. */
export interface BlockHead {
  readonly number: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** One moment of an op-node; null for what it does not tell. */
export interface NodeState {
  readonly unsafeHead: BlockHead | null;
  readonly isSequencing: boolean | null;
  readonly isConductorEnabled: boolean | null;
  /** Connected peers. */
  readonly peerCount: number | null;
}

/** The unsafe head in an answer of optimism_syncStatus; null for anything else, as the zeros of a node that is being reset. */
export function unsafeHeadOf(status: unknown): BlockHead | null {
  const { unsafe_l2 } = (status ?? {}) as { unsafe_l2?: { number?: unknown; hash?: unknown; timestamp?: unknown } };
  const { number, hash, timestamp } = unsafe_l2 ?? {};
  const isHead = typeof number === 'number' && typeof timestamp === 'number';
  return isHead && typeof hash === 'string' && HASH.test(hash) && !UNSET.test(hash)
    ? { number, timestamp, hash: hash.toLowerCase() }
    : null;
}
