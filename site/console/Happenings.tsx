/** What was told, line by line: when, by which server, and in words. */
import type { ReactElement, ReactNode } from 'react';
import type { Happening } from '../../conductor/console/protocol.ts';
import { clock, moment } from './words.ts';
import styles from './Happenings.module.css';

export interface HappeningsProps {
  /** In the order in which they are shown. */
  readonly lines: readonly Happening[];
  /** What stands behind the words of a line, if anything. */
  readonly behind?: (line: Happening) => ReactNode;
}

export function Happenings({ lines, behind }: HappeningsProps): ReactElement {
  return (
    <ol className={styles.list}>
      {lines.map((line) => (
        <li key={`${line.atMs} ${line.server} ${line.kind} ${line.text}`} data-kind={line.kind}>
          <time dateTime={new Date(line.atMs).toISOString()} title={moment(line.atMs)}>
            {clock(line.atMs)}
          </time>
          <b>{line.server}</b>
          <span>
            {line.text}
            {behind?.(line)}
          </span>
        </li>
      ))}
    </ol>
  );
}
