/** What a word tells of the sections that hold it: the part of BM25 that the build and a search have in common. */

/** How much it tells that a section holds what `holding` of `all` hold: nearly 0 for what stands everywhere. */
export function rarityOf(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}
