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
  const places = new Map<Item, number>();
  const offsets = layers.map((layer) => {
    let end = 0;
    return layer.map((item, at) => {
      const previous = layer[at - 1];
      if (previous !== undefined) end += roomOf(previous).after + gapBetween(previous, item) + roomOf(item).before;
      places.set(item, end);
      return end;
    });
  });
  const pulls = pullsOf(ways);
  for (let round = 0; round < ROUNDS; round++) {
    for (const at of layers.keys()) {
      // Downwards and upwards in turn.
      const index = round % 2 === 0 ? at : layers.length - 1 - at;
      const layer = layers[index] ?? [];
      const wishes = layer.map((item) => wishOf(item, pulls, places));
      const settled = pooled(wishes, offsets[index] ?? []);
      for (const [place, item] of layer.entries()) places.set(item, settled[place] ?? 0);
    }
  }
  straighten({ layers, ways }, places, offsets);
  const least = Math.min(...[...places].map(([item, place]) => place - roomOf(item).before));
  for (const [item, place] of places) places.set(item, place - least);
  return places;
}

interface Pull {
  readonly to: Item;
  readonly weight: number;
}

function pullsOf(ways: readonly Way[]): Map<Item, Pull[]> {
  const pulls = new Map<Item, Pull[]>();
  const pull = (from: Item, to: Item, weight: number): void => {
    pulls.set(from, [...(pulls.get(from) ?? []), { to, weight }]);
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

function wishOf(item: Item, pulls: Map<Item, Pull[]>, places: Map<Item, number>): { place: number; weight: number } {
  const own = pulls.get(item) ?? [];
  const weight = own.reduce((sum, one) => sum + one.weight, 0);
  if (weight === 0) return { place: places.get(item) ?? 0, weight: 0.01 };
  return { place: own.reduce((sum, one) => sum + one.weight * (places.get(one.to) ?? 0), 0) / weight, weight };
}

/** The places nearest to the wishes among those that stay `offsets` apart. */
function pooled(wishes: readonly { place: number; weight: number }[], offsets: readonly number[]): number[] {
  const pools: { sum: number; weight: number; count: number }[] = [];
  for (const [at, { place, weight }] of wishes.entries()) {
    let pool = { sum: weight * (place - (offsets[at] ?? 0)), weight, count: 1 };
    for (
      let last = pools.at(-1);
      last !== undefined && last.sum / last.weight > pool.sum / pool.weight;
      last = pools.at(-1)
    ) {
      pool = { sum: pool.sum + last.sum, weight: pool.weight + last.weight, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const bases = pools.flatMap(({ sum, weight, count }) => Array.from({ length: count }, () => sum / weight));
  return bases.map((base, at) => base + (offsets[at] ?? 0));
}
