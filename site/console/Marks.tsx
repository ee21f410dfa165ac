/** What happened, as marks above the staff it concerns; Tab reaches them, and each says its sentence. */
import type { ReactElement } from 'react';
import type { ClusterWindow, Happening, ServerRow } from '../../conductor/console/protocol.ts';
import { clock } from './words.ts';
import styles from './ClusterTimeline.module.css';

/** Marks that Tab reaches; more would be a wall. */
const MARKS_MAX = 80;

interface MarksProps {
  readonly servers: readonly ServerRow[];
  readonly held: ClusterWindow | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly pointed: (happening: Happening | null) => void;
  readonly xOf: (atMs: number) => number;
  /** Top of the staff of a server by its place; of the chain for -1. */
  readonly rowOf: (at: number) => number;
}

export function Marks({ servers, held, fromMs, toMs, xOf, rowOf, pointed }: MarksProps): ReactElement[] {
  const marks = (held?.happenings ?? []).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).slice(-MARKS_MAX);
  return marks.map((mark) => {
    return (
      <MarkOf
        key={`${mark.server} ${mark.atMs} ${mark.kind} ${mark.text}`}
        mark={mark}
        x={xOf(mark.atMs)}
        y={rowOf(servers.findIndex(({ id }) => id === mark.server)) - 8}
        pointed={pointed}
      />
    );
  });
}

interface MarkProps {
  readonly mark: Happening;
  readonly x: number;
  readonly y: number;
  readonly pointed: MarksProps['pointed'];
}

function MarkOf({ mark, x, y, pointed }: MarkProps): ReactElement {
  return (
    <g
      className={styles.mark}
      transform={`translate(${x.toFixed(1)} ${y})`}
      role="img"
      aria-label={`${clock(mark.atMs)} ${mark.server}: ${mark.text}`}
      tabIndex={0}
      data-kind={mark.kind}
      onPointerEnter={() => pointed(mark)}
      onPointerLeave={() => pointed(null)}
      onFocus={() => pointed(mark)}
      onBlur={() => pointed(null)}
    >
      <rect x="-6" y="-9" width="12" height="18" />
      <path d="M0 5L-4 -3H4Z" />
    </g>
  );
}
