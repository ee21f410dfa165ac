/** All clusters that the console watches, and their history, for the pages. */
import { ClusterConfigError, type ClusterConfig } from '#conductor/operate/cluster-config';
import type { ActRequest } from './act-commands.ts';
import { Acts } from './acts.ts';
import { ClusterWatch } from './cluster-watch.ts';
import { wordsOf } from './event-words.ts';
import { askEveryMs, followedClusters } from './follow-budget.ts';
import { failoversOf } from './failovers.ts';
import type { History, StoredBlock } from './history.ts';
import { PageStreams } from './page-stream.ts';
import type { ClusterNow, ClusterWindow, Failover, Plan, SeenBlock } from './protocol.ts';

/** A stretch with more blocks is told by its pauses alone. */
const blocksMax = 4000;
/** Cells in which the lateness of blocks is told then. */
const cellsMax = 1500;
/** Kinds that are marks and lines; the rest is in the lanes, or follows from them. */
const quiet: ReadonlySet<string> = new Set(['confirmed', 'leader']);
const happeningsMax = 2000;
/** How far back failovers are looked for, and how many are told. */
const failoverMs = 7 * 24 * 3600 * 1000;
const failoversMax = 50;
const thinMs = 10 * 60_000;

/** Who did what, for the log. */
export type Audit = (action: string, fields: Readonly<Record<string, unknown>>) => void;

export class Watches {
  readonly streams: PageStreams;
  readonly #history: History;
  readonly #acts: Acts;
  readonly #watches = new Map<string, ClusterWatch>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Throws ClusterConfigError for two clusters of one name, and where credentials cannot be read. */
  constructor(configs: readonly ClusterConfig[], history: History, audit: Audit = () => undefined) {
    this.#history = history;
    this.#acts = new Acts({
      audit,
      changed: (cluster) => this.streams.changed(cluster),
      happened: (cluster, text) => this.#watches.get(cluster)?.note(text),
    });
    this.streams = new PageStreams({
      clusters: () => this.clusters(),
      cluster: (name) => this.#watches.get(name)?.now() ?? null,
    });
    const followed = followedClusters(configs, process.env);
    for (const config of configs) {
      const { name: cluster } = config;
      if (this.#watches.has(cluster)) throw new ClusterConfigError(`two clusters are called ${cluster}`);
      const watch = new ClusterWatch({
        config,
        history,
        isFollowed: followed.has(cluster),
        askEveryMs: askEveryMs(configs),
        act: () => this.#acts.of(cluster),
        changed: () => this.streams.changed(cluster),
        happened: (happening) => {
          if (!quiet.has(happening.kind)) this.streams.send('happening', { ...happening, cluster });
        },
        sawBlock: (block) => this.streams.send('block', { cluster, block: seenBlock(block) }),
        laneChanged: (change) => this.streams.send('lane', { ...change, cluster }),
      });
      this.#watches.set(cluster, watch);
    }
    this.#timer = setInterval(() => history.thin(Date.now()), thinMs).unref();
  }

  start(): void {
    for (const watch of this.#watches.values()) watch.start();
  }

  clusters(): ClusterNow[] {
    return [...this.#watches.values()].map((watch) => watch.now());
  }

  /** A stretch of a cluster's history; null for a name that is none. */
  window(cluster: string, fromMs: number, toMs: number): ClusterWindow | null {
    const watch = this.#watches.get(cluster);
    if (watch === undefined) return null;
    const counted = this.#history.blockCount(cluster, fromMs, toMs);
    const isRun = counted !== null && counted.count > blocksMax;
    const { blockMs, zeroMs } = watch;
    const cellMs = Math.max(blockMs, Math.ceil((toMs - fromMs) / cellsMax));
    const run = isRun
      ? {
          fromMs: counted.fromMs,
          toMs: counted.toMs,
          pauses: this.#history.pauses(cluster, fromMs, toMs),
          cellMs,
          late: zeroMs === null ? [] : this.#history.late(cluster, { fromMs, toMs, cellMs, blockMs, zeroMs }),
        }
      : null;
    const told = isRun
      ? []
      : [...this.#history.blockBefore(cluster, fromMs), ...this.#history.blocks(cluster, fromMs, toMs)];
    const blocks = told.map(seenBlock);
    const happenings = this.#history
      .events(cluster, fromMs, toMs)
      .filter(({ kind }) => !quiet.has(kind))
      .slice(-happeningsMax)
      .map((event) => ({ atMs: event.atMs, server: event.server, kind: event.kind, text: wordsOf(event) }));
    return { fromMs, toMs, lanes: this.#history.lanes(cluster, fromMs, toMs), blocks, run, happenings };
  }

  /** The newest first; null for a name that is none. */
  failovers(cluster: string): Failover[] | null {
    const watch = this.#watches.get(cluster);
    if (watch === undefined) return null;
    const toMs = Date.now();
    const events = this.#history.events(cluster, toMs - failoverMs, toMs);
    const elections = events.filter(({ kind, data }) => kind === 'role' && data['role'] === 'leader');
    const newest = elections.slice(-failoversMax - 1);
    const own = events.filter(({ atMs }) => atMs >= (newest[0]?.atMs ?? toMs));
    const blocks = this.#history.blocksAround(
      cluster,
      newest.map(({ atMs }) => atMs),
    );
    return failoversOf(own, blocks, watch.blockMs).toReversed();
  }

  /** Silences an alarm of a cluster; false for a name that is none. */
  silence(
    cluster: string,
    given: { readonly text: string; readonly reason: string; readonly name: string; readonly hours: number },
  ): boolean {
    if (!this.#watches.has(cluster)) return false;
    this.#history.silence(cluster, given.text, given.reason, given.name, Date.now() + given.hours * 3_600_000);
    this.streams.changed(cluster);
    return true;
  }

  /** What the operators' tool would do; null for a name that is none. */
  async plan(cluster: string, request: ActRequest): Promise<Plan | null> {
    const watch = this.#watches.get(cluster);
    return watch === undefined ? null : this.#acts.plan(watch.target, request);
  }

  /** Begins a change; why not, as a sentence, else null. */
  act(cluster: string, request: ActRequest, name: string): string | null {
    const watch = this.#watches.get(cluster);
    return watch === undefined ? 'there is no such cluster' : this.#acts.begin(watch.target, request, name);
  }

  /** Lets a change end early; false where none is under way that could. */
  interrupt(cluster: string, name: string): boolean {
    return this.#acts.interrupt(cluster, name);
  }

  /** Interrupts the changes that are under way, once more with each call; resolves when they have ended. */
  async endChanges(): Promise<void> {
    await this.#acts.close();
  }

  counts(): { readonly clusters: number; readonly servers: number; readonly streamed: number; readonly bytes: number } {
    const servers = this.clusters().flatMap((cluster) => cluster.servers);
    return {
      clusters: this.#watches.size,
      servers: servers.length,
      streamed: servers.filter(({ source }) => source === 'stream').length,
      bytes: this.#history.bytes,
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.streams.close();
    for (const watch of this.#watches.values()) watch.close();
    this.#history.close();
  }
}

function seenBlock({ number, atMs, spreadMs = 0 }: StoredBlock): SeenBlock {
  return spreadMs === 0 ? [number, atMs] : [number, atMs, spreadMs];
}
