/** A remark beside the text: a rule in the margin and a word. Three kinds of rule, so colour is not needed. */
import type { ReactElement, ReactNode } from 'react';
import styles from './Callout.module.css';

export interface CalloutProps {
  readonly kind: 'note' | 'warning' | 'danger';
  /** Stands after the word. */
  readonly title?: string;
  readonly children: ReactNode;
}

const WORDS: Readonly<Record<CalloutProps['kind'], string>> = { note: 'Note', warning: 'Warning', danger: 'Danger' };

export function Callout({ kind, title, children }: CalloutProps): ReactElement {
  return (
    <aside className={`${styles.callout} ${styles[kind]}`} role="note">
      <p className={styles.word}>
        <strong>{WORDS[kind]}</strong>
        {title === undefined ? null : <span>{title}</span>}
      </p>
      {children}
    </aside>
  );
}
