/**
 * Things to do in order: large numerals in the margin, joined by a hairline. Each step can be ticked off; the
 * browser remembers it (page script, local storage). Without JavaScript the ticks are not there.
 * Keyboard: the tick is a checkbox after the step's title.
 */
import type { ReactElement, ReactNode } from 'react';
import type { StepProps } from '../layout/frame-props.ts';
import styles from './Steps.module.css';

export interface StepsProps {
  /** Names the procedure on its page; what is done is remembered under it. */
  readonly id: string;
  /** They are gone through for each server; the page script keeps what is done apart where it knows the reader's. */
  readonly perServer?: boolean;
  readonly children: ReactNode;
}

export function Steps({ id, perServer = false, children }: StepsProps): ReactElement {
  return (
    <div className={styles.steps} data-steps={id} data-per-server={perServer ? '' : undefined}>
      <ol>{children}</ol>
      <p className={styles.progress} data-needs-script data-print="no">
        <output data-steps-progress />
        <button type="button" data-steps-reset>
          Start over
        </button>
      </p>
    </div>
  );
}

const LEVELS = ['h2', 'h3', 'h4'] as const;

export function Step({ title, slug, level = '4', children }: StepProps): ReactElement {
  const Heading = LEVELS[Number(level) - 2] ?? 'h4';
  return (
    <li className={styles.step} data-step={slug}>
      <div className={styles.title}>
        <Heading id={slug}>
          <a href={`#${slug}`}>{title}</a>
        </Heading>
        <label data-needs-script data-print="no">
          <input type="checkbox" autoComplete="off" aria-label={`Done: ${title}`} />
          <span aria-hidden="true">Done</span>
        </label>
      </div>
      {children}
    </li>
  );
}
