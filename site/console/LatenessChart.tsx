/**
 * How long after their own timestamps blocks were committed, over the stretch that the score above it shows: the mean as a
 * line and, of long stretches, the least and the most as a band. Drawn by uPlot on a canvas; the caption says the same in
 * words, and what the pointer is at. The score's keys move it.
 */
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import uPlot from 'uplot';
import type { ClusterNow, ClusterWindow } from '../../conductor/console/protocol.ts';
import { lateColumns, lateSummary, type LateColumns } from './late-cells.ts';
import { scoreLeft } from './staff.ts';
import { clock, duration } from './words.ts';
import styles from './LatenessChart.module.css';

const HEIGHT = 132;
/** The scale always shows this much, milliseconds: what is below it is not looked at by operators. */
const LEAST_SCALE_MS = 250;

export interface LatenessChartProps {
  readonly cluster: ClusterNow;
  readonly held: ClusterWindow;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly width: number;
}

export function LatenessChart({ cluster, held, fromMs, toMs, nowMs, width }: LatenessChartProps): ReactElement {
  const { blockMs, zeroMs, head } = cluster;
  const stands = head !== null && nowMs - head.atMs > 2 * blockMs && toMs >= nowMs ? nowMs : null;
  const columns = useMemo(() => lateColumns(held, { blockMs, zeroMs }, stands), [held, blockMs, zeroMs, stands]);
  const [at, setAt] = useState<number | null>(null);
  const box = usePlot({ columns, fromMs, toMs, width, pointed: setAt });
  const summary = lateSummary(columns, fromMs, toMs);
  const words =
    zeroMs === null
      ? 'No block has told its timestamp yet.'
      : summary === null
        ? 'No block in this stretch.'
        : `${signed(summary.meanMs)} on average, ${signed(summary.mostMs)} at most, at ${clock(summary.atMs)}.`;
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <b>Lateness of blocks</b>
        <span>
          from timestamp to commit: <i className={styles.mean}>mean</i>
          {held.run !== null && (
            <>
              , <i className={styles.band}>least to most</i>
            </>
          )}
        </span>
        <span className={styles.words}>{pointedWords(columns, at) ?? words}</span>
      </figcaption>
      <div ref={box} className={styles.plot} role="img" aria-label={`Lateness of blocks: ${words}`} />
    </figure>
  );
}

function pointedWords({ atMs, leastMs, meanMs, mostMs }: LateColumns, at: number | null): string | null {
  if (at === null) return null;
  const [x, least, mean, most] = [atMs[at], leastMs[at], meanMs[at], mostMs[at]];
  if (x === undefined || least == null || mean == null || most == null) return null;
  return least === most
    ? `${clock(x)}: ${signed(mean)}`
    : `${clock(x)}: ${signed(mean)} on average, ${signed(least)} to ${signed(most)}`;
}

/** A sequencer may seal a little before the time that it writes into a block. */
function signed(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}

interface PlotProps {
  readonly columns: LateColumns;
  readonly fromMs: number;
  readonly toMs: number;
  readonly width: number;
  readonly pointed: (at: number | null) => void;
}

/** Keeps one plot in the element that has the ref; colours are those of the caption's words, in either theme. */
function usePlot({ columns, fromMs, toMs, width, pointed }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const colours = coloursOf(element);
    const made = new uPlot(options(element, colours, scoreLeft(width), pointed), [[], [], [], []], element);
    plot.current = made;
    const redraw = (): void => {
      Object.assign(colours, coloursOf(element));
      made.redraw(false);
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributes: true });
    dark.addEventListener('change', redraw);
    return () => {
      theme.disconnect();
      dark.removeEventListener('change', redraw);
      made.destroy();
      plot.current = null;
    };
  }, [pointed, scoreLeft(width)]);
  useEffect(() => plot.current?.setSize({ width, height: HEIGHT }), [width]);
  useEffect(() => {
    const { atMs, leastMs, meanMs, mostMs } = columns;
    plot.current?.setData([atMs, leastMs, meanMs, mostMs], false);
    plot.current?.setScale('x', { min: fromMs, max: toMs });
  }, [columns, fromMs, toMs, width]);
  return box;
}

interface Colours {
  axis: string;
  band: string;
  mean: string;
}

/** As the style sheet gives them to the element, in properties that it has no other use for: resolved for the theme. */
function coloursOf(element: HTMLElement): Colours {
  const { color, columnRuleColor, caretColor } = getComputedStyle(element);
  return { axis: color, band: columnRuleColor, mean: caretColor };
}

function options(
  box: HTMLElement,
  colours: Colours,
  left: number,
  pointed: (at: number | null) => void,
): uPlot.Options {
  const edge = { stroke: 'transparent', width: 0, points: { show: false } };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    padding: [10, 8, 6, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, auto: false },
      y: { range: (_, least, most) => [Math.min(0, least ?? 0), 1.05 * Math.max(LEAST_SCALE_MS, most ?? 0)] },
    },
    axes: [
      { show: false },
      {
        size: left,
        gap: 8,
        space: 28,
        font: `13px ${getComputedStyle(box).fontFamily}`,
        stroke: () => colours.axis,
        grid: { stroke: () => colours.band, width: 1 },
        ticks: { show: false },
        values: (_, marks) => marks.map((ms) => (ms < 0 ? '' : ms === 0 ? '0' : shortly(ms))),
      },
    ],
    series: [{}, edge, { stroke: () => colours.mean, width: 1.5, points: { show: false } }, edge],
    bands: [{ series: [3, 1], fill: () => colours.band }],
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
  };
}

/** On an axis: "500 ms", "2 s". */
function shortly(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}
