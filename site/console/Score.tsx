/**
 * A stretch of a cluster's time: its score and, below it, how late its blocks were. Dragged with a pointer; with keys: ← →
 * move by a quarter, + − change the stretch, End goes back to now.
 */
import { lazy, Suspense, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import type { ClusterNow, ClusterWindow, Happening } from '../../conductor/console/protocol.ts';
import { useWidth } from '../islands/live-cluster/use-width.ts';
import { ClusterTimeline } from './ClusterTimeline.tsx';
import { clock, moment } from './words.ts';
import styles from './ClusterPage.module.css';

const LatenessChart = lazy(() => import('./LatenessChart.tsx').then((module) => ({ default: module.LatenessChart })));

const MINUTE = 60_000;
const stretches: readonly (readonly [string, number])[] = [
  ['1 min', MINUTE],
  ['5 min', 5 * MINUTE],
  ['1 h', 60 * MINUTE],
  ['12 h', 720 * MINUTE],
];
/** The shortest stretch, milliseconds. */
export const shortest = MINUTE;
/** Keys that the score takes. */
const moving: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'End', '+', '-']);

export interface ScoreProps {
  readonly cluster: ClusterNow;
  readonly held: ClusterWindow | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly now: number;
  readonly isLive: boolean;
  readonly setSpan: (ms: number) => void;
  /** Where the stretch ends; null for now. */
  readonly setEnd: (ms: number | null) => void;
}

export function Score(props: ScoreProps): ReactElement {
  const { cluster, held, fromMs, toMs, now, isLive, setSpan, setEnd } = props;
  const span = Math.round(toMs - fromMs);
  const [pointed, setPointed] = useState<Happening | null>(null);
  const [box, width] = useWidth();
  const drag = useDrag(toMs, width === 0 ? 0 : span / width, (ms) => setEnd(ms >= Date.now() ? null : ms));
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!moving.has(key)) return;
    event.preventDefault();
    if (key === 'ArrowLeft') setEnd(toMs - span / 4);
    else if (key === 'ArrowRight') setEnd(toMs + span / 4 >= now ? null : toMs + span / 4);
    else if (key === 'End') setEnd(null);
    else setSpan(nextStretch(span, key === '+' ? -1 : 1));
  };
  return (
    <>
      <Controls {...props} span={span} pointed={pointed} />
      <div
        ref={box}
        className={styles.score}
        role="group"
        tabIndex={0}
        aria-label={`${cluster.name} over time: arrow keys move, plus and minus change the stretch, End is now`}
        data-dragged={!isLive}
        onKeyDown={onKeyDown}
        {...drag}
      >
        {width > 0 && (
          <ClusterTimeline
            {...{ held, fromMs, toMs, width, pointed: setPointed }}
            servers={cluster.servers}
            nowMs={now}
            blockMs={cluster.blockMs}
          />
        )}
        <Suspense fallback={<div className={styles.chart} />}>
          {width > 0 && held !== null && <LatenessChart {...{ cluster, held, fromMs, toMs, width }} nowMs={now} />}
        </Suspense>
      </div>
    </>
  );
}

interface ControlsProps extends ScoreProps {
  readonly span: number;
  readonly pointed: Happening | null;
}

function Controls({ toMs, isLive, setSpan, setEnd, span, pointed }: ControlsProps): ReactElement {
  const where = isLive ? 'Drag to go back.' : `up to ${moment(toMs)}`;
  return (
    <div className={styles.controls} role="group" aria-label="What the score shows">
      {stretches.map(([label, ms]) => (
        <button key={label} type="button" className="word" aria-pressed={span === ms} onClick={() => setSpan(ms)}>
          {label}
        </button>
      ))}
      <button type="button" className="word" aria-pressed={isLive} onClick={() => setEnd(null)}>
        Live
      </button>
      <p className={styles.pointed} role="status">
        {pointed === null ? where : `${clock(pointed.atMs)} ${pointed.server} ${pointed.text}`}
      </p>
    </div>
  );
}

function nextStretch(span: number, by: number): number {
  const at = stretches.findIndex(([, ms]) => ms === span);
  return stretches[Math.min(stretches.length - 1, Math.max(0, at + by))]![1];
}

/** Pointer handlers that move the end of what is shown. */
function useDrag(toMs: number, msPerPixel: number, move: (toMs: number) => void) {
  const from = useRef<{ x: number; toMs: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      from.current = { x: event.clientX, toMs };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX }: PointerEvent) => {
      const start = from.current;
      if (start !== null && Math.abs(clientX - start.x) > 3) move(start.toMs - (clientX - start.x) * msPerPixel);
    },
    onPointerUp: () => void (from.current = null),
    onPointerCancel: () => void (from.current = null),
  };
}
