/**
 * Layers of a drawing, in an order with few crossings: nodes, the words of edges in layers of their own between them,
 * and bends where an edge passes a layer. Barycentres first, then swaps of neighbours.
 */
import type { Ranks } from './rank-nodes.ts';
import type { Graph, GraphEdge } from './read-graph.ts';

/** One thing in a layer. Compared by identity. */
export type Item =
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'label' | 'bend'; readonly edge: GraphEdge };

/** An edge from a lower layer to a higher one, through an item of every layer between. */
export interface Way {
  readonly edge: GraphEdge;
  /** Whether the edge begins at the end of `items`. */
  readonly isReversed: boolean;
  readonly items: readonly Item[];
}

export interface Layers {
  readonly layers: readonly (readonly Item[])[];
  readonly ways: readonly Way[];
  readonly flat: ReadonlySet<GraphEdge>;
  readonly crossings: number;
}

const SWEEPS = 12;
/** What one thing between two flat neighbours weighs, in crossings. */
const APART_COST = 8;

export function orderLayers(graph: Graph, { ranks, flat }: Ranks): Layers {
  const { layers, ways } = layersOf(graph, ranks, flat);
  const neighbours = neighboursOf(ways);
  const cost = (order: readonly (readonly Item[])[]): number =>
    crossingsOf(order, ways) + APART_COST * apartOf(order, flat);
  let best: readonly (readonly Item[])[] = layers;
  let current = best;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    current = swept(current, neighbours, sweep % 2 === 0);
    if (cost(current) < cost(best)) best = current;
  }
  best = swapped(best, cost);
  return { layers: best, ways, flat, crossings: crossingsOf(best, ways) };
}

function layersOf({ nodes, edges }: Graph, ranks: readonly number[], flat: ReadonlySet<GraphEdge>) {
  const upright = edges.filter((edge) => !flat.has(edge));
  const span = ({ from, to }: GraphEdge): [number, number] => {
    const [a, b] = [ranks[from] ?? 0, ranks[to] ?? 0];
    return [Math.min(a, b), Math.max(a, b)];
  };
  // The rank after which the words of an edge stand: in the middle of its way.
  const labelAfter = (edge: GraphEdge): number => Math.floor((span(edge)[0] + span(edge)[1] - 1) / 2);
  const gaps = new Set(upright.filter(({ text }) => text !== '').map(labelAfter));
  const steps = Array.from({ length: Math.max(...ranks) + 1 }, (_, rank) => [
    rank,
    ...(gaps.has(rank) ? [rank + 0.5] : []),
  ]);
  const places = steps.flat();
  const layers: Item[][] = places.map(() => []);
  const items = nodes.map((_, node): Item => ({ kind: 'node', node }));
  for (const [node, item] of items.entries()) layers[places.indexOf(ranks[node] ?? 0)]?.push(item);
  const ways = upright.map((edge): Way => {
    const [low, high] = span(edge);
    const isReversed = (ranks[edge.from] ?? 0) > (ranks[edge.to] ?? 0);
    const between = places.flatMap((place, at) => {
      if (place <= low || place >= high) return [];
      const isLabel = edge.text !== '' && place === labelAfter(edge) + 0.5;
      const item: Item = { kind: isLabel ? 'label' : 'bend', edge };
      layers[at]?.push(item);
      return [item];
    });
    const [first, last] = [items[isReversed ? edge.to : edge.from]!, items[isReversed ? edge.from : edge.to]!];
    return { edge, isReversed, items: [first, ...between, last] };
  });
  return { layers, ways };
}

/** Of each item: those of the layer before and of the layer after. */
function neighboursOf(ways: readonly Way[]): Map<Item, { readonly before: Item[]; readonly after: Item[] }> {
  const found = new Map<Item, { before: Item[]; after: Item[] }>();
  const of = (item: Item) => found.get(item) ?? found.set(item, { before: [], after: [] }).get(item)!;
  for (const { items } of ways)
    for (const [at, item] of items.slice(1).entries()) {
      of(item).before.push(items[at]!);
      of(items[at]!).after.push(item);
    }
  return found;
}

function swept(
  layers: readonly (readonly Item[])[],
  neighbours: ReturnType<typeof neighboursOf>,
  isForward: boolean,
): readonly (readonly Item[])[] {
  const order = layers.map((layer) => [...layer]);
  const positions = new Map(order.flatMap((layer) => layer.map((item, at) => [item, at] as const)));
  for (const layer of isForward ? order : order.toReversed()) {
    const wish = new Map(
      layer.map((item) => {
        const beside = neighbours.get(item)?.[isForward ? 'before' : 'after'] ?? [];
        const mean = beside.reduce((sum, one) => sum + (positions.get(one) ?? 0), 0) / beside.length;
        return [item, beside.length === 0 ? (positions.get(item) ?? 0) : mean] as const;
      }),
    );
    layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
    for (const [at, item] of layer.entries()) positions.set(item, at);
  }
  return order;
}

/** Swaps neighbours for as long as it makes the drawing better. */
function swapped(
  layers: readonly (readonly Item[])[],
  cost: (order: readonly (readonly Item[])[]) => number,
): readonly (readonly Item[])[] {
  const order = layers.map((layer) => [...layer]);
  let least = cost(order);
  for (let isBetter = true; isBetter && least > 0;) {
    isBetter = false;
    for (const layer of order)
      for (let at = 1; at < layer.length; at++) {
        [layer[at - 1], layer[at]] = [layer[at]!, layer[at - 1]!];
        const now = cost(order);
        if (now < least) [least, isBetter] = [now, true];
        else [layer[at - 1], layer[at]] = [layer[at]!, layer[at - 1]!];
      }
  }
  return order;
}

function crossingsOf(layers: readonly (readonly Item[])[], ways: readonly Way[]): number {
  const positions = new Map(layers.flatMap((layer, at) => layer.map((item, place) => [item, { at, place }] as const)));
  const steps: [number, number][][] = layers.map(() => []);
  for (const { items } of ways)
    for (const [at, item] of items.slice(1).entries()) {
      const from = positions.get(items[at]!)!;
      steps[from.at]?.push([from.place, positions.get(item)!.place]);
    }
  const pairs = (lines: readonly [number, number][]): number =>
    lines.flatMap(([a, b], at) => lines.slice(at + 1).filter(([c, d]) => (a - c) * (b - d) < 0)).length;
  return steps.reduce((sum, lines) => sum + pairs(lines), 0);
}

/** How many things stand between neighbours that flat edges join. */
function apartOf(layers: readonly (readonly Item[])[], flat: ReadonlySet<GraphEdge>): number {
  if (flat.size === 0) return 0;
  const places = new Map(
    layers.flatMap((layer) => layer.flatMap((item, at) => (item.kind === 'node' ? [[item.node, at] as const] : []))),
  );
  return [...flat].reduce((sum, { from, to }) => sum + Math.abs(places.get(from)! - places.get(to)!) - 1, 0);
}
