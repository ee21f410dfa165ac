/** The last hour of a chain as a strip in which a missed slot is seen at once (protocol.ts, ClusterNow.strip). */
import type { StoredBlock } from './history.ts';
import { stripCellMs, stripCells } from './protocol.ts';

/** A block counts as late from this part of the block time beyond it. */
const LATE = 0.9;

/** `blocks` ascending by time; from before the hour only the last matters. */
export function stripOf(blocks: readonly StoredBlock[], blockMs: number, nowMs: number): string {
  const endMs = (Math.floor(nowMs / stripCellMs) + 1) * stripCellMs;
  const startMs = endMs - stripCells * stripCellMs;
  const cellOf = (atMs: number): number => Math.floor((atMs - startMs) / stripCellMs);
  const missed = Array.from({ length: stripCells }, () => 0);
  const seen = Array.from({ length: stripCells }, () => false);
  const first = blocks[0]?.atMs ?? nowMs;
  for (const [at, block] of [...blocks, null].entries()) {
    const cell = block === null ? -1 : cellOf(block.atMs);
    if (cell >= 0) seen[cell] = true;
    const before = blocks[at - 1];
    if (before === undefined) continue;
    const slots =
      block === null ? missedSlots(nowMs - before.atMs, blockMs) - 1 : missedBetween(before, block, blockMs);
    for (let slot = 1; slot <= slots; slot += 1) {
      const late = cellOf(before.atMs + slot * blockMs);
      if (late >= 0 && late < stripCells) missed[late]! += 1;
    }
  }
  return missed
    .map((count, cell) => {
      const cellEndMs = startMs + (cell + 1) * stripCellMs;
      if (cellEndMs <= first || blocks.length === 0) return '.';
      if (!seen[cell] && count > 0) return '-';
      return String(Math.min(9, count));
    })
    .join('');
}

/**
 * Slots that surely no block came in between two that were seen one after the other: those between them had slots, and
 * one that was found by asking may have come when it was asked last.
 */
export function missedBetween(before: StoredBlock, after: StoredBlock, blockMs: number): number {
  const skipped = Math.max(0, after.number - before.number - 1);
  const gapMs = after.atMs - (after.spreadMs ?? 0) - before.atMs;
  return missedSlots(gapMs - skipped * blockMs, blockMs);
}

/** Slots that no block came in, where this long passed from one block to the next. */
export function missedSlots(gapMs: number, blockMs: number): number {
  return gapMs < blockMs * (1 + LATE) ? 0 : Math.round(gapMs / blockMs) - 1;
}
