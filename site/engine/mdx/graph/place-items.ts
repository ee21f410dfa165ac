/**
 * Where the items of ordered layers stand across the flow: as near to their neighbours as their sizes allow. Each
 * layer in turn is the least-squares answer to where its neighbours are now, by pooling adjacent violators.
 */
import type { Item, Layers, Way } from './order-layers.ts';
import { straighten } from './straighten.ts';

/** Room on both sides of the line through an item. */
export interface Room {
  readonly before: number;
  readonly after: number;
}

export interface Sizes {
  readonly roomOf: (item: Item) => Room;
  /** Between two neighbours of a layer. */
  readonly gapBetween: (one: Item, next: Item) => number;
}

const ROUNDS = 60;
/** Bends are drawn to one another, so that long lines run straight; what follows on one alone, to that. */
const BEND_WEIGHT = 8;
const CHAIN_WEIGHT = 6;

/** The line through each item; the least room begins at 0. */
export function placeItems({ layers, ways }: Layers, { roomOf, gapBetween }: Sizes): Map<Item, number> {
  const offsets = layers.map((layer) => {
    let end = 0;
    return layer.map((item, at) => {
      const previous = layer[at - 1];
      if (previous !== undefined) end += roomOf(previous).after + gapBetween(previous, item) + roomOf(item).before;
      return end;
    });
  });
  const items = layers.flat();
  const settled = settle(layers, offsets, pullsOf(ways, new Map(items.map((item, index) => [item, index]))));
  const places = new Map(items.map((item, index) => [item, settled[index]!]));
  straighten({ layers, ways }, places, offsets);
  const least = Math.min(...[...places].map(([item, place]) => place - roomOf(item).before));
  for (const [item, place] of places) places.set(item, place - least);
  return places;
}

/** All places, by the items' numbers: a drawing is tried in many settings, so that these rounds are most of its time. */
function settle(layers: Layers['layers'], offsets: readonly (readonly number[])[], pulls: Pulls): Float64Array {
  const places = Float64Array.from(offsets.flat());
  const firsts: number[] = [];
  let next = 0;
  for (const { length } of layers) {
    firsts.push(next);
    next += length;
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const at of layers.keys()) {
      // Downwards and upwards in turn.
      const index = round % 2 === 0 ? at : layers.length - 1 - at;
      pool(places, firsts[index]!, offsets[index]!, pulls);
    }
  }
  return places;
}

/** Of each item, by its number. */
type Pulls = ReadonlyMap<number, readonly Pull[]>;

interface Pull {
  readonly to: number;
  readonly weight: number;
}

function pullsOf(ways: readonly Way[], numbers: ReadonlyMap<Item, number>): Pulls {
  const pulls = new Map<number, Pull[]>();
  const pull = (from: Item, to: Item, weight: number): void => {
    const own = pulls.get(numbers.get(from)!) ?? [];
    own.push({ to: numbers.get(to)!, weight });
    pulls.set(numbers.get(from)!, own);
  };
  const firsts = ways.map(({ items }) => items[0]);
  const lasts = ways.map(({ items }) => items.at(-1));
  const isOnly = (item: Item | undefined, among: readonly (Item | undefined)[]): boolean =>
    among.filter((one) => one === item).length === 1;
  for (const { items } of ways) {
    const isChain = items.length <= 3 && isOnly(items[0], firsts) && isOnly(items.at(-1), lasts);
    for (const [at, item] of items.slice(1).entries()) {
      const isBend = item.kind !== 'node' && items[at]!.kind !== 'node';
      const weight = isBend ? BEND_WEIGHT : isChain ? CHAIN_WEIGHT : 1;
      pull(item, items[at]!, weight);
      pull(items[at]!, item, weight);
    }
  }
  return pulls;
}

/** Where the item would be best, and how much it weighs there. */
function wishOf(item: number, places: Float64Array, pulls: Pulls): { place: number; weight: number } {
  const own = pulls.get(item);
  if (own === undefined) return { place: places[item]!, weight: 0.01 };
  let sum = 0;
  let weight = 0;
  for (const pull of own) {
    sum += pull.weight * places[pull.to]!;
    weight += pull.weight;
  }
  return { place: sum / weight, weight };
}

/** Gives the items of a layer, from `first` on, the places nearest to their wishes that stay `offsets` apart. */
function pool(places: Float64Array, first: number, offsets: readonly number[], pulls: Pulls): void {
  const pools: { sum: number; weight: number; count: number }[] = [];
  for (const [at, offset] of offsets.entries()) {
    const { place, weight } = wishOf(first + at, places, pulls);
    const pooled = { sum: weight * (place - offset), weight, count: 1 };
    for (
      let last = pools.at(-1);
      last !== undefined && last.sum / last.weight > pooled.sum / pooled.weight;
      last = pools.at(-1)
    ) {
      pooled.sum += last.sum;
      pooled.weight += last.weight;
      pooled.count += last.count;
      pools.pop();
    }
    pools.push(pooled);
  }
  let at = 0;
  for (const { sum, weight, count } of pools)
    for (const end = at + count; at < end; at++) places[first + at] = sum / weight + offsets[at]!;
}
