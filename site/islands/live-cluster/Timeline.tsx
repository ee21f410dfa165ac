/**
 * The score: each node's log is a staff on which every entry is a measure, and below them the chain that the world
 * has seen is the melody, its pauses measured. A filled note is committed as far as its node knows, a hollow one is
 * not yet; a double bar begins another leader's term. A picture: sentences and a table say the same.
 */
import { memo } from 'react';
import { seconds } from './seconds.ts';
import type { BlockFrame, Frame, Measure, NodeFrame } from './protocol.ts';
import styles from './Timeline.module.css';

const LINE = 6;
const STAFF = 4 * LINE;
const TOP = 26;
const PITCH = 62;
const MEASURE = 24;
/** Horizontal pixels per second of the melody. */
const PER_SECOND = 26;
/** Between two blocks of a second there is no more than this. */
const REST_MS = 1500;

export interface TimelineProps {
  readonly frame: Frame;
  readonly width: number;
}

export function Timeline({ frame, width }: TimelineProps) {
  const { nodes } = frame;
  const left = width < 480 ? 72 : 112;
  const melodyTop = TOP + nodes.length * PITCH + 14;
  const height = melodyTop + STAFF + 44;
  const count = Math.max(4, Math.floor((width - left - 12) / MEASURE));
  const first = firstMeasure(Math.max(...nodes.map(({ lastIndex }) => lastIndex)), count);
  return (
    <svg className={styles.score} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.bracket} d={`M${left - 6} ${TOP - 6}V${TOP + (nodes.length - 1) * PITCH + STAFF + 6}`} />
      {nodes.map((node, index) => (
        <g
          key={node.name}
          transform={`translate(0 ${TOP + index * PITCH})`}
          data-shown={shownOf(node)}
          className={styles.part}
        >
          <text className={styles.name} x={left - 16} y={STAFF / 2 + 1}>
            {node.name}
          </text>
          <text className={styles.under} x={left - 16} y={STAFF / 2 + 16}>
            {shownOf(node)}
          </text>
          <Staff left={left} width={width} />
          <Log
            key={node.name}
            log={node.log}
            commitIndex={node.commitIndex}
            first={first}
            count={count}
            left={left}
            isDown={node.presence === 'down'}
          />
        </g>
      ))}
      <g transform={`translate(0 ${melodyTop})`}>
        <text className={styles.name} x={left - 16} y={STAFF / 2 + 1}>
          {width < 480 ? 'chain' : 'the chain'}
        </text>
        <Staff left={left} width={width} />
        <Melody blocks={frame.blocks} nowMs={frame.nowMs} left={left} width={width} players={nodes.length} />
      </g>
    </svg>
  );
}

function shownOf({ presence, role }: NodeFrame): string {
  return presence === 'up' ? role : presence;
}

/** Pages are turned by halves, so that there is always something of the past. */
function firstMeasure(last: number, count: number): number {
  const half = Math.floor(count / 2);
  return Math.max(1, (Math.floor(last / half) - 1) * half + 1);
}

function Staff({ left, width }: { readonly left: number; readonly width: number }) {
  const lines = [0, 1, 2, 3, 4].map((line) => `M${left} ${line * LINE}H${width}`).join('');
  return <path className={styles.staff} d={`${lines}M${left} 0V${STAFF}`} />;
}

interface LogProps {
  readonly log: readonly Measure[];
  readonly commitIndex: number;
  readonly first: number;
  readonly count: number;
  readonly left: number;
  readonly isDown: boolean;
}

const Log = memo(
  function Log({ log, commitIndex, first, count, left, isDown }: LogProps) {
    const shown = log.filter(({ index }) => index >= first && index < first + count);
    return (
      <g className={isDown ? styles.faint : undefined}>
        {shown.map((measure, at) => {
          const x = left + (measure.index - first) * MEASURE;
          const before = shown[at - 1];
          const isNewTerm = before !== undefined && before.term !== measure.term;
          // A term of one measure has no room for its name before that of the next.
          const hasRoom = (shown[at + 1]?.term ?? measure.term) === measure.term;
          return (
            <g key={measure.index} transform={`translate(${x} 0)`}>
              {isNewTerm && (
                <>
                  <path className={styles.double} d={`M2.5 0V${STAFF}`} />
                  {hasRoom && (
                    <text className={styles.term} x="2" y="-6">
                      term {measure.term}
                    </text>
                  )}
                </>
              )}
              <Note measure={measure} isCommitted={measure.index <= commitIndex} />
              <path className={styles.bar} d={`M${MEASURE} 0V${STAFF}`} />
            </g>
          );
        })}
      </g>
    );
  },
  (a, b) =>
    a.first === b.first &&
    a.count === b.count &&
    a.left === b.left &&
    a.isDown === b.isDown &&
    a.commitIndex === b.commitIndex &&
    a.log.at(-1)?.index === b.log.at(-1)?.index &&
    a.log.at(-1)?.term === b.log.at(-1)?.term &&
    a.log[0]?.index === b.log[0]?.index,
);

