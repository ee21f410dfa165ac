/**
 * How many of the fullest blocks took how long, in the run where they took longest: fifty bars, and above them the tail
 * from one second on, forty times as high, since at the scale of the others it is a line.
 */
import { grouped, histogram, histogramGroup, histogramRun, nameOf, slowerThan } from './block-times.ts';
import { Words } from './strokes.tsx';
import styles from './figures.module.css';

const LEFT = 52;
const SECOND = 62;
const BOTTOM = 236;
const HEIGHT = 200;
const MOST = 14_000;
const TAIL_BOTTOM = 154;
const MAGNIFIED = 40;

const xOf = (seconds: number): number => Math.round((LEFT + seconds * SECOND) * 10) / 10;
const heightOf = (blocks: number): number => Math.round((blocks / MOST) * HEIGHT * 10) / 10;

interface Bar {
  readonly from: number;
  readonly blocks: number;
}

const bars: readonly Bar[] = histogram.counts.map((blocks, at) => ({
  from: histogram.firstSecond + at * histogram.binSeconds,
  blocks,
}));
const tail = bars.filter(({ from }) => from >= 1);
const width = histogram.binSeconds * SECOND;

export function BlockTimesHistogram() {
  return (
    <svg className={styles.plot} viewBox="0 0 400 268" role="img" aria-label={`Histogram: ${nameOf(histogramRun)}`}>
      <Words at={`${LEFT - 8},20`} text="blocks" anchor="end" />
      {[0, 4000, 8000, 12_000].map((blocks) => (
        <g key={blocks}>
          <path className={styles.grid} d={`M${LEFT} ${BOTTOM - heightOf(blocks)}H388`} />
          <Words
            at={`${LEFT - 8},${BOTTOM - heightOf(blocks) + 4}`}
            text={grouped(blocks)}
            anchor="end"
            className={styles.small}
          />
        </g>
      ))}
      <path className={styles.limit} d={`M${xOf(1)} 24V${BOTTOM}`} />
      <Bars of={bars} bottom={BOTTOM} times={1} />
      <Bars of={tail} bottom={TAIL_BOTTOM} times={MAGNIFIED} />
      <path className={styles.line} d={`M${xOf(1)} ${TAIL_BOTTOM}H388`} />
      <Words
        at={`${xOf(1) + 10},30`}
        text={`${grouped(slowerThan(1, histogramGroup))} of ${grouped(histogramGroup.count)} blocks/took longer than 1 s; the tail,/${MAGNIFIED} times as high:`}
      />
      {[0, 1, 2, 3, 4, 5].map((seconds) => (
        <Words
          key={seconds}
          at={`${xOf(seconds)},${BOTTOM + 18}`}
          text={seconds === 5 ? '5 s' : String(seconds)}
          anchor="middle"
          className={styles.small}
        />
      ))}
    </svg>
  );
}

function Bars({ of, bottom, times }: { readonly of: readonly Bar[]; readonly bottom: number; readonly times: number }) {
  const d = of.map(({ from, blocks }) => {
    const top = bottom - heightOf(blocks * times);
    return `M${xOf(from)} ${bottom}V${top}h${width.toFixed(1)}V${bottom}Z`;
  });
  return <path className={styles.bar} d={d.join('')} />;
}
