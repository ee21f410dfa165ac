/** What is wrong now, since when, and what to do: the runbook's text stands below the alarm it is about. */
import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { ClusterNow, Trouble } from '../../conductor/console/protocol.ts';
import { useNow } from './live.ts';
import { linkTo } from './place.ts';
import { Runbook } from './Runbook.tsx';
import { age, clock, moment } from './words.ts';
import styles from './AlarmsPage.module.css';

const SilenceDialog = lazy(() => import('./SilenceDialog.tsx').then((module) => ({ default: module.SilenceDialog })));

interface Shown {
  readonly cluster: string;
  readonly trouble: Trouble;
}

export function AlarmsPage({ clusters }: { readonly clusters: readonly ClusterNow[] }): ReactElement {
  const now = useNow();
  const [silenced, setSilenced] = useState<Shown | null>(null);
  const all = clusters.flatMap(({ name, troubles }) => troubles.map((trouble) => ({ cluster: name, trouble })));
  const loud = all.filter(({ trouble }) => trouble.silence === null);
  const quiet = all.filter(({ trouble }) => trouble.silence !== null);
  return (
    <div className={styles.page}>
      <h1>Alarms</h1>
      {loud.length === 0 && <p className="wait">Nothing is wrong, as far as is known here.</p>}
      {loud.map(({ cluster, trouble }) => (
        <article key={`${cluster} ${trouble.text}`} className={styles.alarm}>
          <h2>{trouble.text}</h2>
          <p>
            <a href={linkTo({ view: 'cluster', cluster })}>{cluster}</a>, since{' '}
            <time dateTime={new Date(trouble.sinceMs).toISOString()} title={moment(trouble.sinceMs)}>
              {clock(trouble.sinceMs)}
            </time>{' '}
            ({age(now - trouble.sinceMs)})
          </p>
          {trouble.code !== '' && <Runbook code={trouble.code} />}
          <button type="button" className="word" onClick={() => setSilenced({ cluster, trouble })}>
            Silence
          </button>
        </article>
      ))}
      {quiet.length > 0 && (
        <>
          <h2>Silenced</h2>
          <ul>
            {quiet.map(({ cluster, trouble }) => (
              <li key={`${cluster} ${trouble.text}`}>
                {cluster}: {trouble.text}{' '}
                <span>
                  until {moment(trouble.silence?.untilMs ?? 0)}: {trouble.silence?.reason}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {silenced !== null && (
        <Suspense>
          <SilenceDialog cluster={silenced.cluster} text={silenced.trouble.text} close={() => setSilenced(null)} />
        </Suspense>
      )}
    </div>
  );
}
