/**
 * Three conductors in the page: the simulator, with the classes that ship, in a worker. Readers kill, freeze and cut
 * off servers, watch who leads, and share the exact moment as an address. It is loaded when the reader asks for it.
 * Keyboard, while the focus is inside: P plays and pauses, N steps to the next sentence, full stop steps 100 ms,
 * digits choose a server, the letters of the verbs act on it, I and O on all.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { EventLog } from './EventLog.tsx';
import { Controls } from './Controls.tsx';
import { Legend } from './Legend.tsx';
import { momentOf } from './link.ts';
import { Said } from './Said.tsx';
import { Timeline } from './Timeline.tsx';
import { ClusterView } from './ClusterView.tsx';
import { Transport } from './Transport.tsx';
import { useCluster } from './use-cluster.ts';
import { useWidth } from './use-width.ts';
import { clusterVerbNames, clusterVerbs, verbKeys } from './verbs.ts';
import styles from './LiveCluster.module.css';

export function LiveCluster(): ReactNode {
  const { view, send, startOver } = useCluster();
  const [chosen, setChosen] = useState<number | null>(null);
  const [box, width] = useWidth();
  const section = useRef<HTMLElement>(null);
  const { frame, refusal } = view;
  const leader = frame?.nodes.findIndex(({ role, presence }) => role === 'leader' && presence === 'up') ?? -1;
  const selected = chosen ?? Math.max(0, leader);

  // What the reader has not chosen follows the leader at first, and then stays.
  useEffect(() => {
    if (chosen === null && leader >= 0) setChosen(leader);
  }, [chosen, leader]);

  // Who follows a link to a moment wants to see it.
  useEffect(() => {
    if (momentOf(location.hash) !== null) section.current?.scrollIntoView({ block: 'start' });
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (frame === null || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement)
      return;
    const key = event.key.toLowerCase();
    const verb = verbKeys[key];
    const onAll = clusterVerbNames.find((name) => clusterVerbs[name].key === key);
    if (key === 'p') send({ kind: frame.isPlaying ? 'pause' : 'play' });
    else if (key === 'n') send({ kind: 'step', by: 'sentence' });
    else if (key === '.') send({ kind: 'step', by: 100 });
    else if (frame.nodes[Number(key) - 1] !== undefined) setChosen(Number(key) - 1);
    else if (verb !== undefined) send({ kind: 'act', verb, at: selected });
    else if (onAll !== undefined) send({ kind: 'actOnAll', verb: onAll });
    else return;
    event.preventDefault();
  };

  return (
    <section ref={section} className={styles.cluster} aria-label="Live cluster" onKeyDown={onKeyDown}>
      {frame === null ? (
        <p role="status" className={styles.forming}>
          {refusal === '' ? 'The cluster is forming.' : refusal}
        </p>
      ) : (
        <>
          <Transport frame={frame} send={send} startOver={startOver} />
          {refusal !== '' && <p role="alert">{refusal}</p>}
        </>
      )}
      <div ref={box}>
        {frame !== null && width > 0 && (
          <>
            <ClusterView frame={frame} strokes={view.strokes} width={width} selected={selected} onSelect={setChosen} />
            <Said sentences={view.sentences} />
            <Controls frame={frame} selected={selected} onSelect={setChosen} send={send} />
            <Timeline frame={frame} width={width} />
            <Legend />
            <EventLog frame={frame} sentences={view.sentences} />
          </>
        )}
      </div>
      {frame === null && refusal !== '' && (
        <button type="button" className={styles.again} onClick={startOver}>
          Start a new cluster
        </button>
      )}
    </section>
  );
}
