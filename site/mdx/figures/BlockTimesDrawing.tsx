/**
 * Build times of one run on a logarithmic axis, a line per group of gas: a filled note at the median, a beam to the 95th
 * percentile, a thin line to the 99th, and an open note at the slowest block. What lies right of the bar at one second
 * would miss a slot of one second.
 */
import { gasOf, nameOf, type Group, type Run } from './block-times.ts';
import { Words } from './strokes.tsx';
import styles from './figures.module.css';

const LEFT = 84;
const RIGHT = 388;
const TOP = 34;
const ROW = 24;
const FASTEST_SECONDS = 0.01;
const SLOWEST_SECONDS = 16;
const ticks = [0.01, 0.1, 1, 10] as const;

const scale = (RIGHT - LEFT) / Math.log10(SLOWEST_SECONDS / FASTEST_SECONDS);

/** Where a time stands; exported for the test that nothing is drawn outside the frame. */
export function xOf(seconds: number): number {
  return Math.round((LEFT + scale * Math.log10(seconds / FASTEST_SECONDS)) * 10) / 10;
}

export function BlockTimesDrawing({ run }: { readonly run: Run }) {
  const bottom = TOP + run.groups.length * ROW;
  return (
    <svg className={styles.plot} viewBox={`0 0 400 ${bottom + 26}`} role="img" aria-label={nameOf(run)}>
      <Words at={`${LEFT - 10},18`} text="million gas" anchor="end" />
      <Words at={`${RIGHT},18`} text="seconds" anchor="end" />
      {ticks.map((tick) => (
        <g key={tick}>
          <path className={tick === 1 ? styles.limit : styles.grid} d={`M${xOf(tick)} ${TOP - 8}V${bottom}`} />
          <Words at={`${xOf(tick)},${bottom + 18}`} text={String(tick)} anchor="middle" className={styles.small} />
        </g>
      ))}
      {run.groups.map((group, at) => (
        <Spread key={gasOf(group)} group={group} y={TOP + ROW * (at + 0.5)} />
      ))}
    </svg>
  );
}

function Spread({ group, y }: { readonly group: Group; readonly y: number }) {
  const { p50, p95, p99, max } = group;
  return (
    <>
      <Words at={`${LEFT - 10},${y + 4}`} text={gasOf(group)} anchor="end" className={styles.small} />
      <path className={styles.beam} d={`M${xOf(p50)} ${y}H${xOf(p95)}`} />
      <path className={styles.line} d={`M${xOf(p95)} ${y}H${xOf(p99)}M${xOf(p99)} ${y - 5}V${y + 5}`} />
      <circle className={styles.head} cx={xOf(p50)} cy={y} r="4.5" />
      <circle className={styles.open} cx={xOf(max)} cy={y} r="4" />
    </>
  );
}
