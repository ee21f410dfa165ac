/** Links that leave the site: those that the menus send to the top bar, and single ones of the sidebar. */
import type { ReactElement } from 'react';
import type { Meta, PageTreeEntry } from '../engine/page.ts';

type LinkEntry = Extract<Meta, { type: 'link' }>;

export function OutsideLinks({ tree }: { tree: readonly PageTreeEntry[] }): ReactElement {
  return (
    <>
      {topBarLinks(tree).map((link) => (
        <OutsideLink key={link.href} link={link} className={undefined} />
      ))}
    </>
  );
}

export function OutsideLink({ link, className }: { link: LinkEntry; className: string | undefined }): ReactElement {
  return (
    <a
      className={className}
      href={link.href}
      {...(link.title === link.label ? {} : { title: link.title })}
      {...(link.newWindow ? { target: '_blank', rel: 'noopener' } : {})}
    >
      {link.label}
    </a>
  );
}

/** Wherever they stand in the tree. */
function topBarLinks(tree: readonly PageTreeEntry[]): readonly LinkEntry[] {
  return tree.flatMap((entry) => {
    if (entry.type === 'folder') return topBarLinks(entry.children);
    return entry.type === 'link' && entry.topBar ? [entry] : [];
  });
}
