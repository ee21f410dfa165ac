/**
 * The cluster of the front page: three servers, and one verb. Whoever pressed “Kill the leader” sees the leader killed, another
 * one elected, and how long the chain was silent. The killed server comes back by itself, so that it can be done again; after the
 * end of a run, in a new cluster.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ClusterView } from '../live-cluster/ClusterView.tsx';
import { send, startOver, useClusterView } from '../live-cluster/page-cluster.ts';
import type { Frame } from '../live-cluster/protocol.ts';
import { Said } from '../live-cluster/Said.tsx';
import { useWidth } from '../live-cluster/use-width.ts';
import { gapAround } from './gap.ts';
import styles from './HomeCluster.module.css';

/** How long the cluster is seen whole before the first kill, virtual milliseconds. */
const WHOLE_MS = 700;
/** How long after a kill its server comes back. */
const BACK_MS = 4000;

interface Kill {
  readonly at: number;
  readonly atMs: number;
}

export function HomeCluster(): ReactNode {
  const { frame, strokes, sentences, refusal } = useClusterView();
  const [box, width] = useWidth();
  const [kill, killLeader] = useKills(frame);
  const gap = frame === null || kill === null ? null : gapAround(kill.atMs, frame.blocks, frame.nowMs);
  const hasEnded = frame !== null && frame.ended !== null;
  const isWhole = frame?.nodes.every(({ presence }) => presence === 'up') === true;
  return (
    <section aria-label="A cluster of three servers" className={styles.home} data-home-cluster>
      <div ref={box} className={styles.stage}>
        {frame === null && <p role="status">{refusal === '' ? 'The cluster is forming.' : refusal}</p>}
        {frame !== null && width > 0 && (
          <ClusterView frame={frame} strokes={strokes} width={width} selected={-1} onSelect={() => undefined} />
        )}
      </div>
      <Said sentences={sentences} />
      <div className={styles.score}>
        <button type="button" disabled={!hasEnded && (!isWhole || leaderOf(frame) === -1)} onClick={killLeader}>
          Kill the leader
        </button>
        <strong data-gap={gap?.isOver}>{gap === null ? '…' : `${(gap.ms / 1000).toFixed(2)} s`}</strong>
        <span>{sentenceOf(gap)}</span>
      </div>
    </section>
  );
}

/** The latest kill, and how to do the next. The first one is what the reader has pressed already. */
function useKills(frame: Frame | null): readonly [Kill | null, () => void] {
  const [kill, setKill] = useState<Kill | null>(null);
  const hasReturned = useRef(false);
  const killLeader = (): void => {
    if (frame !== null && frame.ended !== null) return startOver();
    const at = leaderOf(frame);
    if (frame === null || at === -1) return;
    hasReturned.current = false;
    setKill({ at, atMs: frame.nowMs });
    send({ kind: 'act', verb: 'kill', at });
  };
  useEffect(() => {
    if (frame === null || frame.ended !== null) return;
    if (kill !== null && frame.nowMs < kill.atMs) return setKill(null);
    if (kill === null && frame.nowMs >= WHOLE_MS) killLeader();
    if (kill === null || hasReturned.current || frame.nowMs < kill.atMs + BACK_MS) return;
    hasReturned.current = true;
    // The same verb takes it back.
    send({ kind: 'act', verb: 'kill', at: kill.at });
  });
  return [kill, killLeader];
}

function leaderOf(frame: Frame | null): number {
  return frame?.nodes.findIndex(({ role, presence }) => role === 'leader' && presence === 'up') ?? -1;
}

function sentenceOf(gap: ReturnType<typeof gapAround>): string {
  if (gap === null) return 'A block per second.';
  if (!gap.isOver) return 'since the last block. The others vote.';
  const missed = gap.missed === 0 ? 'no height missed' : `${gap.missed} heights missed`;
  return `from block to block, where one second is the rule: ${missed}.`;
}
