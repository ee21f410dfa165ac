/** Changes of leadership: a list, and the chosen one as a waterfall from the last block to the first. */
import { useEffect, useState, type ReactElement } from 'react';
import type { ClusterNow, Failover } from '../../conductor/console/protocol.ts';
import { ask } from './ask.ts';
import { FailoverActions } from './FailoverActions.tsx';
import { Happenings } from './Happenings.tsx';
import { linkTo } from './place.ts';
import { Waterfall } from './Waterfall.tsx';
import { changeWords, missedWords } from './failover-words.ts';
import { clock, duration, grouped, moment } from './words.ts';
import styles from './FailoversPage.module.css';

/** How many others the chosen one is compared with. */
const COMPARED = 10;

export function FailoversPage({
  cluster,
  item,
}: {
  readonly cluster: ClusterNow;
  readonly item: string;
}): ReactElement {
  const failovers = useFailovers(cluster);
  if (failovers === null) return <p className="wait">Looking…</p>;
  const chosen = failovers.find(({ id }) => id === item) ?? failovers[0];
  if (chosen === undefined)
    return (
      <>
        <h1>Failovers</h1>
        <p className="wait">Leadership of {cluster.name} has not changed since this console watches it.</p>
      </>
    );
  const others = failovers.filter((one) => one !== chosen && one.gapMs !== null).slice(0, COMPARED);
  return (
    <div className={styles.page}>
      <nav className={styles.list} aria-label="Failovers">
        <h1>Failovers</h1>
        <ol>
          {failovers.map((failover) => (
            <li key={failover.id}>
              <a
                href={linkTo({ view: 'failovers', cluster: cluster.name, item: failover.id })}
                aria-current={failover === chosen ? 'true' : undefined}
              >
                <span>{clock(failover.atMs)}</span>
                <b>
                  {failover.from} to {failover.to}
                </b>
                <span>{failover.gapMs === null ? 'no block yet' : duration(failover.gapMs)}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className={styles.one}>
        <Head failover={chosen} />
        <Waterfall failover={chosen} />
        <ToldMeanwhile failover={chosen} />
        <Comparison chosen={chosen} others={others} />
        <FailoverActions failover={chosen} cluster={cluster.name} />
      </article>
    </div>
  );
}

function Head({ failover }: { readonly failover: Failover }): ReactElement {
  const { from, to, source, gapMs, gapRangeMs, atMs, term, lastBlock, firstBlock } = failover;
  return (
    <header className={styles.head}>
      <p className={styles.gap}>
        <b>{gapMs === null ? '…' : duration(gapMs)}</b>
        <span>
          from block {grouped(lastBlock ?? 0)} to {firstBlock === null ? 'the next' : `block ${grouped(firstBlock)}`}
        </span>
      </p>
      <h2>
        {from} to {to}
      </h2>
      <p>
        {changeWords(failover)}; {to} {term === null ? 'leads' : `leads in term ${term}`}{' '}
        {source === 'asked' ? 'at the latest' : ''} since {moment(atMs)}. {missedWords(failover)}
      </p>
      {source === 'asked' && (
        <p>
          op-conductor tells nothing of what it does, so this was found by asking: the times are no finer than the
          questions
          {gapRangeMs === null ? '' : `, the gap was between ${duration(gapRangeMs[0])} and ${duration(gapRangeMs[1])}`}
          , and term, election, catch-up and start are not known.
        </p>
      )}
      {source === 'followed' && (
        <p>
          {to} tells nothing of what it does. A conductor that follows it told when it came to lead and when its blocks
          were committed, so catch-up and start are not known apart.
        </p>
      )}
    </header>
  );
}

function ToldMeanwhile({ failover: { told } }: { readonly failover: Failover }): ReactElement | null {
  if (told.length === 0) return null;
  return (
    <section>
      <h3>Told meanwhile</h3>
      <Happenings lines={told} />
    </section>
  );
}

function Comparison({
  chosen,
  others,
}: {
  readonly chosen: Failover;
  readonly others: readonly Failover[];
}): ReactElement | null {
  if (others.length === 0 || chosen.gapMs === null) return null;
  const all = [chosen, ...others].toSorted((a, b) => a.atMs - b.atMs);
  const most = Math.max(...all.map(({ gapMs }) => gapMs ?? 0));
  const median = medianOf(others.map(({ gapMs }) => gapMs ?? 0));
  return (
    <section>
      <h3>Beside {others.length === 1 ? 'the other one' : `${others.length} others`}</h3>
      <ol className={styles.bars}>
        {all.map(({ id, gapMs, from, to }) => (
          <li key={id} data-chosen={id === chosen.id}>
            <span>
              {from} to {to}
            </span>
            <meter min={0} max={most} value={gapMs ?? 0} aria-label={`${from} to ${to}`} />
            <span>{duration(gapMs ?? 0)}</span>
          </li>
        ))}
      </ol>
      {others.length > 1 && <p className="wait">Their median is {duration(median)}.</p>}
    </section>
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** As the server knows them; asked again when leadership or the first block may have come. */
function useFailovers({ name, leader, term, head }: ClusterNow): readonly Failover[] | null {
  const [found, setFound] = useState<readonly Failover[] | null>(null);
  const isOpen = found?.[0]?.gapMs === null;
  const number = isOpen ? head?.number : 0;
  useEffect(() => {
    const asking = new AbortController();
    void (async () => {
      const address = `api/clusters/${encodeURIComponent(name)}/failovers`;
      const answer = await ask<readonly Failover[]>(address, asking.signal);
      if (answer !== null) setFound(answer);
    })();
    return () => asking.abort();
  }, [name, leader, term, number]);
  return found;
}
