/**
 * One cluster: how it stands, its score, live or back in its history, each server in a row, and what happened. The score
 * is dragged with a pointer; with keys: ← → move by a quarter, + − change the stretch, End goes back to now.
 */
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import type { ClusterNow, Happening } from '../../conductor/console/protocol.ts';
import { useWidth } from '../islands/live-cluster/use-width.ts';
import { Acting } from './Acting.tsx';
import { ClusterTimeline } from './ClusterTimeline.tsx';
import { useNow } from './live.ts';
import { linkTo } from './place.ts';
import { Runbook } from './Runbook.tsx';
import { ServerTable } from './ServerTable.tsx';
import { useWindow } from './use-window.ts';
import { age, clock, grouped, moment } from './words.ts';
import styles from './ClusterPage.module.css';

const MINUTE = 60_000;
const stretches: readonly (readonly [string, number])[] = [
  ['1 min', MINUTE],
  ['5 min', 5 * MINUTE],
  ['1 h', 60 * MINUTE],
  ['12 h', 720 * MINUTE],
];
const LINES = 60;
/** Keys that the score takes. */
const moving: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'End', '+', '-']);

export function ClusterPage({ cluster }: { readonly cluster: ClusterNow }): ReactElement {
  const [span, setSpan] = useState(MINUTE);
  const [endMs, setEndMs] = useState<number | null>(null);
  const [pointed, setPointed] = useState<Happening | null>(null);
  const now = useNow(endMs === null ? Math.max(100, span / 600) : 1000);
  const toMs = endMs ?? now + span * 0.02;
  const fromMs = toMs - span;
  const held = useWindow(cluster, fromMs, toMs);
  const [box, width] = useWidth();
  const drag = useDrag(toMs, width === 0 ? 0 : span / width, (ms) => setEndMs(ms >= Date.now() ? null : ms));
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!moving.has(key)) return;
    event.preventDefault();
    if (key === 'ArrowLeft') setEndMs(toMs - span / 4);
    else if (key === 'ArrowRight') setEndMs(toMs + span / 4 >= now ? null : toMs + span / 4);
    else if (key === 'End') setEndMs(null);
    else if (key === '+' || key === '-') setSpan(nextStretch(span, key === '+' ? -1 : 1));
  };
  const said =
    pointed === null
      ? endMs === null
        ? 'Drag to go back.'
        : `up to ${moment(toMs)}`
      : `${clock(pointed.atMs)} ${pointed.server} ${pointed.text}`;
  if (isUnreached(cluster)) return <Unreached cluster={cluster} now={now} />;
  return (
    <>
      <Head cluster={cluster} now={now} />
      <div className={styles.controls} role="group" aria-label="What the score shows">
        {stretches.map(([label, ms]) => (
          <button key={label} type="button" className="word" aria-pressed={span === ms} onClick={() => setSpan(ms)}>
            {label}
          </button>
        ))}
        <button type="button" className="word" aria-pressed={endMs === null} onClick={() => setEndMs(null)}>
          Live
        </button>
        <p className={styles.pointed} role="status">
          {said}
        </p>
      </div>
      <div
        ref={box}
        className={styles.score}
        role="group"
        tabIndex={0}
        aria-label={`${cluster.name} over time: arrow keys move, plus and minus change the stretch, End is now`}
        data-dragged={endMs !== null}
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
      </div>
      <Asked cluster={cluster} />
      <h2>Servers</h2>
      <ServerTable cluster={cluster} />
      <Acting cluster={cluster} />
      <h2>What happened</h2>
      <Log happenings={held?.happenings ?? []} toMs={toMs} cluster={cluster.name} />
    </>
  );
}

/** Nobody has ever answered here: there is nothing over time. */
function isUnreached({ servers, head }: ClusterNow): boolean {
  return head === null && servers.every(({ state }) => !state.answers);
}

/** A cluster of which nothing is known: who was asked, what came of it, and what to do. */
function Unreached({ cluster, now }: { readonly cluster: ClusterNow; readonly now: number }): ReactElement {
  return (
    <>
      <Head cluster={cluster} now={now} />
      <p className="wait">
        None of its {cluster.servers.length} conductors has answered since this console watches. It goes on asking, and
        shows the cluster as soon as one does.
      </p>
      <h2>Servers</h2>
      <ServerTable cluster={cluster} />
      <Runbook code="ConductorDown" />
      <Acting cluster={cluster} />
    </>
  );
}

/** Says what is not known of servers that tell nothing by themselves. */
function Asked({ cluster }: { readonly cluster: ClusterNow }): ReactElement | null {
  const asked = cluster.servers.filter(({ source, state }) => source !== 'stream' && state.answers);
  if (asked.length === 0) return null;
  const names = asked.length === cluster.servers.length ? 'The servers' : asked.map(({ id }) => id).join(', ');
  const isOne = asked.length === 1;
  return (
    <p className="wait">
      {names} {isOne ? 'publishes' : 'publish'} no events here and {isOne ? 'is' : 'are'} asked: times are as fine as
      the questions, a second or more, and of a failover only the gap is known.
    </p>
  );
}

function Head({ cluster, now }: { readonly cluster: ClusterNow; readonly now: number }): ReactElement {
  const { name, summary, troubles, head } = cluster;
  const loud = troubles.filter(({ silence }) => silence === null);
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{name}</h1>
          <p>{summary}</p>
        </div>
        <p className={styles.height}>
          <b>{head === null ? '–' : grouped(head.number)}</b>
          <span>{head === null ? 'no block seen' : `${age(now - head.atMs)} ago`}</span>
        </p>
      </div>
      {loud.length > 0 && (
        <ul className={styles.troubles}>
          {loud.map(({ text, sinceMs }) => (
            <li key={text}>
              {text} <span>since {clock(sinceMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LogProps {
  readonly happenings: readonly Happening[];
  readonly toMs: number;
  readonly cluster: string;
}

function Log({ happenings, toMs, cluster }: LogProps): ReactElement {
  const lines = happenings
    .filter(({ atMs }) => atMs <= toMs)
    .slice(-LINES)
    .toReversed();
  if (lines.length === 0) return <p className="wait">Nothing but blocks, as far as is known here.</p>;
  return (
    <ol className={styles.log}>
      {lines.map(({ atMs, server, kind, text }) => (
        <li key={`${atMs} ${server} ${kind} ${text}`} data-kind={kind}>
          <time dateTime={new Date(atMs).toISOString()} title={moment(atMs)}>
            {clock(atMs)}
          </time>
          <b>{server}</b>
          <span>
            {text}
            {kind === 'role' && text.startsWith('is leader') && (
              <>
                {' '}
                <a href={linkTo({ view: 'failovers', cluster })}>failovers</a>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
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
