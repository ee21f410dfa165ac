/**
 * What both figures are drawn with: lines of the weight of the type that end in slender arrowheads, and text of
 * several lines. Coordinates are those of the figure's viewBox; colours come from the style sheet.
 */
import { Fragment } from 'react';
import styles from './figures.module.css';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** "10,20 30,20" as points. */
function pointsOf(text: string): readonly Point[] {
  return text.split(' ').map((pair) => {
    const [x, y] = pair.split(',').map(Number) as [number, number];
    return { x, y };
  });
}

const HEAD_LENGTH = 9;
const HEAD_WIDTH = 6.5;

export interface StrokeProps {
  /** Corners from start to end: "10,20 30,20". */
  readonly way: string;
  readonly isDashed?: boolean;
  readonly hasTwoHeads?: boolean;
  /** Rounds the corners into one curve, for what returns to where it began. */
  readonly isCurved?: boolean;
}

/** A line with an arrowhead at its end. */
export function Stroke({ way, isDashed = false, hasTwoHeads = false, isCurved = false }: StrokeProps) {
  const points = pointsOf(way);
  const [start, second] = points as [Point, Point];
  const end = points.at(-1)!;
  const before = points.at(-2)!;
  // The line ends where the head begins, so that its end does not show beside the tip.
  const neck = towards(end, before, HEAD_LENGTH - 1);
  const inner = points.slice(1, -1);
  const d = isCurved
    ? `M${start.x} ${start.y} C${inner.map(({ x, y }) => `${x} ${y}`).join(' ')} ${neck.x} ${neck.y}`
    : `M${start.x} ${start.y} ${[...inner, neck].map(({ x, y }) => `L${x} ${y}`).join(' ')}`;
  return (
    <>
      <path className={isDashed ? styles.dashed : styles.line} d={d} />
      <path className={styles.head} d={headAt(end, before)} />
      {hasTwoHeads && <path className={styles.head} d={headAt(start, second)} />}
    </>
  );
}

function towards(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: round(from.x + ((to.x - from.x) / length) * by), y: round(from.y + ((to.y - from.y) / length) * by) };
}

function headAt(tip: Point, from: Point): string {
  const base = towards(tip, from, HEAD_LENGTH);
  const across = { x: (base.y - tip.y) / HEAD_LENGTH, y: (tip.x - base.x) / HEAD_LENGTH };
  const half = HEAD_WIDTH / 2;
  const side = (by: number): string => `${round(base.x + across.x * by)} ${round(base.y + across.y * by)}`;
  return `M${tip.x} ${tip.y} L${side(half)} L${side(-half)} Z`;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

export interface WordsProps {
  readonly at: string;
  /** Lines, separated by "/". */
  readonly text: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly className?: string | undefined;
}

const LINE_HEIGHT = 15;

/** Text of one or more lines; `at` is the baseline of the first. */
export function Words({ at, text, anchor = 'start', className = styles.label }: WordsProps) {
  const [point] = pointsOf(at) as [Point];
  return (
    <text className={className} x={point.x} y={point.y} textAnchor={anchor}>
      {text.split('/').map((line, index) => (
        <Fragment key={line}>
          {/* Between the words for those who hear them, without room for those who see them. */}
          {index === 0 ? null : <tspan fontSize="0"> </tspan>}
          <tspan x={point.x} dy={index === 0 ? 0 : LINE_HEIGHT}>
            {line}
          </tspan>
        </Fragment>
      ))}
    </text>
  );
}
