/**
 * The players: one circle per node, lines between those that reach each other, and a short stroke for each message
 * that has just arrived. A leader has a double ring, a candidate a dashed one, what is down a hatch; votes are open
 * arrows, entries filled ones, heartbeats dots. A picture for those who see it: sentences and a table say the same.
 */
import { memo } from 'react';
import type { DrawnStroke } from './cluster-view.ts';
import { nodeWords } from './node-words.ts';
import type { Frame, LinkFrame, NodeFrame } from './protocol.ts';
import styles from './ClusterView.module.css';

const RADIUS = 30;
/** Room for the words below a circle, and half their width. */
const BELOW = 60;
/** Below each other: the first line of troubles, and from each to the next. */
const TROUBLES_BELOW = 53;
const TROUBLES_LEAD = 16;
/** So many characters are no wider than the room that a circle has. */
const TROUBLES_LINE_MAX = 20;
const BESIDE = 66;
const TOP = 44;
const REACH_MAX = 280;
/** Messages run beside the line, each direction on its own side. */
const LANE = 6;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** On the corners of a polygon with one of them, or a side, above. */
function placeOf(index: number, count: number, width: number): Place {
  const turnOf = (at: number): number => ((at - (count - 1) / 2) * 2 * Math.PI) / count;
  const widest = Math.max(...Array.from({ length: count }, (_, at) => Math.abs(Math.sin(turnOf(at)))));
  const reach = Math.min((width / 2 - BESIDE) / widest, REACH_MAX);
  const turn = turnOf(index);
  return { x: width / 2 + reach * Math.sin(turn), y: TOP + (count > 3 ? 130 : 71) * (1 - Math.cos(turn)) };
}

/** The part of the way from one circle to another that is outside both, moved to its lane. */
function wayBetween(from: Place, to: Place): { readonly start: Place; readonly end: Place; readonly degrees: number } {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const inset = RADIUS + 6;
  const aside = { x: -uy * LANE, y: ux * LANE };
  return {
    start: { x: from.x + ux * inset + aside.x, y: from.y + uy * inset + aside.y },
    end: { x: to.x - ux * inset + aside.x, y: to.y - uy * inset + aside.y },
    degrees: (Math.atan2(uy, ux) * 180) / Math.PI,
  };
}

export interface ClusterViewProps {
  readonly frame: Frame;
  readonly strokes: readonly DrawnStroke[];
  readonly width: number;
  readonly selected: number;
  readonly onSelect: (node: number) => void;
}

export function ClusterView({ frame, strokes, width, selected, onSelect }: ClusterViewProps) {
  const { nodes, links } = frame;
  const places = nodes.map((_, index) => placeOf(index, nodes.length, width));
  const foots = places.map(
    ({ y }, index) => y + RADIUS + BELOW + TROUBLES_LEAD * (troubleLines(nodes[index]!).length - 1),
  );
  const height = Math.max(...places.map(({ y }) => y + RADIUS + BELOW), ...foots);
  return (
    <svg className={styles.stage} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <pattern id="live-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={styles.hatch} d="M0 0V5" />
        </pattern>
      </defs>
      {nodes.map((_, from) =>
        nodes.slice(from + 1).map((_other, offset) => {
          const to = from + 1 + offset;
          return (
            <Line key={`${from} ${to}`} from={places[from]!} to={places[to]!} states={statesOf(links, from, to)} />
          );
        }),
      )}
      {strokes.map((stroke) => (
        <Message
          key={stroke.id}
          stroke={stroke}
          from={places[stroke.from]!}
          to={places[stroke.to]!}
          isStill={!frame.isPlaying}
        />
      ))}
      {nodes.map((node, index) => (
        <Player
          key={node.name}
          node={node}
          place={places[index]!}
          isSelected={index === selected}
          onSelect={() => onSelect(index)}
        />
      ))}
    </svg>
  );
}

