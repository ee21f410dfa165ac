/**
 * One of several ways to say the same: underlined words that switch panels. Groups with the same `sync`
 * follow each other through the page and the site. Without JavaScript, and on paper, all panels are there,
 * each under its label.
 * Keyboard (ARIA tabs): arrows, Home and End move between tabs and select; Tab goes into the panel.
 */
import { Children, createElement, isValidElement, useId, type ReactElement, type ReactNode } from 'react';
import styles from './Tabs.module.css';

export interface TabProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A panel; only ever inside `<Tabs>`, which reads its label. */
export function Tab({ children }: TabProps): ReactElement {
  return <>{children}</>;
}

export interface TabsProps {
  /** Name of the choice, shared by all groups that offer it, e.g. `rpc-client`. */
  readonly sync?: string;
  readonly children: ReactNode;
}

export function Tabs({ sync, children }: TabsProps): ReactElement {
  const id = useId();
  const tabs = Children.toArray(children).filter((child) => isValidElement<TabProps>(child));
  return (
    <div className={styles.tabs} data-tabs={sync ?? ''}>
      <div className={styles.list} role="tablist" data-needs-script>
        {tabs.map(({ props: { label } }, index) => (
          <button
            key={label}
            id={`${id}t${index}`}
            type="button"
            role="tab"
            aria-controls={`${id}p${index}`}
            aria-selected={index === 0}
            tabIndex={index === 0 ? 0 : -1}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ props }, index) => (
        <div
          key={props.label}
          id={`${id}p${index}`}
          className={styles.panel}
          role="tabpanel"
          aria-labelledby={`${id}t${index}`}
          data-selected={index === 0 ? '' : undefined}
        >
          <p className={styles.label}>{props.label}</p>
          {props.children}
        </div>
      ))}
      {createElement(TABS_END)}
    </div>
  );
}

/** When the parser reaches this element the panels before it are complete: the boot script then shows the stored choice. */
const TABS_END = 'tabs-end';
