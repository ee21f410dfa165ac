/**
 * What a row of the tables says beside its heading: since which release it is there, whether op-conductor has it, and a
 * link to how the two differ. Words in small capitals, not colours.
 */
import type { ReactElement } from 'react';
import styles from './Badges.module.css';

export interface BadgesProps {
  /** A release. */
  readonly since?: string;
  /** op-conductor has nothing of the name. */
  readonly own?: boolean;
  /** Where it is told how op-conductor's is different. */
  readonly href?: string;
}

export function Badges({ since, own = false, href }: BadgesProps): ReactElement {
  return (
    <p className={styles.badges}>
      {since === undefined ? null : <span>Since {since}</span>}
      {own ? <span>Not in op-conductor</span> : null}
      {href === undefined ? null : <a href={href}>Differs from op-conductor</a>}
    </p>
  );
}
