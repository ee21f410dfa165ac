/** The worker that carries out the run, for as long as the component that asked for it is there. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { emptyView, withReply, type ClusterView } from './cluster-view.ts';
import { fragmentOf, momentOf, type Moment } from './link.ts';
import type { Command, Frame, Reply } from './protocol.ts';

/** Seeds of clusters that nobody has asked for. */
const SEED_MAX = 999_999;
const FAILED = 'The simulator could not be loaded, or has failed. Check the connection, then start a new cluster.';

function newMoment(): Moment {
  const [number = 1] = crypto.getRandomValues(new Uint32Array(1));
  // With the engine API: blocks are executed before they are committed.
  return { run: `v1~seed-${1 + (number % SEED_MAX)}.engine-1`, afterMs: 0, trace: '' };
}

export interface Cluster {
  readonly view: ClusterView;
  send(command: Command): void;
  /** A cluster that nobody has seen; after a failure the worker is loaded anew, and what the address names is opened. */
  startOver(): void;
}

/** Opens what the address names, paused at that moment; else a new cluster, which runs. */
export function useCluster(): Cluster {
  const [view, setView] = useState<ClusterView>(emptyView);
  const worker = useRef<Worker | null>(null);
  const hasFailed = useRef(false);
  const [attempt, setAttempt] = useState(1);
  const send = useCallback((command: Command) => {
    // A new command makes an old refusal no news.
    setView((before) => (before.refusal === '' ? before : { ...before, refusal: '' }));
    worker.current?.postMessage(command);
  }, []);
  const open = useCallback(
    (moment: Moment, isPlaying: boolean) => {
      setView(emptyView);
      send({ kind: 'open', ...moment, isPlaying });
    },
    [send],
  );

  useEffect(() => {
    const started = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
    worker.current = started;
    hasFailed.current = false;
    started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.kind === 'ready') openFirst();
      else setView((before) => withReply(before, data, performance.now()));
    });
    started.addEventListener('error', () => {
      hasFailed.current = true;
      setView({ ...emptyView, refusal: FAILED });
    });
    const openFirst = (): void => {
      const named = momentOf(location.hash);
      open(named ?? newMoment(), named === null);
    };
    const follow = (): void => {
      const other = momentOf(location.hash);
      if (other !== null) open(other, false);
    };
    // Nobody watches a page that cannot be seen.
    const rest = (): void => {
      if (document.hidden) send({ kind: 'pause' });
    };
    addEventListener('hashchange', follow);
    document.addEventListener('visibilitychange', rest);
    return () => {
      document.removeEventListener('visibilitychange', rest);
      removeEventListener('hashchange', follow);
      started.terminate();
    };
  }, [open, send, attempt]);

  // The address names the last moment that anything was done, and where it was paused.
  const { frame } = view;
  const fragment = frame === null || frame.isReplaying ? '' : fragmentOf(momentOfFrame(frame));
  useEffect(() => {
    if (fragment !== '') history.replaceState(history.state, '', fragment);
  }, [fragment]);

  const startOver = useCallback(() => {
    if (hasFailed.current) setAttempt((number) => number + 1);
    else open(newMoment(), true);
  }, [open]);
  return { view, send, startOver };
}

function momentOfFrame({ run, afterMs, hash, isPlaying }: Frame): Moment {
  return isPlaying ? { run, afterMs: 0, trace: '' } : { run, afterMs, trace: hash };
}