function Note({ measure: { kind, term }, isCommitted }: { readonly measure: Measure; readonly isCommitted: boolean }) {
  // Another term is another pitch.
  const y = STAFF - LINE - (term % 3) * (LINE / 2) * 2;
  const x = MEASURE / 2;
  if (kind === 'other') return <path className={styles.cross} d={`M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`} />;
  if (kind === 'membership') return <path className={styles.diamond} d={`M${x - 5} ${y}l5 -4.5l5 4.5l-5 4.5z`} />;
  return (
    <g className={isCommitted ? styles.filled : styles.hollow}>
      <path className={styles.stem} d={`M${x + 4.6} ${y - 1}v-17`} />
      <ellipse cx={x} cy={y} rx="4.9" ry="3.5" transform={`rotate(-22 ${x} ${y})`} />
    </g>
  );
}

interface MelodyProps {
  readonly blocks: readonly BlockFrame[];
  readonly nowMs: number;
  readonly left: number;
  readonly width: number;
  readonly players: number;
}

function Melody({ blocks, nowMs, left, width, players }: MelodyProps) {
  const lastsMs = ((width - left - 12) / PER_SECOND) * 1000;
  const half = lastsMs / 2;
  const fromMs = Math.max(0, (Math.floor(nowMs / half) - 1) * half);
  const xOf = (atMs: number): number => left + 12 + ((atMs - fromMs) / 1000) * PER_SECOND;
  const shown = blocks.filter(({ atMs }) => atMs >= fromMs);
  const rests = restsOf(blocks, nowMs).filter(({ toMs }) => toMs > fromMs);
  return (
    <>
      {rests.map(({ sinceMs, toMs, isOpen }) => (
        <Rest
          key={sinceMs}
          x1={xOf(Math.max(sinceMs, fromMs))}
          x2={xOf(toMs)}
          text={seconds(toMs - sinceMs)}
          isOpen={isOpen}
        />
      ))}
      {shown.map(({ number, atMs, by }, at) => {
        const isAnother = at === 0 || shown[at - 1]!.by !== by;
        const y = STAFF - (by * STAFF) / Math.max(1, players - 1);
        return (
          <g key={`${number} ${atMs}`} transform={`translate(${xOf(atMs)} 0)`} className={styles.filled}>
            <path className={styles.stem} d={y > STAFF / 2 ? `M4.6 ${y - 1}v-17` : `M-4.6 ${y + 1}v17`} />
            <ellipse cx="0" cy={y} rx="4.9" ry="3.5" transform={`rotate(-22 0 ${y})`} />
            {isAnother && (
              <text className={styles.builder} y={-8}>
                s{by}
              </text>
            )}
            {number % 5 === 0 && (
              <text className={styles.number} y={STAFF + 24}>
                {number}
              </text>
            )}
          </g>
        );
      })}
      <path className={styles.now} d={`M${xOf(nowMs)} -8V${STAFF + 8}`} />
    </>
  );
}

interface Silence {
  readonly sinceMs: number;
  readonly toMs: number;
  /** It goes on. */
  readonly isOpen: boolean;
}

function restsOf(blocks: readonly BlockFrame[], nowMs: number): readonly Silence[] {
  const ends = [...blocks.slice(1).map(({ atMs }) => atMs), nowMs];
  return blocks
    .map(({ atMs }, at) => ({ sinceMs: atMs, toMs: ends[at]!, isOpen: at === blocks.length - 1 }))
    .filter(({ sinceMs, toMs }) => toMs - sinceMs > REST_MS);
}

interface RestProps {
  readonly x1: number;
  readonly x2: number;
  readonly text: string;
  readonly isOpen: boolean;
}

function Rest({ x1, x2, text, isOpen }: RestProps) {
  const [from, to] = [x1 + 8, isOpen ? x2 : x2 - 8];
  return (
    <g className={isOpen ? styles.openRest : styles.rest}>
      <path d={`M${from} -10v-5H${to}${isOpen ? '' : 'v5'}`} />
      <text x={(from + to) / 2} y="-20">
        {text}
      </text>
    </g>
  );
}
