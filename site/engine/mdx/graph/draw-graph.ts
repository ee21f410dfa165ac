/**
 * Engraves a layout as SVG: names in boxes of the stem's weight, lines as curves that leave and reach them straight,
 * words in italics above or between their strokes.
 */
import { HEAD_LENGTH, arrowhead, round, words, type Way } from '../strokes.ts';
import type { Layout, Line, Placed, Spot } from './layout-graph.ts';
import { LID_HEIGHT, POINT_WIDTH, lineHeightOf } from './measure-items.ts';
import type { Graph, GraphEdge, GraphNode } from './read-graph.ts';

const MARGIN = 2;
/** Between words and the line under them. */
const WORDS_ABOVE = 3;

type Point = readonly [x: number, y: number];

export function drawGraph(graph: Graph, layout: Layout): string {
  const isDown = layout.setting.direction === 'down';
  const pointOf = ({ along, across }: Spot): Point =>
    isDown ? [round(across + MARGIN), round(along + MARGIN)] : [round(along + MARGIN), round(across + MARGIN)];
  const sides = [layout.breadth, layout.length].map((side) => Math.ceil(side) + 2 * MARGIN);
  const [width, height] = isDown ? sides : sides.toReversed();
  const parts = [
    ...layout.lines.map((line) => stroke(line, pointOf, isDown)),
    ...[...layout.flat].map((edge) => flatStroke(edge, layout, pointOf, isDown)),
    ...layout.nodes.map((placed, node) => nodeDrawing(graph.nodes[node]!, placed, layout, pointOf(placed.spot))),
    ...layout.labels.map((placed) => label(placed, layout, pointOf(placed.spot))),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${parts.join('')}</svg>`;
}

function stroke({ edge, spots, isBroken }: Line, pointOf: (spot: Spot) => Point, isDown: boolean): string {
  const isForward = spots.at(-1)!.along > spots[0]!.along;
  const way: Way = isDown ? (isForward ? 'down' : 'up') : isForward ? 'right' : 'left';
  const sign = isForward ? 1 : -1;
  const { along, across } = spots[0]!;
  const { along: tipAlong, across: tipAcross } = spots.at(-1)!;
  const ends = spots.map((spot) => spot);
  if (edge.hasHeadAtStart) ends[0] = { along: along + sign * (HEAD_LENGTH - 1), across };
  if (edge.hasHeadAtEnd) ends[ends.length - 1] = { along: tipAlong - sign * (HEAD_LENGTH - 1), across: tipAcross };
  let d = `M${pointOf(ends[0]!).join(' ')}`;
  for (let at = 1; at < ends.length; at += 2) {
    d += curve(ends[at - 1]!, ends[at]!, pointOf);
    const next = ends[at + 1];
    if (next !== undefined) d += `${isBroken[(at - 1) / 2] === true ? 'M' : 'L'}${pointOf(next).join(' ')}`;
  }
  const heads = [
    ...(edge.hasHeadAtEnd ? [arrowhead(...pointOf(spots.at(-1)!), way)] : []),
    ...(edge.hasHeadAtStart ? [arrowhead(...pointOf(spots[0]!), opposite(way))] : []),
  ];
  return path(d, edge) + heads.join('');
}

function curve(from: Spot, to: Spot, pointOf: (spot: Spot) => Point): string {
  if (Math.abs(from.across - to.across) < 0.5) return `L${pointOf(to).join(' ')}`;
  const along = (from.along + to.along) / 2;
  const [first, second] = [pointOf({ along, across: from.across }), pointOf({ along, across: to.across })];
  return `C${first.join(' ')} ${second.join(' ')} ${pointOf(to).join(' ')}`;
}

/** Between the facing sides of two neighbours of a layer. */
function flatStroke(edge: GraphEdge, { nodes }: Layout, pointOf: (spot: Spot) => Point, isDown: boolean): string {
  const half = ({ box }: Placed): number => (isDown ? box.width : box.height) / 2;
  const [from, to] = [nodes[edge.from]!, nodes[edge.to]!];
  const sign = to.spot.across > from.spot.across ? 1 : -1;
  const { along } = from.spot;
  const start = { along, across: from.spot.across + sign * half(from) };
  const end = { along, across: to.spot.across - sign * half(to) };
  const way: Way = isDown ? (sign > 0 ? 'right' : 'left') : sign > 0 ? 'down' : 'up';
  const [x, y] = [pointOf(start), pointOf(end)];
  const heads = [
    ...(edge.hasHeadAtEnd ? [arrowhead(...y, way)] : []),
    ...(edge.hasHeadAtStart ? [arrowhead(...x, opposite(way))] : []),
  ];
  return path(`M${x.join(' ')}L${y.join(' ')}`, edge) + heads.join('');
}

function opposite(way: Way): Way {
  return ({ right: 'left', left: 'right', down: 'up', up: 'down' } as const)[way];
}

function path(d: string, { isDashed }: GraphEdge): string {
  const dashes = isDashed ? ' stroke-dasharray="5 4"' : '';
  return `<path d="${d}" fill="none" stroke="var(--diagram-text-muted)" stroke-width="1.5"${dashes}/>`;
}

function label(placed: Layout['labels'][number], { setting, flat }: Layout, [x, y]: Point): string {
  const lineHeight = lineHeightOf(setting.fontSize);
  const height = placed.box.lines.length * lineHeight;
  const isAbove = (setting.direction === 'right') !== flat.has(placed.edge);
  const top = isAbove ? y - height - WORDS_ABOVE : y - height / 2;
  return words(placed.box.lines, x, top, { fontSize: setting.fontSize, lineHeight, isAside: true });
}

function nodeDrawing(node: GraphNode, { box, length }: Placed, { setting }: Layout, [x, y]: Point): string {
  const isDown = setting.direction === 'down';
  const [width, height] = isDown ? [box.width, length] : [length, box.height];
  if (node.shape === 'point') return `<circle cx="${x}" cy="${y}" r="5" fill="var(--diagram-text)" stroke="none"/>`;
  const lineHeight = lineHeightOf(setting.fontSize);
  const lid = node.shape === 'store' ? LID_HEIGHT : 0;
  const top = y - (box.lines.length * lineHeight - lid) / 2;
  const outline = outlineOf(node.shape, round(x - width / 2), round(y - height / 2), round(width), round(height));
  return outline + words(box.lines, x, top, { fontSize: setting.fontSize, lineHeight });
}

const INK = 'fill="var(--diagram-bg)" stroke="var(--diagram-text)" stroke-width="2"';

function outlineOf(shape: GraphNode['shape'], x: number, y: number, width: number, height: number): string {
  const [right, bottom] = [round(x + width), round(y + height)];
  if (shape === 'choice') {
    const middle = round(y + height / 2);
    const corners = `M${x} ${middle}L${x + POINT_WIDTH} ${y}H${round(right - POINT_WIDTH)}L${right} ${middle}L${round(right - POINT_WIDTH)} ${bottom}H${x + POINT_WIDTH}Z`;
    return `<path d="${corners}" ${INK} stroke-linejoin="round"/>`;
  }
  if (shape === 'store') {
    const half = LID_HEIGHT / 2;
    const arc = `a${width / 2} ${half} 0 0 `;
    const sides = `M${x} ${y + half}${arc}1 ${width} 0V${round(bottom - half)}${arc}1 ${-width} 0Z`;
    return `<path d="${sides}" ${INK}/><path d="M${x} ${y + half}${arc}0 ${width} 0" fill="none" stroke="var(--diagram-text)" stroke-width="1.5"/>`;
  }
  const corner = shape === 'state' ? ` rx="${round(Math.min(height / 2, 18))}"` : '';
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${corner} ${INK}/>`;
}
