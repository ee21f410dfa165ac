import { expect, test } from 'vitest';
import { stripCellMs, stripCells } from './protocol.ts';
import { missedBetween, missedSlots, stripOf } from './strip.ts';

/** The start of the last cell of an hour that ends in the middle of one. */
const now = 100 * stripCellMs + stripCellMs / 2;
const steady = (fromMs: number, toMs: number): { number: number; atMs: number }[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / 1000) + 1 }, (_, at) => ({ number: at, atMs: fromMs + at * 1000 }));

test('a chain in rhythm has no stroke missing; what was before it was watched is not known', () => {
  const strip = stripOf(steady(now - 10 * stripCellMs, now), 1000, now);
  expect(strip).toHaveLength(stripCells);
  expect(strip.slice(-10)).toBe('0000000000');
  expect(strip.slice(0, -11)).toBe('.'.repeat(stripCells - 11));
});

test('missed slots are in the cells in which they were due, and a cell without a block stands out', () => {
  const gapFromMs = 90 * stripCellMs + 10_000;
  const blocks = [...steady(80 * stripCellMs, gapFromMs), ...steady(gapFromMs + 65_000, now)];
  const strip = stripOf(blocks, 1000, now);
  // 19 slots of the first cell, all of the second, 14 of the third.
  expect(strip.slice(-11, -6)).toBe('9-900');
});

test('blocks that were skipped had slots, and one that was found by asking is late only where it surely was', () => {
  const at = (number: number, atMs: number, spreadMs = 0) => ({ number, atMs, spreadMs });
  expect(missedBetween(at(7, 0), at(8, 3000), 1000)).toBe(2);
  expect(missedBetween(at(7, 0), at(9, 3000), 1000)).toBe(1);
  expect(missedBetween(at(7, 0), at(10, 3000), 1000)).toBe(0);
  expect(missedBetween(at(7, 0), at(8, 2040, 1020), 1000)).toBe(0);
  expect(missedBetween(at(7, 0), at(8, 4000, 1020), 1000)).toBe(2);
});

test('a chain that stands now shows it without another block', () => {
  const strip = stripOf(steady(now - 20 * stripCellMs, now - 60_000), 1000, now);
  expect(strip.at(-2)).toBe('-');
  expect(strip.at(-1)).toBe('-');
});

test.each([
  [1000, 0],
  [1850, 0],
  [1950, 1],
  [5000, 4],
])('after %i ms without a block of a second %i slots are missed', (gapMs, slots) => {
  expect(missedSlots(gapMs, 1000)).toBe(slots);
});
