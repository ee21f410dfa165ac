/**
 * A cluster over time as a score: a staff for each server, on which the one that sequences plays the blocks, and the
 * chain below with its pauses measured. Leading is the heavy line, silence a hatch. A picture: the log below it and the
 * marks, which Tab reaches, say the same in words.
 */
import { memo, useMemo, type ReactElement } from 'react';
import type { BlockRun, ClusterWindow, Happening, ServerRow } from '../../conductor/console/protocol.ts';
import { restsOf, runsOf, segmentsOf, ticksOf, type Rest, type Segment } from './lane-segments.ts';
import { clock, duration } from './words.ts';
import styles from './ClusterScore.module.css';

const LINE = 6;
const STAFF = 4 * LINE;
const TOP = 22;
const PITCH = 58;
/** From so many pixels a block on it is a note, below that a stroke. */
const NOTE_PX = 9;
/** From so many pixels a pause has its length below it: closer ones would write over each other. */
const LABELLED_PX = 22;
/** Marks that Tab reaches; more would be a wall. */
const MARKS_MAX = 80;

export interface ClusterScoreProps {
  readonly servers: readonly ServerRow[];
  readonly held: ClusterWindow | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly blockMs: number;
  readonly width: number;
  readonly pointed: (happening: Happening | null) => void;
}

export function ClusterScore(props: ClusterScoreProps): ReactElement {
  const { servers, held, fromMs, toMs, nowMs, blockMs, width } = props;
  const left = width < 560 ? 80 : 104;
  const right = width - 8;
  const scale = (right - left) / (toMs - fromMs);
  const xOf = (atMs: number): number => left + (atMs - fromMs) * scale;
  const chainTop = TOP + servers.length * PITCH + 10;
  const height = chainTop + STAFF + 40;
  const blocks = useMemo(
    () => (held?.blocks ?? []).filter(([, atMs]) => atMs >= fromMs - 2 * blockMs && atMs <= toMs),
    [held, fromMs, toMs, blockMs],
  );
  const shown = blocks.filter(([, atMs]) => atMs >= fromMs);
  const isPlayed = blockMs * scale >= NOTE_PX;
  const endMs = Math.min(nowMs, toMs);
  const lanes = servers.map(({ id }) => segmentsOf(held?.lanes ?? [], id, fromMs, endMs));
  return (
    <svg className={styles.score} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <Ticks ticks={ticksOf(fromMs, toMs, width < 560 ? 4 : 9)} xOf={xOf} left={left} right={right} height={height} />
      <g aria-hidden="true">
        <path
          className={styles.brace}
          d={`M${left - 7} ${TOP - 5}V${TOP + (servers.length - 1) * PITCH + STAFF + 5}`}
        />
        {servers.map(({ id }, at) => (
          <g key={id} transform={`translate(0 ${TOP + at * PITCH})`}>
            <text className={styles.name} x={left - 16} y={STAFF / 2 + 5}>
              {shortened(id, left)}
            </text>
            <Lane segments={lanes[at] ?? []} xOf={xOf} left={left} right={right} />
            <Notes
              blocks={playedBy(shown, lanes[at] ?? [])}
              blockMs={blockMs}
              xOf={xOf}
              isPlayed={isPlayed}
              className={styles.played}
              height={(number) => STAFF - LINE / 2 - ((number % 7) * LINE) / 2}
            />
          </g>
        ))}
        <g transform={`translate(0 ${chainTop})`}>
          <text className={styles.name} x={left - 16} y={STAFF / 2 + 5}>
            chain
          </text>
          <path className={styles.staff} d={staffPath(left, right)} />
          <Chain run={held?.run ?? null} blocks={blocks} {...{ fromMs, endMs, blockMs, xOf, isPlayed, left }} />
          {endMs === nowMs && <path className={styles.now} d={`M${xOf(nowMs)} ${-chainTop + TOP - 12}V${STAFF + 6}`} />}
        </g>
      </g>
      <Marks {...props} xOf={xOf} chainTop={chainTop} />
    </svg>
  );
}

interface ChainProps {
  readonly run: BlockRun | null;
  /** From a little before what is shown, so that a pause that began there is one. */
  readonly blocks: readonly (readonly [number: number, atMs: number])[];
  readonly fromMs: number;
  readonly endMs: number;
  readonly blockMs: number;
  readonly xOf: (atMs: number) => number;
  readonly isPlayed: boolean;
  readonly left: number;
}

