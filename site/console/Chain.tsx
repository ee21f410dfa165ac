/** Blocks as notes, or as lines where they stand too close, and the pauses between them with their length. */
import { memo, type ReactElement } from 'react';
import type { BlockRun, SeenBlock } from '../../conductor/console/protocol.ts';
import { restsOf, runsOf, type Rest } from './lane-segments.ts';
import { LINE, STAFF } from './staff.ts';
import { duration } from './words.ts';
import styles from './ClusterTimeline.module.css';

/** From so many pixels a pause has its length below it: closer ones would write over each other. */
const LABELLED_PX = 22;

interface ChainProps {
  readonly run: BlockRun | null;
  /** From a little before what is shown, so that a pause that began there is one. */
  readonly blocks: readonly SeenBlock[];
  readonly fromMs: number;
  readonly endMs: number;
  readonly blockMs: number;
  readonly xOf: (atMs: number) => number;
  readonly isPlayed: boolean;
  readonly left: number;
}

/** What the whole cluster committed. */
export function Chain({ run, blocks, fromMs, endMs, blockMs, xOf, isPlayed, left }: ChainProps): ReactElement {
  const long = run === null ? null : runsOf(run, blockMs, fromMs, endMs);
  const rests = (long?.rests ?? restsOf(blocks, blockMs, endMs)).filter(
    (rest) => rest.toMs > fromMs && rest.fromMs < endMs,
  );
  return (
    <>
      {long === null ? (
        <Notes
          blocks={blocks.filter(([, atMs]) => atMs >= fromMs && atMs <= endMs)}
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

interface NotesProps {
  readonly blocks: readonly SeenBlock[];
  readonly xOf: (atMs: number) => number;
  readonly isPlayed: boolean;
  readonly className: string | undefined;
  readonly height: (number: number) => number;
  readonly blockMs: number;
}

/** Blocks on a staff, each at its `height`. */
export function Notes({ blocks, xOf, isPlayed, className, height, blockMs }: NotesProps): ReactElement {
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

/** Blocks too close for notes as lines on the middle of the staff, broken where slots were missed. */
function runsPath(blocks: readonly SeenBlock[], xOf: (atMs: number) => number, blockMs: number): string {
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
