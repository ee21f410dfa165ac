/** What may be changed in a cluster, where the console allows it to whoever looks: buttons in groups, and what is under way. */
import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { ClusterNow } from '../../conductor/console/protocol.ts';
import { actGroups, actWords } from './act-words.ts';
import { useLive } from './live.ts';
import { clock } from './words.ts';
import styles from './Acting.module.css';

const ActDialog = lazy(() => import('./ActDialog.tsx').then((module) => ({ default: module.ActDialog })));

export function Acting({ cluster }: { readonly cluster: ClusterNow }): ReactElement | null {
  const { session } = useLive();
  const [shown, setShown] = useState<{ readonly command: string | null } | null>(null);
  if (session?.mayAct !== true) return null;
  const { act } = cluster;
  return (
    <section aria-label="Changes">
      <h2>Change</h2>
      <div className={styles.groups}>
        {actGroups.map(([group, commands]) => (
          <div key={group} className={styles.group} role="group" aria-label={group}>
            <span aria-hidden="true">{group}</span>
            <div>
              {commands.map((command) => (
                <button key={command} type="button" className="word" onClick={() => setShown({ command })}>
                  {actWords[command]?.title}…
                </button>
              ))}
            </div>
          </div>
        ))}
      </div>
      {act !== null && (
        <p className={styles.last}>
          <span role="status">
            {act.title}, by {act.name} at {clock(act.atMs)}: {act.outcome ?? 'under way'}
          </span>{' '}
          <button type="button" className="word" onClick={() => setShown({ command: null })}>
            Show
          </button>
        </p>
      )}
      {shown !== null && (
        <Suspense>
          <ActDialog command={shown.command} cluster={cluster} close={() => setShown(null)} />
        </Suspense>
      )}
    </section>
  );
}
