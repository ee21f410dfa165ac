/** What the validation benchmark compares, and what it keeps of each cell. */

/** Values of --consensus.validate. */
export const MODES = ['off', 'leader', 'quorum'] as const;
export type Mode = (typeof MODES)[number];

/** Bytes of calldata in a block. */
export const SIZES = [100_000, 1_000_000] as const;

/** One net's steady state. */
export interface Measured {
  readonly mode: Mode;
  readonly bytes: number;
  readonly blocks: number;
  /** Of whole blocks, as op-geth says. */
  readonly medianBlockBytes: number;
  readonly periodMs: number;
  /** From the beginning of a block's slot until it is the head of a follower's client. */
  readonly slotToHeadMs: { readonly p50: number; readonly p99: number };
  /** Processor time per block. */
  readonly cpuMs: Readonly<Record<'leaderConductor' | 'leaderClient' | 'followerConductor' | 'followerClient', number>>;
}
