/**
 * The picture of the front page: a hand-over written as a score. Three sequencers are the players, one bar is one
 * block, the lowest staff is the chain. Everything drawn means something: who leads plays (in the accent), who
 * follows counts rests, who is down has broken lines, and the pitch of a note is the height of its block.
 */
import type { ReactElement } from 'react';
import styles from './Score.module.css';

export function Score(): ReactElement {
  return (
    <figure className={styles.score}>
      <Sheet className={styles.wide} bars={15} falls={5} returns={11} width={1240} />
      <Sheet className={styles.narrow} bars={6} falls={2} returns={4} width={400} />
      <figcaption>
        <strong>A hand-over.</strong> One bar is one block. When the leading sequencer falls silent, Conductor gives the
        next bar to another: the chain rests while they vote, and misses no height.{' '}
        <a href="/builders/chain-operators/tools/op-conductor">How Conductor does it</a>
      </figcaption>
    </figure>
  );
}

interface SheetProps {
  readonly className: string | undefined;
  readonly bars: number;
  /** The bar, from 0, in which the first sequencer goes down. */
  readonly falls: number;
  /** The bar in which it is back, as a follower. */
  readonly returns: number;
  /** In units of the drawing. */
  readonly width: number;
}

const LINE_GAP = 8;
const STAFF = 4 * LINE_GAP;
const ROW = STAFF + 42;
const TOP = 30;
/** Room for names, left of the staves. */
const NAMES = 92;
const ROWS = ['Sequencer 1', 'Sequencer 2', 'Sequencer 3', 'Chain'] as const;
const CHAIN = 3;
const HEIGHT = TOP + 3 * ROW + STAFF + 14;

type Play = 'plays' | 'rests' | 'down';

/** What a row does in a bar. */
function playOf(row: number, bar: number, { falls, returns }: SheetProps): Play {
  if (row === CHAIN) return bar === falls ? 'rests' : 'plays';
  if (row === 0 && bar >= falls && bar < returns) return 'down';
  const leader = bar < falls ? 0 : 1;
  return row === leader && bar !== falls ? 'plays' : 'rests';
}

function Sheet(props: SheetProps): ReactElement {
  const { bars, falls, returns, width, className } = props;
  const bar = (width - NAMES - 1) / bars;
  const at = (index: number): number => NAMES + index * bar;
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label="Sequencer 1 leads and plays one note, a block, in each bar. It falls silent; for one bar nobody plays. Then sequencer 2 leads and the chain goes on at the next height. Sequencer 1 returns as a follower."
    >
      {ROWS.map((name, row) => {
        const top = TOP + row * ROW;
        return (
          <g key={name} className={row === CHAIN ? styles.chain : undefined}>
            <text className={styles.name} x={0} y={top + STAFF / 2 + 5}>
              {name}
            </text>
            {Array.from({ length: bars }, (_, index) => (
              <Bar
                key={index}
                x={at(index)}
                top={top}
                width={bar}
                play={playOf(row, index, props)}
                height={index < falls ? index : index - 1}
              />
            ))}
          </g>
        );
      })}
      <path className={styles.barline} d={barlines(Array.from({ length: bars - 1 }, (_, index) => at(index + 1)))} />
      <path
        className={styles.brace}
        d={`M${NAMES} ${TOP}V${TOP + CHAIN * ROW + STAFF}M${width - 7} ${TOP}V${TOP + CHAIN * ROW + STAFF}`}
      />
      <path className={styles.end} d={`M${width - 2} ${TOP}V${TOP + CHAIN * ROW + STAFF}`} />
      <Mark x={at(0) + 8} row={0} words="leads" />
      <Mark x={at(falls) + 8} row={0} words="falls silent" />
      <Mark x={at(falls + 1) + 8} row={1} words="leads" />
      <Mark x={at(returns) + 8} row={0} words="returns" />
      <Mark x={at(falls) + 8} row={CHAIN} words="a rest" />
    </svg>
  );
}

/** A word of expression, above a staff. */
function Mark({ x, row, words }: { x: number; row: number; words: string }): ReactElement {
  return (
    <text className={styles.words} x={x} y={TOP + row * ROW - 11}>
      {words}
    </text>
  );
}

interface BarProps {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly play: Play;
  /** Of the block, counted from the first drawn. */
  readonly height: number;
}

function Bar({ x, top, width, play, height }: BarProps): ReactElement {
  const lines = [0, 1, 2, 3, 4].map((line) => `M${x} ${top + line * LINE_GAP}h${width}`).join('');
  const middle = x + width / 2;
  return (
    <>
      <path className={play === 'down' ? styles.broken : styles.lines} d={lines} />
      {play === 'rests' ? (
        <rect className={styles.rest} x={middle - 7} y={top + LINE_GAP} width={14} height={4.5} />
      ) : null}
      {play === 'plays' ? <Note x={middle} top={top} step={stepOf(height)} /> : null}
    </>
  );
}

/** Steps above the lowest line: up the staff and down again as heights rise. */
function stepOf(height: number): number {
  const range = 6;
  const phase = height % (2 * range);
  return 1 + (phase <= range ? phase : 2 * range - phase);
}

function Note({ x, top, step }: { x: number; top: number; step: number }): ReactElement {
  const y = top + STAFF - (step * LINE_GAP) / 2;
  const stem = step < 4 ? `M${x + 5.4} ${y - 2}v-25` : `M${x - 5.4} ${y + 2}v25`;
  return (
    <g className={styles.note}>
      <ellipse cx={x} cy={y} rx={6} ry={4.2} transform={`rotate(-22 ${x} ${y})`} />
      <path d={stem} />
    </g>
  );
}

/** Through the players' staves and, apart, through the chain's. */
function barlines(xs: readonly number[]): string {
  const players = 2 * ROW + STAFF;
  return xs.map((x) => `M${x} ${TOP}v${players}M${x} ${TOP + CHAIN * ROW}v${STAFF}`).join('');
}
