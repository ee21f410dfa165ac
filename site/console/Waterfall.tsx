/** A failover as a waterfall: each phase where it lies in time, how long it took, and what ended it. */
import type { ReactElement } from 'react';
import type { Failover } from '../../conductor/console/protocol.ts';
import { duration } from './words.ts';
import styles from './Waterfall.module.css';

export function Waterfall({ failover }: { readonly failover: Failover }): ReactElement {
  const { phases } = failover;
  const first = phases[0]?.fromMs ?? 0;
  const whole = Math.max(1, (phases.at(-1)?.toMs ?? 0) - first);
  return (
    <table className={styles.waterfall}>
      <caption className="unseen">Phases in order; together they are the gap</caption>
      <thead className="unseen">
        <tr>
          <th scope="col">Phase</th>
          <th scope="col">Milliseconds</th>
          <th scope="col">Place</th>
          <th scope="col">What ended it</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ key, label, fromMs, toMs, note }) => (
          <tr key={key} data-phase={key}>
            <th scope="row">{label}</th>
            <td className={styles.ms} data-ms={toMs - fromMs}>
              {duration(toMs - fromMs)}
            </td>
            <td className={styles.place}>
              <svg width="100%" height="22" aria-hidden="true">
                <line x1="0" x2="100%" y1="11" y2="11" />
                <rect
                  x={`${((fromMs - first) / whole) * 100}%`}
                  y="4"
                  width={`${Math.max(0.25, ((toMs - fromMs) / whole) * 100)}%`}
                  height="14"
                />
              </svg>
            </td>
            <td className={styles.note}>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
