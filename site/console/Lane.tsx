/** The staff of one server: leading is the heavy line above it, silence a hatch, health and pause are lines below. */
import type { ReactElement } from 'react';
import type { Segment } from './lane-segments.ts';
import { STAFF, staffPath } from './staff.ts';
import styles from './ClusterTimeline.module.css';

interface LaneProps {
  readonly segments: readonly Segment[];
  readonly xOf: (atMs: number) => number;
  readonly left: number;
  readonly right: number;
}

export function Lane({ segments, xOf, left, right }: LaneProps): ReactElement {
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
