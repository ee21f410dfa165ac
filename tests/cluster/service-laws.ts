/**
 * What must hold of a rollup's blocks whatever happened to its conductors and sequencers: laws over
 * the record of publications, each a function that returns sentences about what was broken.
 */
import type { Block, Publication, Start } from './publications.ts';

/** No height with two published hashes, whoever published or heard them. */
export function heightsWithTwoHashes(published: readonly Block[]): string[] {
  const first = new Map<number, string>();
  const broken = new Set<string>();
  for (const { number, hash } of published) {
    const known = first.get(number) ?? hash;
    first.set(number, known);
    if (known !== hash) broken.add(`height ${number} was published as ${known} and as ${hash}`);
  }
  return [...broken];
}

/** No acknowledged payload lost: each is on every node's final chain. */
export function lostPayloads(
  acknowledged: readonly Block[],
  chains: readonly { readonly node: string; readonly blocks: readonly Block[] }[],
): string[] {
  return chains.flatMap(({ node, blocks }) => {
    const hashes = new Set(blocks.map(({ hash }) => hash));
    const lost = acknowledged.filter(({ hash }) => !hashes.has(hash));
    return lost.map(({ number, hash }) => `${node} does not have block ${number}, ${hash}, which was acknowledged`);
  });
}

/**
 * Never two publishers: once another sequencer has published a new height, one publishes new heights
 * only after it was started again. (A late publication of a block that others built on is no new height.)
 */
export function overlappingPublishers(published: readonly Publication[], starts: readonly Start[]): string[] {
  const broken: string[] = [];
  /** Since when, at least, each sequencer would have to be started anew before it may publish. */
  const supersededAt = new Map<string, number>();
  let previous: Publication | null = null;
  for (const block of newHeights(published)) {
    if (previous !== null && previous.node !== block.node) supersededAt.set(previous.node, block.atMs);
    const since = supersededAt.get(block.node);
    const isStarted = starts.some(({ node, atMs }) => node === block.node && atMs >= (since ?? 0));
    if (since !== undefined && !isStarted)
      broken.push(`${block.node} published block ${block.number} though ${previous?.node ?? ''} had taken over`);
    if (isStarted) supersededAt.delete(block.node);
    previous = block;
  }
  return broken;
}

/** Publications in the order of time that raised the published head. */
export function newHeights(published: readonly Publication[]): Publication[] {
  let highest = -1;
  return published
    .toSorted((a, b) => a.atMs - b.atMs || a.number - b.number)
    .filter(({ number }) => {
      const isNew = number > highest;
      highest = Math.max(highest, number);
      return isNew;
    });
}

/** The longest time, in milliseconds, between two new heights of which the later came after `sinceMs` (Unix). */
export function publishingGap(published: readonly Publication[], sinceMs: number): number {
  const times = newHeights(published).map(({ atMs }) => atMs);
  return Math.max(0, ...times.map((atMs, at) => (atMs <= sinceMs || at === 0 ? 0 : atMs - (times[at - 1] as number))));
}
