/**
 * The second half of a layered drawing: sizes, places across and along the flow, and the line of every edge, for one
 * setting. Coordinates are "along" and "across"; `draw-graph.ts` turns them into x and y.
 */
import { labelBox, nodeBox, roomAcross, sizeAlong, type Box, type Setting } from './measure-items.ts';
import type { Item, Layers, Way } from './order-layers.ts';
import { placeItems } from './place-items.ts';
import type { Graph, GraphEdge } from './read-graph.ts';

export interface Spot {
  readonly along: number;
  readonly across: number;
}

export interface Placed {
  readonly box: Box;
  /** The middle along, the line across. */
  readonly spot: Spot;
  /** Along the flow: nodes of one layer are equally long. */
  readonly length: number;
}

/** Spots in pairs: a curve leads to the first of each pair, a straight line to the second. */
export interface Line {
  readonly edge: GraphEdge;
  readonly spots: readonly Spot[];
  /** Whether the line between the spots of a pair is left out, because words stand there. */
  readonly isBroken: readonly boolean[];
}

export interface Layout {
  readonly setting: Setting;
  readonly nodes: readonly Placed[];
  readonly labels: readonly (Placed & { readonly edge: GraphEdge })[];
  readonly lines: readonly Line[];
  readonly flat: ReadonlySet<GraphEdge>;
  readonly length: number;
  readonly breadth: number;
}

const BEND_GAP = 12;
const LABEL_GAP = 14;
/** Beside the words of a flat edge: its two heads. */
const FLAT_SPARE = 34;
/** Between words and the node before them, and after them, where the head stands. */
const BEFORE_LABEL = 14;
const AFTER_LABEL = 22;
/** A layer is farther from the next where lines go far across. */
const SLOPE = 0.16;
/** Between lines that come and lines that go, on one side of a node. */
const PORT_GAP = 9;

export function layoutGraph(graph: Graph, layers: Layers, setting: Setting): Layout {
  const boxes = new Map<Item, Box>();
  const boxOf = (item: Item): Box => {
    const known = boxes.get(item);
    if (known !== undefined) return known;
    const box = item.kind === 'node' ? nodeBox(graph.nodes[item.node]!, setting) : labelBox(item.edge, setting);
    boxes.set(item, item.kind === 'bend' ? { lines: [], width: 0, height: 0 } : box);
    return boxes.get(item)!;
  };
  const roomOf = (item: Item) => roomAcross(item, boxOf(item), setting.direction);
  const gapBetween = (one: Item, next: Item): number => gapOf(one, next, layers.flat, setting);
  const across = placeItems(layers, { roomOf, gapBetween });
  const lengths = layers.layers.map((layer) =>
    Math.max(0, ...layer.map((item) => sizeAlong(boxOf(item), setting.direction))),
  );
  const starts = startsOf(layers, lengths, across, setting);
  const placed = new Map<Item, Placed>();
  for (const [at, layer] of layers.layers.entries())
    for (const item of layer) {
      const isFull = item.kind !== 'label' || setting.direction === 'right';
      const length = isFull ? (lengths[at] ?? 0) : sizeAlong(boxOf(item), setting.direction);
      const along = (starts[at] ?? 0) + (lengths[at] ?? 0) / 2;
      placed.set(item, { box: boxOf(item), spot: { along, across: across.get(item) ?? 0 }, length });
    }
  const all = layers.layers.flat();
  const flatLabels = [...layers.flat].map((edge) => flatLabel(edge, all, placed, setting));
  return {
    setting,
    nodes: graph.nodes.map((_, node) => placed.get(all.find((item) => item.kind === 'node' && item.node === node)!)!),
    labels: [
      ...all.flatMap((item) => (item.kind === 'label' ? [{ ...placed.get(item)!, edge: item.edge }] : [])),
      ...flatLabels,
    ],
    lines: linesOf(layers.ways, placed, setting),
    flat: layers.flat,
    length: (starts.at(-1) ?? 0) + (lengths.at(-1) ?? 0),
    breadth: Math.max(...all.map((item) => (across.get(item) ?? 0) + roomOf(item).after)),
  };
}

