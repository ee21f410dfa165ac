/**
 * A stretch of a cluster's history that covers what is looked at: asked of the server where it is missing, and gone on
 * with what the stream tells.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ClusterNow, ClusterWindow, StreamMessages } from '../../conductor/console/protocol.ts';
import { ask } from './ask.ts';
import { withBlock } from './late-cells.ts';
import { useMessages } from './live.ts';

/** Pauses of a drag are waited for before the server is asked, milliseconds. */
const SETTLE_MS = 120;
/** What is kept of a stretch that goes on and on. */
const KEPT_MAX = 20_000;

export function useWindow(now: ClusterNow, fromMs: number, toMs: number): ClusterWindow | null {
  const { name: cluster, blockMs, zeroMs } = now;
  const [held, setHeld] = useState<ClusterWindow | null>(null);
  const latest = useRef(held);
  latest.current = held;
  const isCovered = held !== null && held.fromMs <= fromMs && (held.toMs >= toMs || held.toMs > Date.now() - 5000);
  const isFine = held === null || held.run === null || toMs - fromMs > (held.toMs - held.fromMs) / 3;
  useEffect(() => {
    if (isCovered && isFine) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(
      async () => {
        const span = toMs - fromMs;
        const address = `api/clusters/${encodeURIComponent(cluster)}/window?from=${Math.floor(fromMs - span)}&to=${Math.ceil(toMs + span)}`;
        const answer = await ask<ClusterWindow>(address, asking.signal);
        if (answer !== null) setHeld(answer);
      },
      held === null ? 0 : SETTLE_MS,
    );
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
    // What is looked at moves on all the time: asked is by whether it is covered.
  }, [cluster, isCovered, isFine, Math.floor(fromMs / Math.max(1000, toMs - fromMs))]);
  const take = useCallback(
    <Name extends keyof StreamMessages>(name: Name, data: StreamMessages[Name]): void => {
      const known = latest.current;
      if (known === null || name === 'clusters' || (data as { cluster: string }).cluster !== cluster) return;
      const next = withNews(known, name, data as never, { blockMs, zeroMs });
      latest.current = next;
      setHeld(next);
    },
    [cluster, blockMs, zeroMs],
  );
  useMessages(take);
  return held;
}

type News = Exclude<keyof StreamMessages, 'clusters'>;

function withNews(
  held: ClusterWindow,
  name: News,
  data: StreamMessages[News],
  { blockMs, zeroMs }: Pick<ClusterNow, 'blockMs' | 'zeroMs'>,
): ClusterWindow {
  if (name === 'block') {
    const { block } = data as StreamMessages['block'];
    const [number, atMs] = block;
    const toMs = Math.max(held.toMs, atMs);
    const { run } = held;
    if (run === null) return { ...held, toMs, blocks: [...held.blocks, block].slice(-KEPT_MAX) };
    const isLate = atMs - run.toMs >= 1.9 * blockMs;
    const pauses = isLate ? [...run.pauses, [run.toMs, atMs] as const] : run.pauses;
    const late = zeroMs === null ? run.late : withBlock(run, atMs, atMs - zeroMs - number * blockMs);
    return { ...held, toMs, run: { ...run, pauses, late, toMs: Math.max(run.toMs, atMs) } };
  }
  if (name === 'lane') {
    const { server, atMs, state } = data as StreamMessages['lane'];
    const lanes = [...held.lanes, { server, atMs, state }].toSorted((a, b) => a.atMs - b.atMs);
    return { ...held, toMs: Math.max(held.toMs, atMs), lanes: lanes.slice(-KEPT_MAX) };
  }
  const { server, atMs, kind, text } = data as StreamMessages['happening'];
  const happenings = [...held.happenings, { server, atMs, kind, text }].toSorted((a, b) => a.atMs - b.atMs);
  return { ...held, toMs: Math.max(held.toMs, atMs), happenings: happenings.slice(-KEPT_MAX) };
}
