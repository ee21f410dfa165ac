/**
 * A place where React comes alive in the page. What stands between the tags is the static alternative: it is in
 * the document, works without JavaScript, and is replaced when the island is seen or used. With `start` it waits
 * for that button and nothing else.
 */
import { createElement, type ReactElement, type ReactNode } from 'react';
import styles from './Island.module.css';
import { StillCluster } from './StillCluster.tsx';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface IslandProps {
  /** A name of site/islands/registry.ts. */
  readonly name: string;
  /** `visible` (default): when it comes near the window. `use`: at the first focus, touch or click inside. */
  readonly when?: 'visible' | 'use';
  /** Label of a button; the island loads when it is pressed. */
  readonly start?: string;
  /** Name of a value: an address that ends in `#name=…` loads the island at once, whatever it waits for. */
  readonly fragment?: string;
  readonly children?: ReactNode;
  /** All other props go to the island. */
  readonly [prop: string]: Json | ReactNode;
}

/** What is seen of an island before it is started, above its button. */
const stills: Readonly<Record<string, () => ReactElement>> = { LiveCluster: StillCluster };

export function Island({ name, when = 'visible', start, fragment, children, ...props }: IslandProps): ReactElement {
  return createElement(
    'site-island',
    {
      class: styles.island,
      'data-name': name,
      'data-when': start === undefined ? when : 'start',
      'data-fragment': fragment,
      'data-props': JSON.stringify(props),
    },
    name in stills ? createElement(stills[name]!, { key: 'still' }) : null,
    start === undefined ? null : (
      <p key="start" className={styles.start} data-needs-script data-print="no">
        <button type="button" data-start>
          {start}
        </button>
      </p>
    ),
    children,
  );
}
