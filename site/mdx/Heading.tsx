/** Headings of the text: each links to itself, so that its address can be taken. The slug comes from the engine. */
import type { ComponentProps, ReactElement } from 'react';
import styles from './Heading.module.css';

export const Heading2 = (props: ComponentProps<'h2'>): ReactElement => <h2 {...props}>{linked(props)}</h2>;
export const Heading3 = (props: ComponentProps<'h3'>): ReactElement => <h3 {...props}>{linked(props)}</h3>;
export const Heading4 = (props: ComponentProps<'h4'>): ReactElement => <h4 {...props}>{linked(props)}</h4>;

function linked({ id, children }: ComponentProps<'h2'>): ComponentProps<'h2'>['children'] {
  if (id === undefined) return children;
  return (
    <a className={styles.link} href={`#${id}`}>
      {children}
    </a>
  );
}
