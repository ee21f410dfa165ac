/**
 * One cluster: how it stands, its score, live or back in its history, each server in a row, and what happened.
 */
import { useState, type ReactElement } from 'react';
import type { ClusterNow, Happening } from '../../conductor/console/protocol.ts';
import { Acting } from './Acting.tsx';
import { Happenings } from './Happenings.tsx';
import { useNow } from './live.ts';
import { linkTo } from './place.ts';
import { Runbook } from './Runbook.tsx';
import { Score, shortest } from './Score.tsx';
import { ServerTable } from './ServerTable.tsx';
import { useWindow } from './use-window.ts';
import { age, clock, grouped } from './words.ts';
import styles from './ClusterPage.module.css';

const LINES = 60;

export function ClusterPage({ cluster }: { readonly cluster: ClusterNow }): ReactElement {
  const [span, setSpan] = useState(shortest);
  const [endMs, setEndMs] = useState<number | null>(null);
  const now = useNow(endMs === null ? Math.max(100, span / 600) : 1000);
  const toMs = endMs ?? now + span * 0.02;
  const fromMs = toMs - span;
  const held = useWindow(cluster, fromMs, toMs);
  if (isUnreached(cluster)) return <Unreached cluster={cluster} now={now} />;
  return (
    <>
      <Head cluster={cluster} now={now} />
      <Score {...{ cluster, held, fromMs, toMs, now, setSpan }} isLive={endMs === null} setEnd={setEndMs} />
      <Asked cluster={cluster} />
      <h2>Servers</h2>
      <ServerTable cluster={cluster} />
      <p className={styles.looked}>{lookedWords(cluster, now)}</p>
      <Acting cluster={cluster} />
      <h2>What happened</h2>
      <Log happenings={held?.happenings ?? []} toMs={toMs} cluster={cluster.name} />
    </>
  );
}

/** Roles and health are told at once; the rest of the table is as old as the last look. */
function lookedWords({ lookedAtMs }: ClusterNow, nowMs: number): string {
  return lookedAtMs === null ? '' : `Heads and verdicts as of ${age(nowMs - lookedAtMs)} ago.`;
}

/** Nobody has ever answered here: there is nothing over time. */
function isUnreached({ servers, head }: ClusterNow): boolean {
  return head === null && servers.every(({ state }) => !state.answers);
}

/** A cluster of which nothing is known: who was asked, what came of it, and what to do. */
function Unreached({ cluster, now }: { readonly cluster: ClusterNow; readonly now: number }): ReactElement {
  return (
    <>
      <Head cluster={cluster} now={now} />
      <p className="wait">
        None of its {cluster.servers.length} conductors has answered since this console watches. It goes on asking, and
        shows the cluster as soon as one does.
      </p>
      <h2>Servers</h2>
      <ServerTable cluster={cluster} />
      <Runbook code="ConductorDown" />
      <Acting cluster={cluster} />
    </>
  );
}

/** Says what is not known of servers that tell nothing by themselves. */
function Asked({ cluster }: { readonly cluster: ClusterNow }): ReactElement | null {
  const asked = cluster.servers.filter(({ source, state }) => source !== 'stream' && state.answers);
  if (asked.length === 0) return null;
  const names = asked.length === cluster.servers.length ? 'The servers' : asked.map(({ id }) => id).join(', ');
  const isOne = asked.length === 1;
  return (
    <p className="wait">
      {names} {isOne ? 'publishes' : 'publish'} no events here and {isOne ? 'is' : 'are'} asked: times are as fine as
      the questions, a second or more, and of a failover only the gap is known.
    </p>
  );
}

function Head({ cluster, now }: { readonly cluster: ClusterNow; readonly now: number }): ReactElement {
  const { name, summary, troubles, head } = cluster;
  const loud = troubles.filter(({ silence }) => silence === null);
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{name}</h1>
          <p>{summary}</p>
        </div>
        <p className={styles.height}>
          <b>{head === null ? '–' : grouped(head.number)}</b>
          <span>{head === null ? 'no block seen' : `${age(now - head.atMs)} ago`}</span>
        </p>
      </div>
      {loud.length > 0 && (
        <ul className={styles.troubles}>
          {loud.map(({ text, sinceMs }) => (
            <li key={text}>
              {text} <span>since {clock(sinceMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LogProps {
  readonly happenings: readonly Happening[];
  readonly toMs: number;
  readonly cluster: string;
}

function Log({ happenings, toMs, cluster }: LogProps): ReactElement {
  const lines = happenings
    .filter(({ atMs }) => atMs <= toMs)
    .slice(-LINES)
    .toReversed();
  if (lines.length === 0) return <p className="wait">Nothing but blocks, as far as is known here.</p>;
  return (
    <Happenings
      lines={lines}
      behind={({ kind, text }) =>
        kind === 'role' && text.startsWith('is leader') ? (
          <>
            {' '}
            <a href={linkTo({ view: 'failovers', cluster })}>failovers</a>
          </>
        ) : null
      }
    />
  );
}
