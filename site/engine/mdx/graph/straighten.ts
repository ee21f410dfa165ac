/**
 * Takes small steps out of the lines of a layered drawing: items of which each has one before and one after it, lines
 * from far away apart, and that stand nearly in a line are put on one. The least-squares places are a compromise between
 * all neighbours, which leaves a chain a little crooked where a line from far away pulls at its ends.
 */
import type { Item, Layers } from './order-layers.ts';

/** A step of more than this tells something: one beside the other. */
const STEP_MAX = 48;
/** Items of a way that counts as one of a fork; a longer one with bends passes by. */
const SHORT_MAX = 3;

/** Changes `places`; `offsets` are the least distances of each layer's items from its first. */
export function straighten(
  { layers, ways }: Pick<Layers, 'layers' | 'ways'>,
  places: Map<Item, number>,
  offsets: readonly (readonly number[])[],
): void {
  const placeOf = (item: Item): number => places.get(item) ?? 0;
  const steps = ways
    .filter(({ items }) => items.length <= SHORT_MAX || items.every(({ kind }) => kind !== 'bend'))
    .flatMap(({ items }) => items.slice(1).map((next, at) => ({ one: items[at]!, next })));
  const isFork = (isSame: (step: (typeof steps)[number]) => boolean): boolean => steps.filter(isSame).length > 1;
  const below = new Map<Item, Item>();
  const above = new Map<Item, Item>();
  for (const { one, next } of steps) {
    if (one.kind === 'bend' || next.kind === 'bend') continue;
    if (isFork((step) => step.one === one) || isFork((step) => step.next === next)) continue;
    if (Math.abs(placeOf(one) - placeOf(next)) > STEP_MAX) continue;
    below.set(one, next);
    above.set(next, one);
  }
  for (const [first] of below) {
    if (above.has(first)) continue;
    const line = [first];
    for (let item = below.get(first); item !== undefined; item = below.get(item)) line.push(item);
    const [from, to] = roomOf(line, layers, places, offsets);
    if (from > to) continue;
    const sorted = line.map(placeOf).toSorted((a, b) => a - b);
    const place = Math.min(to, Math.max(from, sorted[Math.floor(sorted.length / 2)]!));
    for (const item of line) places.set(item, place);
  }
}

/** Between which places all items of a line can stand, with their neighbours where they are. */
function roomOf(
  line: readonly Item[],
  layers: Layers['layers'],
  places: ReadonlyMap<Item, number>,
  offsets: readonly (readonly number[])[],
): [number, number] {
  let [from, to] = [-Infinity, Infinity];
  for (const item of line) {
    const layer = layers.findIndex((items) => items.includes(item));
    const items = layers[layer]!;
    const distances = offsets[layer]!;
    const at = items.indexOf(item);
    const before = items[at - 1];
    const after = items[at + 1];
    if (before !== undefined) from = Math.max(from, places.get(before)! + distances[at]! - distances[at - 1]!);
    if (after !== undefined) to = Math.min(to, places.get(after)! - (distances[at + 1]! - distances[at]!));
  }
  return [from, to];
}
