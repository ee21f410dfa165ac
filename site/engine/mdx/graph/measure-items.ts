/** How large the nodes and words of a drawing are, for a width at which their lines are broken. */
import { evenLines, textWidth } from '../text-width.ts';
import type { Item } from './order-layers.ts';
import type { Room } from './place-items.ts';
import type { Graph, GraphEdge, GraphNode } from './read-graph.ts';

/** What a drawing is tried with. Lengths in px. */
export interface Setting {
  readonly direction: Graph['direction'];
  readonly fontSize: number;
  /** Where the lines of a node are broken, and those of words on edges. */
  readonly nodeWidthMax: number;
  readonly labelWidthMax: number;
  /** Between nodes of one layer, and at least between layers. */
  readonly nodeGap: number;
  readonly layerGap: number;
}

export interface Box {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** The pointed sides of a choice, the round ends of a state. */
export const POINT_WIDTH = 11;
/** The height of a cylinder's lid. */
export const LID_HEIGHT = 10;
const POINT_RADIUS = 5;
const PADDING_X = 10;
const PADDING_Y = 8;
/** Italics are narrower than the upright letters that are measured. */
const ITALIC_SCALE = 0.95;
/** Room for faces that stand in. */
const SPARE = 1.02;

export const lineHeightOf = (fontSize: number): number => Math.round(fontSize * 1.22);

export function nodeBox(node: GraphNode, { fontSize, nodeWidthMax }: Setting): Box {
  if (node.shape === 'point') return { lines: [], width: 2 * POINT_RADIUS, height: 2 * POINT_RADIUS };
  const lines = evenLines(node.text, nodeWidthMax, fontSize);
  const sides = node.shape === 'choice' || node.shape === 'state' ? 2 * POINT_WIDTH : 2 * PADDING_X;
  const lid = node.shape === 'store' ? LID_HEIGHT : 0;
  return {
    lines,
    width: Math.ceil(SPARE * Math.max(...lines.map((line) => textWidth(line, fontSize)))) + sides,
    height: lines.length * lineHeightOf(fontSize) + 2 * PADDING_Y + lid,
  };
}

export function labelBox({ text }: GraphEdge, { fontSize, labelWidthMax }: Setting): Box {
  if (text === '') return { lines: [], width: 0, height: 0 };
  const size = fontSize * ITALIC_SCALE;
  const lines = evenLines(text, labelWidthMax, size);
  return {
    lines,
    width: Math.ceil(SPARE * Math.max(...lines.map((line) => textWidth(line, size)))),
    height: lines.length * lineHeightOf(fontSize),
  };
}

/** Between words and the line under them. */
const ABOVE_LINE = 4;

/** Across the flow, on both sides of the line. Words stand above a line that runs to the right, and break one that runs down. */
export function roomAcross(item: Item, box: Box, direction: Graph['direction']): Room {
  if (item.kind === 'bend') return { before: 0, after: 0 };
  if (direction === 'down') return { before: box.width / 2, after: box.width / 2 };
  if (item.kind === 'label') return { before: box.height + ABOVE_LINE, after: 2 };
  return { before: box.height / 2, after: box.height / 2 };
}

export function sizeAlong(box: Box, direction: Graph['direction']): number {
  return direction === 'down' ? box.height : box.width;
}