function statesOf(links: readonly LinkFrame[], a: number, b: number): readonly LinkFrame['state'][] {
  return links.filter(({ from, to }) => (from === a && to === b) || (from === b && to === a)).map(({ state }) => state);
}

function Line({ from, to, states }: { readonly from: Place; readonly to: Place; readonly states: readonly string[] }) {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const isCut = states.includes('cut');
  return (
    <g className={isCut ? styles.cut : states.length > 0 ? styles.impaired : styles.link}>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      {isCut && (
        <g transform={`translate(${middle.x} ${middle.y}) rotate(${degrees})`}>
          <rect className={styles.gap} x={-7} y={-6} width={14} height={12} />
          <path d="M-7 -8V8M7 -8V8" />
        </g>
      )}
    </g>
  );
}

interface MessageProps {
  readonly stroke: DrawnStroke;
  readonly from: Place;
  readonly to: Place;
  readonly isStill: boolean;
}

/** Drawn once; its way is the style sheet's business, by two variables. */
const Message = memo(function Message({ stroke, from, to, isStill }: MessageProps) {
  const { start, end, degrees } = wayBetween(from, to);
  const at = isStill ? { x: (start.x + 2 * end.x) / 3, y: (start.y + 2 * end.y) / 3 } : start;
  const way = { '--way-x': `${end.x - start.x}px`, '--way-y': `${end.y - start.y}px` };
  return (
    <g transform={`translate(${at.x} ${at.y})`}>
      <g className={isStill ? styles.still : styles.message} style={way as React.CSSProperties}>
        <g transform={`rotate(${degrees})`} data-message={stroke.kind} className={styles[stroke.kind]}>
          <MessageShape kind={stroke.kind} />
        </g>
      </g>
    </g>
  );
});

/** Pointing right, its tip at the origin. */
export function MessageShape({ kind }: { readonly kind: DrawnStroke['kind'] }) {
  if (kind === 'heartbeat') return <circle r="2" cx="-2" />;
  if (kind === 'append') return <path d="M-20 0H-7M0 0L-8 3.5V-3.5Z" />;
  if (kind === 'vote') return <path d="M-20 0H-15M-12 0H-8M0 0L-8 4V-4Z" />;
  return <path d="M-20 -2H-7M-20 2H-7M0 0L-8 5V-5Z" />;
}

interface PlayerProps {
  readonly node: NodeFrame;
  readonly place: Place;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Player({ node, place, isSelected, onSelect }: PlayerProps) {
  const { name, presence, role } = node;
  const shown = presence === 'down' ? 'down' : role;
  const { head } = nodeWords(node);
  return (
    <g className={styles.player} transform={`translate(${place.x} ${place.y})`} data-shown={shown} onClick={onSelect}>
      {isSelected && <circle className={styles.selected} r={RADIUS + 7} />}
      <circle className={styles.ring} r={RADIUS} />
      {presence !== 'up' && <circle className={styles.shade} r={RADIUS} />}
      {shown === 'leader' && <circle className={styles.inner} r={RADIUS - 5} />}
      <text className={styles.name} y="7">
        {name}
      </text>
      <text className={styles.role} y={RADIUS + 19}>
        {shown === 'down' ? 'down' : `${role}, term ${node.term}`}
      </text>
      <text className={styles.words} y={RADIUS + 36}>
        {head}
      </text>
      {troubleLines(node).map((line, index) => (
        <text key={line} className={styles.trouble} y={RADIUS + TROUBLES_BELOW + TROUBLES_LEAD * index}>
          {line}
        </text>
      ))}
    </g>
  );
}

/** The troubles of a node in lines that fit below its circle. */
function troubleLines(node: NodeFrame): string[] {
  const lines: string[] = [];
  for (const word of nodeWords(node).troubles) {
    const longer = `${lines.at(-1)}, ${word}`;
    if (lines.length > 0 && longer.length <= TROUBLES_LINE_MAX) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
