/** What op-conductor is made of, and what its parts tell each other and the sequencer. */
import { Stroke, Words, type StrokeProps } from './strokes.tsx';
import styles from './figures.module.css';

const boxes = [
  { name: 'RPC server', x: 138, y: 44, width: 124 },
  { name: 'Control loop', x: 24, y: 190, width: 124 },
  { name: 'Consensus (raft)', x: 246, y: 190, width: 130 },
  { name: 'Health check loop', x: 124, y: 318, width: 146 },
  { name: 'Sequencer', x: 24, y: 452, width: 352 },
] as const;

const HEIGHT = 44;

const strokes: readonly StrokeProps[] = [
  { way: '150,88 150,120 86,120 86,190' },
  { way: '250,88 250,120 311,120 311,190' },
  { way: '246,212 148,212' },
  { way: '124,340 112,340 112,234' },
  { way: '330,190 330,152 372,152 372,190', isCurved: true },
  { way: '50,234 50,452', hasTwoHeads: true },
  { way: '197,362 197,452' },
  { way: '352,452 352,234' },
];

export function DesignDrawing() {
  return (
    <svg className={styles.design} viewBox="0 0 400 504" role="img" aria-labelledby="conductor-design-title">
      <title id="conductor-design-title">The parts of op-conductor and the sequencer beside it</title>
      <rect className={styles.frame} x="8" y="14" width="384" height="380" />
      <rect className={styles.gap} x="20" y="4" width="113" height="20" />
      <Words at="26,20" text="op-conductor" className={styles.title} />
      {strokes.map((stroke) => (
        <Stroke key={stroke.way} {...stroke} />
      ))}
      {boxes.map(({ name, x, y, width }) => (
        <g key={name}>
          <rect className={styles.box} x={x} y={y} width={width} height={HEIGHT} />
          <Words at={`${x + width / 2},${y + 27}`} text={name} anchor="middle" className={styles.name} />
        </g>
      ))}
      <Words at="78,140" text="starts and/pauses it" anchor="end" />
      <Words at="300,140" text="transfers,/members" anchor="end" />
      <Words at="322,136" text="elections,/heartbeats" />
      <Words at="197,190" text="leadership/changed" anchor="middle" />
      <Words at="120,280" text="health/changed" />
      <Words at="58,420" text="starts/and stops" />
      <Words at="205,420" text="checks/its health" />
      <Words at="344,300" text="commits each/new block" anchor="end" />
    </svg>
  );
}
