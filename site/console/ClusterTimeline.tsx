/**
 * A cluster over time, drawn as a score: a staff for each server, on which the one that sequences plays the blocks, and the
 * chain below with its pauses measured. Leading is the heavy line, silence a hatch. A picture: the log below it and the
 * marks, which Tab reaches, say the same in words.
 */
import { useMemo, type ReactElement } from 'react';
import type { ClusterWindow, Happening, SeenBlock, ServerRow } from '../../conductor/console/protocol.ts';
import { Chain, Notes } from './Chain.tsx';
import { Lane } from './Lane.tsx';
import { segmentsOf, ticksOf, type Segment } from './lane-segments.ts';
import { Marks } from './Marks.tsx';
import { LINE, PITCH, scoreLeft, STAFF, staffPath, TOP } from './staff.ts';
import { clock } from './words.ts';
import styles from './ClusterTimeline.module.css';

/** From so many pixels a block on it is a note, below that a stroke. */
const NOTE_PX = 9;

export interface ClusterTimelineProps {
  readonly servers: readonly ServerRow[];
  readonly held: ClusterWindow | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly blockMs: number;
  readonly width: number;
  readonly pointed: (happening: Happening | null) => void;
}

export function ClusterTimeline(props: ClusterTimelineProps): ReactElement {
  const { servers, held, fromMs, toMs, nowMs, blockMs, width } = props;
  const left = scoreLeft(width);
  const right = width - 8;
  const scale = (right - left) / (toMs - fromMs);
  const xOf = (atMs: number): number => left + (atMs - fromMs) * scale;
  const chainTop = TOP + servers.length * PITCH + 10;
  const height = chainTop + STAFF + 40;
  const blocks = useMemo(() => blocksAround(held?.blocks ?? [], fromMs, toMs), [held, fromMs, toMs]);
  const shown = blocks.filter(([, atMs]) => atMs >= fromMs && atMs <= toMs);
  const isPlayed = blockMs * scale >= NOTE_PX;
  const endMs = Math.min(nowMs, toMs);
  const lanes = servers.map(({ id }) => segmentsOf(held?.lanes ?? [], id, fromMs, endMs));
  return (
    <svg className={styles.timeline} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
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
      <Marks {...props} xOf={xOf} rowOf={(at) => (at < 0 ? chainTop : TOP + at * PITCH)} />
    </svg>
  );
}

/** Those in a stretch, and one on either side: a pause may reach beyond it. */
function blocksAround(blocks: ClusterWindow['blocks'], fromMs: number, toMs: number): ClusterWindow['blocks'] {
  const first = blocks.findLastIndex(([, atMs]) => atMs < fromMs);
  const after = blocks.findIndex(([, atMs]) => atMs > toMs);
  return blocks.slice(Math.max(0, first), after < 0 ? blocks.length : after + 1);
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

/** Blocks that came while the server sequenced. */
function playedBy(blocks: readonly SeenBlock[], segments: readonly Segment[]): readonly SeenBlock[] {
  const playing = segments.filter(
    ({ state }) => state.answers && state.role === 'leader' && state.isSequencing !== false,
  );
  return blocks.filter(([, atMs]) => playing.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
}

function shortened(id: string, left: number): string {
  const most = left < 90 ? 8 : 12;
  return id.length <= most ? id : `…${id.slice(1 - most)}`;
}
