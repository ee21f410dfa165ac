/**
 * What a server's own node and execution client show about a committed block, and what that means for the chain
 * (rule 6). A server speaks of its own node alone, about a hash; what it does not say proves nothing.
 */

/**
 * - `l1`: the node's safe chain has another hash at this height; or L1, where it may be asked (`--l1.rpc`), has another
 *   block in the place of this one's origin, and the node is not on it.
 * - `left`: the node's head was on the block and is off it, while the client still has the block.
 * - `invalid`: the client, standing on the block's parent, refused it, and refused it again a second later.
 * - `notTaken`: the node was given the block, stood on its parent, has worked through what it was given, and its client
 *   still has no such block two block times later.
 * - `valid`: the client executed the block and found it valid.
 * - `holds`: the client has the block.
 *
 * The order is that of the bits on the wire: kinds are only ever added.
 */
export const observationKinds = ['l1', 'left', 'invalid', 'notTaken', 'valid', 'holds'] as const;

export type ObservationKind = (typeof observationKinds)[number];

/** About one block of the committed chain. */
export interface Observation {
  readonly number: bigint;
  /** "0x" and 64 digits, lower case. */
  readonly hash: string;
  /** Not empty. */
  readonly kinds: readonly ObservationKind[];
}

/** Most blocks that a server speaks of at once: the tip, and the lowest one its node has left. */
export const OBSERVATIONS_MAX = 4;

/** The kinds as bits, for the wire. */
export function bitsOfKinds(kinds: readonly ObservationKind[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << observationKinds.indexOf(kind)), 0);
}

/** The kinds of such bits; those of a later version are left out. */
export function kindsOfBits(bits: number): ObservationKind[] {
  return observationKinds.filter((_, position) => (bits & (1 << position)) !== 0);
}
