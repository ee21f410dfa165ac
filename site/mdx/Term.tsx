/** A word of the trade, linked to its entry in the glossary: a dotted line beneath, no colour of its own. */
import type { ReactElement, ReactNode } from 'react';
import styles from './Term.module.css';

export interface TermProps {
  /** The slug of its heading in the glossary. */
  readonly id: string;
  /** Where that is; the engine fills it in. */
  readonly href?: string;
  /** What the entry says, in short; the engine fills it in, too. */
  readonly card?: string;
  readonly children: ReactNode;
}

export function Term({ href, card, children }: TermProps): ReactElement {
  return (
    <a className={styles.term} href={href} data-card={card}>
      {children}
    </a>
  );
}
