/** What an op-node and its op-geth have after `kill -9` (restarted-client.ts), and how they answer. */
export interface RestartedAt {
  readonly tip: bigint;
  /** The last block that the client has. */
  readonly known: bigint;
  /** The last block of which it has the state: its head. */
  readonly stateAt: bigint;
  /** The known blocks are on its canonical chain already: a forkchoice update to them changes nothing. */
  readonly areCanonical?: boolean;
  readonly hasEngine?: boolean;
  readonly servesDebug?: boolean;
  /** What it says to being made to forget, having done it or not; by default the truth. */
  readonly setHead?: 'lost answer' | 'only words';
  /** Its canonical blocks from here on are of another branch. */
  readonly forkAt?: bigint;
  /** The log has held that branch, and given it up. */
  readonly isForkGivenUp?: boolean;
  /** The log does not hold this block. */
  readonly logLacks?: bigint;
  /** It says that it syncs until its head has moved, as op-reth; its stages are where its head is, or at this block. */
  readonly saysItSyncs?: 'level' | { readonly stageAt: bigint };
}
