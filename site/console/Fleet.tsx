/** All clusters, those in trouble first: who leads, the head, the last hour, each server, what is wrong. */
import { memo, useState, type ReactElement } from 'react';
import type { ClusterNow } from '../../conductor/console/protocol.ts';
import { Glyph, stateWords } from './Glyph.tsx';
import { useNow } from './live.ts';
import { linkTo } from './place.ts';
import { Strip, stripWords } from './Strip.tsx';
import { age, grouped, plural } from './words.ts';
import styles from './Fleet.module.css';

/** From so many on there is a field to find one. */
const MANY = 8;

export function Fleet({ clusters }: { readonly clusters: readonly ClusterNow[] }): ReactElement {
  const now = useNow();
  const [wanted, setWanted] = useState('');
  const shown = clusters
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .toSorted((a, b) => troubleOf(b, now) - troubleOf(a, now) || a.name.localeCompare(b.name));
  const ill = clusters.filter((cluster) => troubleOf(cluster, now) > 0).length;
  return (
    <>
      <div className={styles.head}>
        <h1>Fleet</h1>
        <p>
          {plural(clusters.length, 'cluster', 'clusters')},{' '}
          {ill === 0 ? 'all as they should be' : `${ill} not as ${ill === 1 ? 'it' : 'they'} should be`}
        </p>
        {clusters.length >= MANY && (
          <input
            className="control"
            type="search"
            aria-label="Find a cluster"
            placeholder="Find a cluster"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        )}
      </div>
      <ol className={styles.rows}>
        {shown.map((cluster) => (
          <Row key={cluster.name} cluster={cluster} now={now} />
        ))}
      </ol>
      <p className={styles.key}>
        The strip is the last hour, half a minute a stroke: short and red where slots were missed, a red field where the
        chain stood.
      </p>
    </>
  );
}

/** Drawn anew when its cluster has changed or a second has passed, not whenever another one changes. */
const Row = memo(function Row({ cluster, now }: { readonly cluster: ClusterNow; readonly now: number }): ReactElement {
  const { name, leader, leaderSinceMs, head, servers, strip, troubles, blockMs } = cluster;
  const loud = troubles.filter(({ silence }) => silence === null);
  const headAgeMs = head === null ? null : Math.max(0, now - head.atMs);
  const isLate = headAgeMs !== null && headAgeMs > 2.5 * blockMs + 1000;
  return (
    <li className={styles.row} data-trouble={loud.length > 0 || isLate}>
      <div className={styles.name}>
        <a href={linkTo({ view: 'cluster', cluster: name })}>{name}</a>
        <p>
          {leader === null ? <strong>nobody leads</strong> : <>{leader} leads</>}
          {leader !== null && leaderSinceMs !== null && <span> for {age(now - leaderSinceMs)}</span>}
        </p>
        <p className={styles.facts}>{factsOf(servers, now)}</p>
      </div>
      <p className={styles.height}>
        <b>{head === null ? '–' : grouped(head.number)}</b>
        <span data-late={isLate}>{headAgeMs === null ? 'no block seen' : `${age(headAgeMs)} ago`}</span>
      </p>
      <div className={styles.strip} title={stripWords(strip)}>
        <Strip strip={strip} />
        <span className="unseen">{stripWords(strip)}</span>
      </div>
      <ul className={styles.servers} aria-label="Servers">
        {servers.map(({ id, state }) => (
          <li key={id} title={`${id}: ${stateWords(state)}`}>
            <Glyph state={state} />
            <span>{id}</span>
            <span className="unseen">: {stateWords(state)}</span>
          </li>
        ))}
      </ul>
      <div className={styles.troubles}>
        {loud.slice(0, 2).map(({ text }) => (
          <p key={text} title={text}>
            {text}
          </p>
        ))}
        {loud.length > 2 && <a href={linkTo({ view: 'alarms' })}>and {loud.length - 2} more</a>}
      </div>
    </li>
  );
});

/** Versions, zones, and when the first certificate ends, as far as they are known. */
function factsOf(servers: ClusterNow['servers'], now: number): string {
  const distinct = (values: readonly (string | null)[]): string[] => [
    ...new Set(values.filter((value): value is string => value !== null && value !== '')),
  ];
  const versions = distinct(servers.map(({ version }) => version));
  const zones = distinct(servers.map(({ zone }) => zone));
  const ends = servers.flatMap(({ certificateEndMs }) => certificateEndMs ?? []);
  const endMs = Math.min(...ends);
  const facts = [
    versions.join(', '),
    zones.length === 0 ? '' : `${plural(zones.length, 'zone', 'zones')}: ${zones.join(', ')}`,
    ends.length === 0 ? '' : endMs > now ? `certificates for ${age(endMs - now)}` : 'a certificate has ended',
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function troubleOf({ troubles, leader, head, blockMs }: ClusterNow, now: number): number {
  const loud = troubles.filter(({ silence }) => silence === null).length;
  const isLate = head !== null && now - head.atMs > 2.5 * blockMs + 1000;
  return loud + (leader === null ? 20 : 0) + (isLate ? 10 : 0);
}
