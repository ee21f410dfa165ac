/**
 * What is known of a change of leadership that was found by asking: that it was between two looks, as each block was. So
 * the gap is that of the two blocks around those looks that lie farthest apart, and it has bounds.
 */
import type { StoredBlock, StoredEvent } from './history.ts';

/** A leader that is gone may be waited for before it is said to be silent, milliseconds. */
const silentMsMax = 10_000;

export interface AroundLook {
  /** Its data has `sinceMs`: the look before, which saw another leader or none. */
  readonly elected: StoredEvent;
  readonly blocks: readonly StoredBlock[];
  readonly untilMs: number;
}

/** Null where nobody looked before, so that nothing is known of the time; `first` is null while none was seen since. */
export function blocksAroundLook({ elected, blocks, untilMs }: AroundLook): {
  readonly last: StoredBlock;
  readonly first: StoredBlock | null;
} | null {
  const sinceMs = elected.data['sinceMs'];
  if (typeof sinceMs !== 'number') return null;
  const own = blocks.filter(({ atMs }) => atMs < untilMs);
  const before = own.findLast(({ atMs }) => atMs <= elected.atMs);
  if (before === undefined) return null;
  if (!own.some(({ atMs }) => atMs >= elected.atMs)) return { last: before, first: null };
  let found: { last: StoredBlock; first: StoredBlock } | null = null;
  for (const [at, first] of own.entries()) {
    const last = own[at - 1];
    if (last === undefined || first.number <= last.number || last.atMs > elected.atMs || first.atMs < sinceMs) continue;
    if (found === null || first.atMs - last.atMs > found.first.atMs - found.last.atMs) found = { last, first };
  }
  return found;
}

/** From the shortest gap to the longest that two blocks may have been apart; null where both were told. */
export function rangeOf(last: StoredBlock, first: StoredBlock): readonly [leastMs: number, mostMs: number] | null {
  const [before, after] = [last.spreadMs ?? 0, first.spreadMs ?? 0];
  const gapMs = first.atMs - last.atMs;
  return before + after === 0 ? null : [Math.max(0, gapMs - after), gapMs + before];
}

/** Whether the conductor of who led before did not answer around the change. */
export function lostByAsking(own: readonly StoredEvent[], before: StoredEvent, first: StoredBlock | null): boolean {
  const untilMs = (first?.atMs ?? Infinity) + silentMsMax;
  return own.some(({ kind, server, atMs }) => kind === 'silent' && server === before.server && atMs <= untilMs);
}
