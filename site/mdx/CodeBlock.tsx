/**
 * A fence: what is typed or written on a sheet of its own, with the file's name as a tab; what was printed
 * in return beside a bar, without the sheet. A file of some length has numbers at its lines. The copy button takes the text and not the prompt; where lines are
 * longer than the block, another one breaks them.
 * Keyboard: the block is in the tab order when it scrolls; its buttons follow.
 */
import type { ReactElement } from 'react';
import type { CodeBlockProps } from '../layout/frame-props.ts';
import styles from './CodeBlock.module.css';

/** A shorter one is taken in at a glance. */
const NUMBERED_LINES_MIN = 20;

export function CodeBlock({ lang, title, output = false, prompt = false, html }: CodeBlockProps): ReactElement {
  const kind = output ? styles.output : styles.input;
  const isNumbered = title !== undefined && html.split('<span class="line').length > NUMBERED_LINES_MIN;
  return (
    <figure
      className={`${styles.block} ${kind}${prompt ? ` ${styles.prompt}` : ''}`}
      data-lang={lang}
      data-code
      data-output={output ? '' : undefined}
    >
      {title === undefined && !output ? null : <figcaption>{title ?? 'Output'}</figcaption>}
      <pre tabIndex={0} className={isNumbered ? styles.numbered : undefined}>
        <code dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
      <div className={styles.actions} data-needs-script data-print="no">
        <button type="button" className={styles.wrap} data-wrap aria-pressed="false">
          Wrap
        </button>
        <button type="button" data-copy>
          Copy
        </button>
      </div>
    </figure>
  );
}
