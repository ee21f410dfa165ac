/** The bar: name, the four views, the cluster that is looked at, theme. Tab and Enter reach all of it. */
import { useState, type ReactElement } from 'react';
import { Mark } from '../layout/Mark.tsx';
import { applyStoredTheme, themeOf } from '../page/theme.ts';
import { readStored, store } from '../page/storage.ts';
import type { ClusterNow } from '../../conductor/console/protocol.ts';
import type { Connection } from './live.ts';
import { linkTo, type Place, type View } from './place.ts';
import styles from './Bar.module.css';

export interface BarProps {
  readonly place: Place;
  readonly clusters: readonly ClusterNow[];
  readonly connection: Connection;
}

const views: readonly (readonly [View, string])[] = [
  ['fleet', 'Fleet'],
  ['cluster', 'Cluster'],
  ['failovers', 'Failovers'],
  ['alarms', 'Alarms'],
];

export function Bar({ place, clusters, connection }: BarProps): ReactElement {
  const alarms = clusters.flatMap(({ troubles }) => troubles).filter(({ silence }) => silence === null).length;
  const cluster = place.cluster === '' ? (clusters[0]?.name ?? '') : place.cluster;
  const isOfOne = place.view === 'cluster' || place.view === 'failovers';
  return (
    <header className={styles.bar}>
      <a className={styles.name} href={linkTo({ view: 'fleet' })}>
        <Mark />
        <span>Console</span>
      </a>
      <nav aria-label="Views">
        {views.map(([view, label]) => (
          <a
            key={view}
            href={linkTo({ view, cluster: view === 'cluster' || view === 'failovers' ? cluster : '' })}
            aria-current={place.view === view ? 'page' : undefined}
          >
            {label}
            {view === 'alarms' && alarms > 0 && <b className={styles.count}>{alarms}</b>}
          </a>
        ))}
      </nav>
      {isOfOne && clusters.length > 1 && (
        <label>
          <span className="unseen">Cluster</span>
          <select
            className={styles.choice}
            value={cluster}
            onChange={({ target }) => (location.hash = linkTo({ view: place.view, cluster: target.value }))}
          >
            {clusters.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <p className={styles.connection} role="status" data-state={connection}>
        {connection === 'open' ? 'live' : connection === 'broken' ? 'not connected' : 'opening'}
      </p>
      <ThemeChoice />
    </header>
  );
}

function ThemeChoice(): ReactElement {
  const [theme, setTheme] = useState(() => themeOf(readStored('theme')));
  return (
    <label className={styles.theme}>
      <span className="unseen">Theme</span>
      <select
        className={styles.choice}
        value={theme}
        onChange={({ target }) => {
          const chosen = themeOf(target.value);
          store('theme', chosen === 'system' ? null : chosen);
          applyStoredTheme();
          setTheme(chosen);
        }}
      >
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
