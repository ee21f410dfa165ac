/** What the watchdog on commits has seen of one leadership under which the sequencer is to build. */
export interface Reign {
  readonly term: number;
  readonly sinceMs: number;
  /** Blocks of the own sequencer. */
  commits: number;
  /** The newest L1 block, and the safe head, when we first asked whether they go on; null before. */
  l1Number: bigint | null;
  safeNumber: bigint | null;
  /** When that was found to have gone on; null before. */
  safeGoneOnAtMs: number | null;
  /** When all servers were last found held up or unfit; -Infinity for never. */
  allUnfitAtMs: number;
  /** The committed head below which the node was found when last asked, and the node's own, by their hashes; '' for none. */
  belowTip: string;
  /** Where the node's head was when it was first found above the committed one, with nothing offered since; null for not. */
  aboveTip: bigint | null;
}

export function newReign(term: number, sinceMs: number): Reign {
  const nothing = { l1Number: null, safeNumber: null, safeGoneOnAtMs: null, belowTip: '', aboveTip: null };
  return { term, sinceMs, commits: 0, allUnfitAtMs: -Infinity, ...nothing };
}