function gapOf(one: Item, next: Item, flat: ReadonlySet<GraphEdge>, setting: Setting): number {
  if (one.kind === 'label' || next.kind === 'label') return LABEL_GAP;
  if (one.kind !== 'node' || next.kind !== 'node') return BEND_GAP;
  const joining = [...flat].filter(({ from, to }) => [from, to].includes(one.node) && [from, to].includes(next.node));
  const rooms = joining.map((edge) => {
    const box = labelBox(edge, setting);
    return (setting.direction === 'down' ? box.width : box.height) + FLAT_SPARE;
  });
  return Math.max(setting.nodeGap, ...rooms);
}

/** Where each layer begins along the flow. */
function startsOf(
  { layers, ways }: Layers,
  lengths: readonly number[],
  across: ReadonlyMap<Item, number>,
  { layerGap }: Setting,
): number[] {
  const isOfLabels = layers.map((layer) => layer.every((item) => item.kind !== 'node'));
  const layerOf = new Map(layers.flatMap((layer, at) => layer.map((item) => [item, at] as const)));
  const farthest = layers.map(() => 0);
  for (const { items } of ways)
    for (const [at, item] of items.slice(1).entries()) {
      const layer = layerOf.get(item)!;
      const by = Math.abs((across.get(item) ?? 0) - (across.get(items[at]!) ?? 0));
      farthest[layer] = Math.max(farthest[layer] ?? 0, by);
    }
  let start = 0;
  return layers.map((_, at) => {
    if (at === 0) return 0;
    const least = isOfLabels[at] ? BEFORE_LABEL : isOfLabels[at - 1] ? AFTER_LABEL : layerGap;
    start += (lengths[at - 1] ?? 0) + least + Math.min(layerGap / 2, SLOPE * (farthest[at] ?? 0));
    return start;
  });
}

function linesOf(ways: readonly Way[], placed: ReadonlyMap<Item, Placed>, setting: Setting): Line[] {
  const acrossOf = (item: Item): number => placed.get(item)!.spot.across;
  return ways.map((way) => {
    const spots: Spot[] = [];
    const isBroken: boolean[] = [];
    for (const [at, item] of way.items.entries()) {
      const { spot, length } = placed.get(item)!;
      const isFirst = at === 0;
      const isLast = at === way.items.length - 1;
      const across = isFirst || isLast ? acrossOf(item) + portOf(way, isFirst, ways, acrossOf) : spot.across;
      if (!isFirst) spots.push({ along: spot.along - length / 2, across });
      if (!isLast) spots.push({ along: spot.along + length / 2, across });
      if (!isFirst && !isLast) isBroken.push(item.kind === 'label' && setting.direction === 'down');
    }
    const line = { edge: way.edge, spots, isBroken };
    return way.isReversed ? { ...line, spots: spots.toReversed(), isBroken: isBroken.toReversed() } : line;
  });
}

/** Lines that bring a head to one side of a node meet in one point, those that leave it in another. */
function portOf(way: Way, isFirst: boolean, ways: readonly Way[], acrossOf: (item: Item) => number): number {
  const node = isFirst ? way.items[0]! : way.items.at(-1)!;
  const here = ways.filter(({ items }) => (isFirst ? items[0] : items.at(-1)) === node);
  const hasHead = ({ edge, isReversed }: Way): boolean =>
    isFirst === isReversed ? edge.hasHeadAtEnd : edge.hasHeadAtStart;
  const kinds = [here.filter(hasHead), here.filter((one) => !hasHead(one))] as const;
  if (kinds.some((one) => one.length === 0)) return 0;
  const mean = (some: readonly Way[]): number =>
    some.reduce((sum, { items }) => sum + acrossOf(isFirst ? items[1]! : items.at(-2)!), 0) / some.length;
  const [coming, going] = kinds;
  const isComingFirst = mean(coming) < mean(going) || (mean(coming) === mean(going) && isFirst);
  return hasHead(way) === isComingFirst ? -PORT_GAP : PORT_GAP;
}

/** The words between two neighbours of a layer. */
function flatLabel(edge: GraphEdge, all: readonly Item[], placed: ReadonlyMap<Item, Placed>, setting: Setting) {
  const spots = [edge.from, edge.to].map(
    (node) => placed.get(all.find((item) => item.kind === 'node' && item.node === node)!)!.spot,
  );
  const box = labelBox(edge, setting);
  const along = spots[0]!.along;
  return { edge, box, length: sizeAlong(box, setting.direction), spot: { along, across: middle(spots) } };
}

function middle(spots: readonly Spot[]): number {
  return spots.reduce((sum, { across }) => sum + across, 0) / spots.length;
}
