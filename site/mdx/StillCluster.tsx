/**
 * The cluster in the page before it is started, in the places that the live one takes (site/islands/live-cluster/
 * ClusterView.tsx): a leader with a double ring and two followers. One for wide columns and one for phones.
 */
import type { ReactElement } from 'react';
import styles from './StillCluster.module.css';

const RADIUS = 30;
const TOP_Y = 44;
const FOOT_Y = 150.5;
const HEIGHT = 240.5;

export function StillCluster(): ReactElement {
  return (
    <>
      <Drawing className={styles.wide} width={616} />
      <Drawing className={styles.narrow} width={350} />
    </>
  );
}

function Drawing({ className, width }: { readonly className: string | undefined; readonly width: number }) {
  const [left, middle, right] = [66, width / 2, width - 66];
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label="Three servers, each connected to the others. One leads and sequences; two follow."
    >
      <path className={styles.link} d={`M${left} ${FOOT_Y}L${middle} ${TOP_Y}L${right} ${FOOT_Y}Z`} />
      <Player x={left} y={FOOT_Y} name="s0" role="leader" isLeader />
      <Player x={middle} y={TOP_Y} name="s1" role="follower" />
      <Player x={right} y={FOOT_Y} name="s2" role="follower" />
    </svg>
  );
}

interface PlayerProps {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly role: string;
  readonly isLeader?: boolean;
}

function Player({ x, y, name, role, isLeader = false }: PlayerProps): ReactElement {
  return (
    <g className={isLeader ? styles.leader : undefined} transform={`translate(${x} ${y})`}>
      <circle className={styles.ring} r={RADIUS} />
      {isLeader && <circle className={styles.inner} r={RADIUS - 5} />}
      <text className={styles.name} y="7">
        {name}
      </text>
      <text className={styles.role} y={RADIUS + 19}>
        {role}
      </text>
    </g>
  );
}
