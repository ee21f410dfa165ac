/** Where a reader is, from the fragment of the address: it works below any path, and Back works. */
import { useSyncExternalStore } from 'react';

export type View = 'fleet' | 'cluster' | 'failovers' | 'alarms';

export interface Place {
  readonly view: View;
  /** '' for all clusters. */
  readonly cluster: string;
  /** What is looked at in the view; '' for nothing in particular. */
  readonly item: string;
}

const views: readonly string[] = ['fleet', 'cluster', 'failovers', 'alarms'] satisfies View[];

export function placeOf(hash: string): Place {
  const [view = '', cluster = '', item = ''] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  return { view: views.includes(view) ? (view as View) : 'fleet', cluster, item };
}

export function linkTo({ view, cluster = '', item = '' }: Partial<Place> & Pick<Place, 'view'>): string {
  return `#/${[view, cluster, item]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')}`;
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed);
      return () => window.removeEventListener('hashchange', changed);
    },
    () => location.hash,
  );
  return placeOf(hash);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
