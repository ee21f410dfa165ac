/** The page: who is let in, the bar, and the view that the address names. */
import { lazy, Suspense, useEffect, type ReactElement } from 'react';
import { Bar } from './Bar.tsx';
import { Door } from './Door.tsx';
import { Fleet } from './Fleet.tsx';
import { begin, useLive } from './live.ts';
import { usePlace, type Place } from './place.ts';
import type { ClusterNow } from '../../conductor/console/protocol.ts';

const ClusterPage = lazy(() => import('./ClusterPage.tsx').then((module) => ({ default: module.ClusterPage })));
const FailoversPage = lazy(() => import('./FailoversPage.tsx').then((module) => ({ default: module.FailoversPage })));
const AlarmsPage = lazy(() => import('./AlarmsPage.tsx').then((module) => ({ default: module.AlarmsPage })));

export function App(): ReactElement {
  const { connection, clusters, session } = useLive();
  const place = usePlace();
  useEffect(() => void begin(), []);
  if (connection === 'shut') return <Door />;
  return (
    <>
      <Bar place={place} clusters={clusters} connection={connection} />
      <main id="view">
        <Suspense>
          {session === null ? <p className="wait">Opening…</p> : <Shown place={place} clusters={clusters} />}
        </Suspense>
      </main>
    </>
  );
}

function Shown({ place, clusters }: { readonly place: Place; readonly clusters: readonly ClusterNow[] }): ReactElement {
  const cluster = clusters.find(({ name }) => name === place.cluster) ?? clusters[0];
  if (cluster === undefined) return <p className="wait">No cluster has answered yet.</p>;
  switch (place.view) {
    case 'cluster':
      return <ClusterPage key={cluster.name} cluster={cluster} />;
    case 'failovers':
      return <FailoversPage key={cluster.name} cluster={cluster} item={place.item} />;
    case 'alarms':
      return <AlarmsPage clusters={clusters} />;
    default:
      return <Fleet clusters={clusters} />;
  }
}
