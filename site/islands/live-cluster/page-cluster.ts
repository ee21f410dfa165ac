/**
 * The cluster of a page, behind all the “Run it” of a reference or on the front page: one worker, started by the first
 * island that asks, for as long as the page is there. Islands read what it shows, act, and have calls answered.
 */
import { useSyncExternalStore } from 'react';
import { emptyView, withReply, type ClusterView } from './cluster-view.ts';
import type { Command, PortAnswer, PortCall, Reply } from './protocol.ts';

/** A cluster like any other; calls are in no link, so nobody asks for this one again. */
const RUN = 'v1~seed-1.engine-1';
const FAILED = 'The simulator could not be loaded, or has failed. Check the connection, then load the page anew.';

interface Session {
  readonly worker: Worker;
  view: ClusterView;
}

let session: Session | null = null;
let nextId = 1;
const listeners = new Set<() => void>();
const waiting = new Map<number, (answer: PortAnswer) => void>();

/** What the cluster of the page shows now. The first who asks starts it. */
export function useClusterView(): ClusterView {
  return useSyncExternalStore(listen, () => session?.view ?? emptyView);
}

/** Posts to the port of a server; answered when the server has. */
export function callPort(call: Omit<PortCall, 'id'>): Promise<PortAnswer> {
  const id = nextId++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ kind: 'call', id, ...call });
  });
}

/** A new cluster in place of one that is spoilt. */
export function startOver(): void {
  send({ kind: 'open', run: RUN, afterMs: 0, trace: '', isPlaying: true });
}

/** Does something in the cluster, once there is one. */
export function send(command: Command): void {
  session?.worker.postMessage(command);
}

function listen(changed: () => void): () => void {
  session ??= start();
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function start(): Session {
  const worker = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
  const started: Session = { worker, view: emptyView };
  const show = (view: ClusterView): void => {
    started.view = view;
    for (const changed of listeners) changed();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if (data.kind === 'ready') startOver();
    else if (data.kind === 'answer') answered(data);
    else show(withReply(started.view, data, performance.now()));
  });
  worker.addEventListener('error', () => show({ ...emptyView, refusal: FAILED }));
  // Nobody watches a page that cannot be seen.
  document.addEventListener('visibilitychange', () => send({ kind: document.hidden ? 'pause' : 'play' }));
  return started;
}

function answered(answer: PortAnswer): void {
  const resolve = waiting.get(answer.id);
  waiting.delete(answer.id);
  resolve?.(answer);
}