function Chain({ run, blocks, fromMs, endMs, blockMs, xOf, isPlayed, left }: ChainProps): ReactElement {
  const long = run === null ? null : runsOf(run, blockMs, fromMs, endMs);
  const rests = (long?.rests ?? restsOf(blocks, blockMs, endMs)).filter(({ toMs }) => toMs > fromMs);
  return (
    <>
      {long === null ? (
        <Notes
          blocks={blocks.filter(([, atMs]) => atMs >= fromMs)}
          {...{ blockMs, xOf, isPlayed }}
          className={styles.chain}
          height={() => STAFF / 2}
        />
      ) : (
        <path className={`${styles.chain} ${styles.strokes}`} d={linesPath(long.runs, xOf)} />
      )}
      {rests.map((rest) => (
        <Pause
          key={rest.fromMs}
          x1={Math.max(left, xOf(rest.fromMs))}
          x2={xOf(Math.min(rest.toMs, endMs))}
          ms={rest.toMs - rest.fromMs}
        />
      ))}
    </>
  );
}

interface MarksProps extends ClusterScoreProps {
  readonly xOf: (atMs: number) => number;
  readonly chainTop: number;
}

function Marks({ servers, held, fromMs, toMs, xOf, chainTop, pointed }: MarksProps): ReactElement[] {
  const marks = (held?.happenings ?? []).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).slice(-MARKS_MAX);
  return marks.map((mark) => {
    const at = servers.findIndex(({ id }) => id === mark.server);
    return (
      <MarkOf
        key={`${mark.server} ${mark.atMs} ${mark.kind} ${mark.text}`}
        mark={mark}
        x={xOf(mark.atMs)}
        y={at < 0 ? chainTop - 8 : TOP + at * PITCH - 8}
        pointed={pointed}
      />
    );
  });
}

interface LaneProps {
  readonly segments: readonly Segment[];
  readonly xOf: (atMs: number) => number;
  readonly left: number;
  readonly right: number;
}

function Lane({ segments, xOf, left, right }: LaneProps): ReactElement {
  const path = (holds: (segment: Segment) => boolean, y: number): string =>
    segments
      .filter(holds)
      .map(({ fromMs, toMs }) => `M${xOf(fromMs).toFixed(1)} ${y}H${xOf(toMs).toFixed(1)}`)
      .join('');
  return (
    <>
      <path className={styles.staff} d={staffPath(left, right)} />
      {segments
        .filter(({ state }) => !state.answers)
        .map(({ fromMs, toMs }) => (
          <g key={fromMs}>
            <rect className={styles.down} x={xOf(fromMs)} y={-1} width={xOf(toMs) - xOf(fromMs)} height={STAFF + 2} />
            {xOf(toMs) - xOf(fromMs) > 90 && (
              <text className={styles.label} x={xOf(fromMs) + 6} y={STAFF / 2 + 4}>
                no answer
              </text>
            )}
          </g>
        ))}
      <path className={styles.leads} d={path(({ state }) => state.answers && state.role === 'leader', -2)} />
      <path className={styles.candidate} d={path(({ state }) => state.role === 'candidate', -2)} />
      <path className={styles.ill} d={path(({ state }) => state.answers && state.isHealthy === false, STAFF + 5)} />
      <path className={styles.paused} d={path(({ state }) => state.answers && state.isPaused === true, STAFF + 9)} />
    </>
  );
}

interface NotesProps {
  readonly blocks: readonly (readonly [number: number, atMs: number])[];
  readonly xOf: (atMs: number) => number;
  readonly isPlayed: boolean;
  readonly className: string | undefined;
  readonly height: (number: number) => number;
  readonly blockMs: number;
}

function Notes({ blocks, xOf, isPlayed, className, height, blockMs }: NotesProps): ReactElement {
  if (!isPlayed) return <path className={`${className} ${styles.strokes}`} d={runsPath(blocks, xOf, blockMs)} />;
  return (
    <g className={className}>
      {blocks.map(([number, atMs]) => (
        <Note key={number} x={xOf(atMs)} y={height(number)} />
      ))}
    </g>
  );
}

