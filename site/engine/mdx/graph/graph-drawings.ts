/**
 * A graph as one drawing for the column of text and one for a phone. Each is tried in several settings, and the first
 * with the least cost that fits its width is taken.
 */
import { drawGraph } from './draw-graph.ts';
import { layoutGraph, type Layout } from './layout-graph.ts';
import type { Setting } from './measure-items.ts';
import { orderLayers } from './order-layers.ts';
import { rankNodes } from './rank-nodes.ts';
import type { Graph } from './read-graph.ts';

/** Of the column of text, and of a window of 320 px without its margins, in px. */
export const WIDE_MAX = 740;
export const NARROW_MAX = 280;
/** A drawing this much narrower than the column needs no other for a phone. */
const MARGINS = 4;
/** What a drawing against the direction that its author wrote costs, in px of height. */
const TURNED_COST = 160;

export interface Drawings {
  readonly wide: string;
  /** null when the wide one fits a phone. */
  readonly narrow: string | null;
}

export function graphDrawings(graph: Graph): Drawings {
  const layers = orderLayers(graph, rankNodes(graph));
  const best = (settings: readonly Setting[], widthMax: number): Layout => {
    const tried = settings.map((setting) => layoutGraph(graph, layers, setting));
    const fitting = tried.filter((layout) => widthOf(layout) <= widthMax - MARGINS);
    const cost = (layout: Layout): number =>
      heightOf(layout) + brokenWords(graph, layout) + (layout.setting.direction === graph.direction ? 0 : TURNED_COST);
    if (fitting.length > 0) return fitting.reduce((least, one) => (cost(one) < cost(least) ? one : least));
    return tried.reduce((least, one) => (widthOf(one) < widthOf(least) ? one : least));
  };
  const hasWords = graph.edges.some(({ text }) => text !== '');
  const labelWidths = (widths: readonly number[]): readonly number[] => (hasWords ? widths : widths.slice(0, 1));
  const wide = best(settingsOf(14, [150, 124, 100], labelWidths([150, 110, 80]), [22, 40]), WIDE_MAX);
  if (widthOf(wide) <= NARROW_MAX - MARGINS) return { wide: drawGraph(graph, wide), narrow: null };
  const narrow = best(settingsOf(13, [150, 120, 96, 78, 62, 48], labelWidths([110, 84, 64, 48]), [10, 26]), NARROW_MAX);
  return { wide: drawGraph(graph, wide), narrow: drawGraph(graph, narrow) };
}

function settingsOf(
  fontSize: number,
  nodeWidths: readonly number[],
  labelWidths: readonly number[],
  [nodeGap, layerGap]: readonly [number, number],
): Setting[] {
  return (['right', 'down'] as const).flatMap((direction) =>
    nodeWidths.flatMap((nodeWidthMax) =>
      labelWidths.map((labelWidthMax) => ({ direction, fontSize, nodeWidthMax, labelWidthMax, nodeGap, layerGap })),
    ),
  );
}

function widthOf({ setting, length, breadth }: Layout): number {
  return setting.direction === 'down' ? breadth : length;
}

function heightOf({ setting, length, breadth }: Layout): number {
  return setting.direction === 'down' ? length : breadth;
}

/** Lines beyond the first are harder to read, words in two parts more so. */
function brokenWords({ nodes }: Graph, layout: Layout): number {
  const words = [
    ...layout.nodes.map((placed, at) => [nodes[at]!.text, placed] as const),
    ...layout.labels.map((placed) => [placed.edge.text, placed] as const),
  ];
  const costOf = (text: string, lines: readonly string[]): number =>
    6 * Math.max(0, lines.length - 1) + 24 * Math.max(0, lines.join(' ').length - text.length);
  return words.reduce((sum, [text, { box }]) => sum + costOf(text, box.lines), 0);
}
