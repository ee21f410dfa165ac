/** Ways to go from here, as the programme of a concert lists its pieces: a hairline, a title, a sentence. No boxes. */
import type { ReactElement, ReactNode } from 'react';
import styles from './Cards.module.css';

export function Cards({ children }: { children: ReactNode }): ReactElement {
  return <ul className={styles.cards}>{children}</ul>;
}

export interface CardProps {
  readonly href: string;
  readonly title: string;
  /** A sentence on what is there. */
  readonly children?: ReactNode;
}

export function Card({ href, title, children }: CardProps): ReactElement {
  return (
    <li className={styles.card}>
      <a href={href}>{title}</a>
      {children === undefined ? null : <div>{children}</div>}
    </li>
  );
}
