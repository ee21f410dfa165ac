/**
 * A numbered list. Where its items hold commands it is a procedure: each can be ticked off, and the page script
 * remembers what is done, as with Steps. A list of sentences stays what it is.
 * Keyboard: the tick is a checkbox at the end of an item's first line.
 */
import { Children, cloneElement, isValidElement, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { CodeBlock } from './CodeBlock.tsx';
import styles from './OrderedList.module.css';
import { textOf } from './Table.tsx';

/** So much of an item's text names it. */
const NAME_LENGTH = 48;

type Item = ReactElement<{ readonly children?: ReactNode }>;

export function OrderedList({ children, ...props }: ComponentProps<'ol'>): ReactElement {
  const items = Children.toArray(children).filter((child): child is Item => isValidElement(child));
  if (!items.some(holdsCommand)) return <ol {...props}>{children}</ol>;
  return (
    <ol {...props} className={styles.procedure} data-steps={nameOf(items[0])}>
      {items.map((item) => {
        const name = nameOf(item);
        return cloneElement(
          item as ReactElement<Record<string, unknown>>,
          { 'data-step': name },
          <label data-needs-script data-print="no" className={styles.tick}>
            <input
              type="checkbox"
              autoComplete="off"
              aria-label={`Done: ${textOf(item).slice(0, NAME_LENGTH).trim()}`}
            />
            <span aria-hidden="true">Done</span>
          </label>,
          item.props.children,
        );
      })}
    </ol>
  );
}

function holdsCommand(item: Item): boolean {
  return Children.toArray(item.props.children).some(
    (child) =>
      isValidElement<{ readonly output?: boolean }>(child) && child.type === CodeBlock && child.props.output !== true,
  );
}

/** A word for what is stored: letters and digits of the beginning. */
function nameOf(item: Item | undefined): string {
  return textOf(item)
    .slice(0, NAME_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