const Note = memo(function Note({ x, y }: { readonly x: number; readonly y: number }): ReactElement {
  return (
    <g transform={`translate(${x.toFixed(1)} ${y})`}>
      <ellipse rx="4.6" ry="3.3" transform="rotate(-22)" />
      <path d={y < STAFF / 2 ? 'M-4.2 1v15' : 'M4.2 -1v-15'} />
    </g>
  );
});

function Pause({ x1, x2, ms }: { readonly x1: number; readonly x2: number; readonly ms: number }): ReactElement {
  const inset = x2 - x1 > 24 ? 7 : 0;
  return (
    <g className={styles.pause}>
      <rect x={x1 + inset} y={LINE - 2} width={Math.max(2, x2 - x1 - 2 * inset)} height={2 * LINE + 4} />
      {x2 - x1 > LABELLED_PX && (
        <text x={(x1 + x2) / 2} y={STAFF + 17}>
          {duration(ms)}
        </text>
      )}
    </g>
  );
}

interface TicksProps {
  readonly ticks: readonly number[];
  readonly xOf: (atMs: number) => number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

function Ticks({ ticks, xOf, left, right, height }: TicksProps): ReactElement {
  return (
    <g className={styles.ticks} aria-hidden="true">
      {ticks
        .map((atMs) => ({ atMs, x: xOf(atMs) }))
        .filter(({ x }) => x > left && x < right - 24)
        .map(({ atMs, x }) => (
          <g key={atMs}>
            <path d={`M${x.toFixed(1)} ${TOP - 14}V${height - 26}`} />
            <text x={x} y={height - 4}>
              {clock(atMs)}
            </text>
          </g>
        ))}
    </g>
  );
}

interface MarkProps {
  readonly mark: Happening;
  readonly x: number;
  readonly y: number;
  readonly pointed: ClusterScoreProps['pointed'];
}

function MarkOf({ mark, x, y, pointed }: MarkProps): ReactElement {
  return (
    <g
      className={styles.mark}
      transform={`translate(${x.toFixed(1)} ${y})`}
      role="img"
      aria-label={`${clock(mark.atMs)} ${mark.server}: ${mark.text}`}
      tabIndex={0}
      data-kind={mark.kind}
      onPointerEnter={() => pointed(mark)}
      onPointerLeave={() => pointed(null)}
      onFocus={() => pointed(mark)}
      onBlur={() => pointed(null)}
    >
      <rect x="-6" y="-9" width="12" height="18" />
      <path d="M0 5L-4 -3H4Z" />
    </g>
  );
}

/** Blocks too close for notes as lines on the middle of the staff, broken where slots were missed. */
function runsPath(
  blocks: readonly (readonly [number: number, atMs: number])[],
  xOf: (atMs: number) => number,
  blockMs: number,
): string {
  let path = '';
  for (const [at, [, atMs]] of blocks.entries()) {
    const before = blocks[at - 1]?.[1];
    const isNext = before !== undefined && atMs - before < 1.9 * blockMs;
    path += `${isNext ? 'L' : 'M'}${xOf(atMs).toFixed(1)} ${STAFF / 2}`;
    if (!isNext) path += 'h1.5';
  }
  return path;
}

function linesPath(runs: readonly Rest[], xOf: (atMs: number) => number): string {
  return runs.map(({ fromMs, toMs }) => `M${xOf(fromMs).toFixed(1)} ${STAFF / 2}H${xOf(toMs).toFixed(1)}`).join('');
}

function staffPath(left: number, right: number): string {
  return `${[0, 1, 2, 3, 4].map((line) => `M${left} ${line * LINE}H${right}`).join('')}M${left} 0V${STAFF}`;
}

/** Blocks that came while the server sequenced. */
function playedBy(
  blocks: readonly (readonly [number: number, atMs: number])[],
  segments: readonly Segment[],
): readonly (readonly [number: number, atMs: number])[] {
  const playing = segments.filter(
    ({ state }) => state.answers && state.role === 'leader' && state.isSequencing !== false,
  );
  return blocks.filter(([, atMs]) => playing.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
}

function shortened(id: string, left: number): string {
  const most = left < 90 ? 8 : 12;
  return id.length <= most ? id : `…${id.slice(1 - most)}`;
}
