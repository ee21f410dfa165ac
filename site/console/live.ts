/**
 * What the server tells, as a store for React: all clusters as they are, and those who want to hear of blocks, marks
 * and lanes as they come. One stream for the whole page, opened again when it breaks.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ClusterNow, Session, StreamMessages } from '../../conductor/console/protocol.ts';

export type Connection = 'opening' | 'open' | 'broken' | 'shut';

export interface Live {
  readonly connection: Connection;
  readonly session: Session | null;
  readonly clusters: readonly ClusterNow[];
}

type Listener = <Name extends keyof StreamMessages>(name: Name, data: StreamMessages[Name]) => void;

let live: Live = { connection: 'opening', session: null, clusters: [] };
const watchers = new Set<() => void>();
const listeners = new Set<Listener>();

function set(change: Partial<Live>): void {
  live = { ...live, ...change };
  for (const watcher of watchers) watcher();
}

/** Opens the stream, once. */
export async function begin(): Promise<void> {
  const response = await fetch('api/session').catch(() => null);
  if (response === null) {
    set({ connection: 'broken' });
    setTimeout(() => void begin(), 2000);
    return;
  }
  if (!response.ok) return set({ connection: 'shut' });
  set({ session: (await response.json()) as Session });
  const source = new EventSource('api/stream');
  source.addEventListener('open', () => set({ connection: 'open' }));
  source.addEventListener('error', () => {
    set({ connection: 'broken' });
    // The browser gives up where it was refused: a console that has started anew knows no session.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => void begin(), 2000);
  });
  for (const name of ['clusters', 'happening', 'block', 'lane'] as const) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => take(name, JSON.parse(data) as never));
  }
}

function take<Name extends keyof StreamMessages>(name: Name, data: StreamMessages[Name]): void {
  if (name === 'clusters') {
    const changed = new Map((data as StreamMessages['clusters']).map((one) => [one.name, one]));
    const kept = live.clusters.map((one) => changed.get(one.name) ?? one);
    const known = new Set(live.clusters.map((one) => one.name));
    set({ clusters: [...kept, ...[...changed.values()].filter((one) => !known.has(one.name))] });
  }
  for (const listener of listeners) listener(name, data);
}

export function useLive(): Live {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => live,
  );
}

/** Hears every message while it is mounted; `listener` must be stable. */
export function useMessages(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

/** The time, as often as given. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Sends what changes something; throws with the server's sentence. */
export async function post(path: string, body: unknown): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-console-proof': live.session?.proof ?? '' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}
