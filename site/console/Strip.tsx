/**
 * The last hour of a chain: a stroke for each half minute, broken where slots were missed, empty where it stood. Silent
 * for screen readers, who get the count in words from the row.
 */
import { memo, type ReactElement } from 'react';
import { stripCells } from '../../conductor/console/protocol.ts';
import styles from './Strip.module.css';

const CELL = 4;
const HEIGHT = 26;
/** The strokes stand on this line. */
const BASE = HEIGHT - 5;
const TALL = 17;

export const Strip = memo(function Strip({ strip }: { readonly strip: string }): ReactElement {
  const cells = [...strip.padStart(stripCells, '.')];
  const pathOf = (holds: (cell: string) => boolean, draw: (x: number, cell: string) => string): string =>
    cells.map((cell, at) => (holds(cell) ? draw(at * CELL + CELL / 2, cell) : '')).join('');
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${stripCells * CELL} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.line} d={`M0 ${BASE + 2.5}H${stripCells * CELL}`} />
      <path
        className={styles.whole}
        d={pathOf(
          (cell) => cell === '0',
          (x) => `M${x} ${BASE}v-${TALL}`,
        )}
      />
      <path
        className={styles.unknown}
        d={pathOf(
          (cell) => cell === '.',
          (x) => `M${x} ${BASE}v-2`,
        )}
      />
      <path
        className={styles.missed}
        d={pathOf(
          (cell) => cell > '0' && cell <= '9',
          (x, cell) => `M${x} ${BASE}v-${Math.min(TALL, 6 + Number(cell) * 3)}`,
        )}
      />
      <path
        className={styles.stood}
        d={pathOf(
          (cell) => cell === '-',
          (x) => `M${x - 2} ${BASE - TALL}v${TALL}h4v-${TALL}z`,
        )}
      />
    </svg>
  );
});

/** The same in words. */
export function stripWords(strip: string): string {
  const missed = [...strip].reduce((sum, cell) => sum + (cell > '0' && cell <= '9' ? Number(cell) : 0), 0);
  const stood = [...strip].filter((cell) => cell === '-').length;
  if (missed === 0 && stood === 0) return 'no slot missed in the last hour';
  const parts = [
    ...(missed > 0 ? [`${missed} ${missed === 1 ? 'slot' : 'slots'} missed`] : []),
    ...(stood > 0 ? [`stood for ${stood / 2} min`] : []),
  ];
  return `${parts.join(', ')} in the last hour`;
}
