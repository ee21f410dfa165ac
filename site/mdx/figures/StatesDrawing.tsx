/**
 * The states of a conductor as a lattice: followers left, leaders right, healthy above. Each state is a link to its
 * row in the table; site/page/state-diagram.ts makes of the same elements a diagram that shows a state's exits.
 */
import { meaningOf, stateExits, stateRowId, states, type Exit, type StateId } from './op-conductor-states.ts';
import { Stroke, Words, type StrokeProps, type WordsProps } from './strokes.tsx';
import styles from './figures.module.css';

const WIDTH = 130;
const HEIGHT = 56;
const LEFT = 4;
const RIGHT = 234;

/** Top left corners. */
const places: Readonly<Record<StateId, readonly [number, number]>> = {
  G: [LEFT, 34],
  H: [RIGHT, 34],
  E: [LEFT, 162],
  F: [RIGHT, 162],
  A: [LEFT, 290],
  B: [RIGHT, 290],
  C: [LEFT, 434],
  D: [RIGHT, 434],
};

type Shape = Pick<StrokeProps, 'way' | 'isCurved'> & { readonly words?: WordsProps };

/** Between the two columns: to the leader above, back below. */
function pair(out: string, back: string, y: number): readonly [string, Shape][] {
  const middle = (LEFT + WIDTH + RIGHT) / 2;
  return [
    [
      out,
      {
        way: `134,${y + 18} 234,${y + 18}`,
        words: { at: `${middle},${y + 11}`, text: 'is elected', anchor: 'middle' },
      },
    ],
    [
      back,
      { way: `234,${y + 38} 134,${y + 38}`, words: { at: `${middle},${y + 53}`, text: 'gives up', anchor: 'middle' } },
    ],
  ];
}

const shapes: Readonly<Record<string, Shape>> = Object.fromEntries([
  ...pair('GH', 'HG', 34),
  ...pair('EF', 'FE', 162),
  ...pair('AB', 'BA', 290),
  ...pair('CD', 'DC', 434),
  ['GE', { way: '66,90 66,162', words: { at: '74,123', text: 'stops/sequencing' } }],
  ['FH', { way: '298,162 298,90', words: { at: '290,123', text: 'starts/sequencing', anchor: 'end' } }],
  ['EA', { way: '30,218 30,290', words: { at: '37,251', text: 'becomes/unhealthy' } }],
  ['AE', { way: '112,290 112,218', words: { at: '119,251', text: 'becomes/healthy' } }],
  ['FB', { way: '318,218 318,290', words: { at: '325,251', text: 'becomes/unhealthy' } }],
  ['BF', { way: '256,290 256,218', words: { at: '249,251', text: 'becomes/healthy', anchor: 'end' } }],
  // Around the outside: the words of an exit stand near its arrowhead.
  ['GC', { way: '4,70 -10,70 -10,454 4,454', words: { at: '-4,387', text: 'becomes/unhealthy' } }],
  ['CG', { way: '4,472 -20,472 -20,52 4,52', words: { at: '-4,113', text: 'becomes/healthy' } }],
  ['HD', { way: '364,70 390,70 390,454 364,454', words: { at: '384,381', text: 'becomes/unhealthy', anchor: 'end' } }],
  ['DH', { way: '364,472 400,472 400,52 364,52', words: { at: '384,113', text: 'becomes/healthy', anchor: 'end' } }],
  ['CA', { way: '66,434 66,346', words: { at: '74,387', text: 'stops/sequencing' } }],
  ['BD', { way: '264,346 264,434', words: { at: '269,372', text: 'starts' } }],
  ['DB', { way: '316,434 316,346', words: { at: '311,418', text: 'stops', anchor: 'end' } }],
  ['DA', { way: '234,436 134,344', words: { at: '195,368', text: 'stops and/transfers' } }],
  [
    'DD',
    {
      way: '272,490 272,528 324,528 324,490',
      isCurved: true,
      words: { at: '264,512', text: 'waits out a stall', anchor: 'end' },
    },
  ],
]);

export function StatesDrawing() {
  return (
    <svg className={styles.states} viewBox="-24 0 428 526" role="group" aria-labelledby="conductor-states-title">
      <title id="conductor-states-title">States of a conductor</title>
      <defs>
        <pattern
          id="conductor-states-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path className={styles.hatch} d="M0 0V6" />
        </pattern>
      </defs>
      <Words at="66,20" text="Follower" anchor="middle" className={styles.title} />
      <Words at="298,20" text="Leader" anchor="middle" className={styles.title} />
      {stateExits.map((exit) => (
        <ExitStroke key={exit.from + exit.to} exit={exit} />
      ))}
      {/* In reading order: the keyboard follows it. */}
      {(Object.keys(places) as StateId[]).map((id) => (
        <StateBox key={id} id={id} />
      ))}
    </svg>
  );
}

function ExitStroke({ exit: { from, to, kind } }: { readonly exit: Exit }) {
  const { words, ...line } = shapes[from + to]!;
  return (
    <g className={styles.exit} data-from={from} data-to={to} aria-hidden="true">
      <Stroke {...line} isDashed={kind === 'event'} />
      {words !== undefined && <Words {...words} />}
    </g>
  );
}

function StateBox({ id }: { readonly id: StateId }) {
  const state = states.find((one) => one.id === id)!;
  const [x, y] = places[id];
  const words = [state.isHealthy ? 'healthy' : 'not healthy', state.isActive ? 'sequencing' : 'not sequencing'];
  return (
    <a
      href={`#${stateRowId(id)}`}
      className={styles.state}
      data-state={id}
      aria-label={`${id} ${words.join(' ')}, ${state.isLeader ? 'leader' : 'follower'}. ${meaningOf(state)}`}
    >
      <rect className={styles.box} x={x} y={y} width={WIDTH} height={HEIGHT} />
      {state.kind === 'error' && (
        <rect className={styles.hatched} x={x + 2} y={y + 2} width={WIDTH - 4} height={HEIGHT - 4} />
      )}
      {state.kind === 'healthy' && (
        <rect className={styles.inner} x={x + 3.5} y={y + 3.5} width={WIDTH - 7} height={HEIGHT - 7} />
      )}
      <Words at={`${x + 10},${y + 36}`} text={id} className={styles.letter} />{' '}
      <Words at={`${x + 35},${y + 24}`} text={words.join('/')} className={styles.small} />
    </a>
  );
}
