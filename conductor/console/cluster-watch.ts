/**
 * Watches one cluster: follows the events of its conductors, asks all of them now and then as the operators' tool does,
 * keeps what happened, and tells how things are. Conductors that publish no events are only asked, oftener.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterConfig, ServerConfig } from '#conductor/operate/cluster-config';
import { describeCluster, troubles } from '#conductor/operate/cluster-summary';
import type { ClusterView } from '#conductor/operate/cluster-view';
import { openCluster, type ClusterAccess } from '#conductor/operate/observe';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';
import { AskedChanges, followedElection } from './asked-changes.ts';
import { ChainWatch } from './chain-watch.ts';
import { CertificateWatch, whyOneZone, whyRenewing } from './certificates.ts';
import { followEvents, type StreamedEvent } from './event-source.ts';
import { wordsOf } from './event-words.ts';
import type { History, StoredBlock, StoredEvent } from './history.ts';
import type { Act, ClusterNow, Happening, LaneChange } from './protocol.ts';
import { ServerWatch } from './server-watch.ts';
import { Troubles } from './troubles.ts';

/** Between two looks where all publish events. */
const lookMs = 6000;
/** After an event that changes who is what, a look follows this soon. */
const lookSoonMs = 150;

export interface ClusterWatchOptions {
  readonly config: ClusterConfig;
  readonly history: History;
  /** Whether events are followed; else servers are only asked. */
  readonly isFollowed: boolean;
  /** Between two looks where somebody has to be asked, milliseconds. */
  readonly askEveryMs: number;
  /** The change from a page that is under way, or the last one. */
  act(): Act | null;
  /** Something of `now()` has changed. */
  changed(): void;
  happened(happening: Happening): void;
  sawBlock(block: StoredBlock): void;
  laneChanged(change: LaneChange): void;
}

export class ClusterWatch {
  readonly name: string;
  readonly #options: ClusterWatchOptions;
  readonly #access: ClusterAccess;
  readonly #chain: ChainWatch;
  readonly #servers: readonly ServerWatch[];
  readonly #troubles = new Troubles();
  readonly #ending = new AbortController();
  #lookSoon: (() => void) | null = null;
  #view: ClusterView | null = null;
  readonly #asked: AskedChanges;
  /** When the last look began; null before the first. */
  #lookedAtMs: number | null = null;
  readonly #certificates: CertificateWatch;

  /** Throws ClusterConfigError when credentials cannot be read. */
  constructor(options: ClusterWatchOptions) {
    const { config, history } = options;
    this.#options = options;
    this.name = config.name;
    this.#access = openCluster(config);
    this.#certificates = new CertificateWatch(config.servers);
    this.#asked = new AskedChanges(config.name, history.leader(config.name));
    this.#chain = new ChainWatch({
      cluster: config.name,
      history,
      sawBlock: (block) => {
        options.sawBlock(block);
        options.changed();
      },
    });
    this.#servers = config.servers.map(
      (server) =>
        new ServerWatch({
          id: server.id,
          zone: server.zone ?? '',
          laneChanged: (change) => {
            history.lane(config.name, change);
            options.laneChanged(change);
            options.changed();
          },
        }),
    );
  }

  /** Watches until `close`. */
  start(): void {
    const { signal } = this.#ending;
    if (this.#options.isFollowed)
      for (const [at, server] of this.#options.config.servers.entries())
        void this.#follow(server, this.#servers[at]!, signal);
    void this.#lookAgainAndAgain(signal);
  }

  close(): void {
    this.#ending.abort();
    this.#lookSoon?.();
    this.#keepCursors();
  }

  /** As things are. */
  now(): ClusterNow {
    const atMs = Date.now();
    const leading = this.#servers.filter(({ state }) => state.role === 'leader');
    const leader = leading.toSorted((a, b) => (b.roleSinceMs ?? 0) - (a.roleSinceMs ?? 0))[0] ?? null;
    const view = this.#view;
    const silences = this.#options.history.silences(this.name, atMs);
    return {
      name: this.name,
      atMs,
      lookedAtMs: view?.atMs ?? null,
      leader: leader?.id ?? null,
      leaderSinceMs: leader?.roleSinceMs ?? null,
      term: leader?.term ?? null,
      blockMs: this.blockMs,
      zeroMs: this.zeroMs,
      head: this.#chain.head,
      servers: this.#servers.map((server, at) => server.row(this.#certificates.endMs(at))),
      summary: view === null ? 'not looked at yet' : describeCluster(view),
      troubles: this.#troubles.list(silences),
      strip: this.#chain.strip,
      act: this.#options.act(),
    };
  }

  /** What the operators' tool needs to change it. */
  get target(): { readonly config: ClusterConfig; readonly access: ClusterAccess } {
    return { config: this.#options.config, access: this.#access };
  }

  /** Keeps a sentence about what was done from here. */
  note(text: string): void {
    const atMs = Date.now();
    this.#keep({ cluster: this.name, server: '', atMs, kind: 'act', data: { text } }, `console-act-${atMs}-${text}`);
  }

  get blockMs(): number {
    return this.#chain.blockMs;
  }

  get zeroMs(): number | null {
    return this.#chain.zeroMs;
  }

  async #follow(config: ServerConfig, server: ServerWatch, signal: AbortSignal): Promise<void> {
    const endpoint = new RpcEndpoint(config.conductor, config.credentials);
    await followEvents(
      {
        endpoint,
        lastId: this.#options.history.cursor(this.name, config.id),
        onState: (source) => {
          server.source = source;
          server.isStreaming = source === 'stream';
          this.#options.changed();
        },
        onBreak: () => {
          server.isStreaming = false;
          this.#lookNow();
        },
        onEvent: (event) => this.#take(event, server),
      },
      signal,
    );
  }

  #take({ data, kind, id }: StreamedEvent, server: ServerWatch): void {
    const { atMs, server: name } = data;
    if (typeof atMs !== 'number' || typeof name !== 'string') return;
    if (kind === 'hello') return server.greet(name, data);
    server.cursor = id;
    if (kind === 'commit') {
      if (!Number.isSafeInteger(data['number']) || !Number.isSafeInteger(data['timestamp'])) return;
      this.#chain.learnFromStamp(Number(data['number']), Number(data['timestamp']));
      return this.#chain.committed(Number(data['number']), String(data['hash']), atMs);
    }
    const event = { cluster: this.name, server: server.id, atMs, kind, data };
    this.#keep(event, id);
    if (kind === 'leader') this.#heardOfLeader(event);
    if (kind === 'role' && data['role'] === 'leader')
      for (const other of this.#servers) if (other !== server) other.overtaken(Number(data['term']), atMs);
    if (server.take(kind, data, atMs)) this.#lookNow();
    if (kind === 'alarm') this.#troubles.alarm(String(data['alarm']), server.id, atMs);
  }

  /** Of a leader that publishes nothing, those who follow it tell. */
  #heardOfLeader(event: StoredEvent): void {
    const leader = this.#servers.find(({ id, source }) => id === event.data['leader'] && source !== 'stream');
    if (leader !== undefined) this.#keep(...followedElection(event, leader.id));
  }

  /** Writes an event down and tells of it, unless it was known. */
  #keep(event: StoredEvent, source: string): void {
    if (!this.#options.history.event(event, source)) return;
    const { server, atMs, kind } = event;
    this.#options.happened({ server, atMs, kind, text: wordsOf(event) });
  }

  async #lookAgainAndAgain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const beganMs = Date.now();
      const view = await this.#access.observe();
      if (signal.aborted) return;
      await this.#chain.learnBlockTime(view, this.#access);
      this.#look(view, beganMs);
      const isStreamed = this.#servers.every(({ source }) => source === 'stream');
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#lookSoon = resolve;
      const timer = sleep(
        isStreamed ? Math.max(lookMs, this.#options.askEveryMs) : this.#options.askEveryMs,
        undefined,
        { signal, ref: false },
      ).catch(() => undefined);
      await Promise.race([promise.then(() => sleep(lookSoonMs)), timer]);
      this.#lookSoon = null;
    }
  }

  #lookNow(): void {
    this.#lookSoon?.();
  }

  /** What was told while the look was under way counts more than the look. */
  #look(view: ClusterView, beganMs: number): void {
    this.#view = view;
    for (const [at, seen] of view.servers.entries()) {
      const server = this.#servers[at]!;
      const told = server.look(view, seen, beganMs);
      if (told !== null)
        this.#keep({ cluster: this.name, server: server.id, ...told }, `console-${told.kind}-${told.atMs}`);
    }
    this.#poll(view);
    this.#lookedAtMs = beganMs;
    this.#troubles.set([...troubles(view), ...this.#furtherTroubles(view)], view.atMs);
    void this.#certificates.look(view.atMs).then((isNew) => isNew && this.#options.changed());
    if (this.#chain.drawStrip(view.atMs)) this.#keepCursors();
    this.#options.changed();
  }

  /** What the operators' tool does not look at. */
  #furtherTroubles(view: ClusterView): string[] {
    const renewing = this.#servers.map(({ id }, at) => whyRenewing(id, this.#certificates.endMs(at), view.atMs));
    return [...renewing, whyOneZone(view)].filter((text) => text !== null);
  }

  /** What streams do not tell: of servers that have none, and of a chain that goes on without those that do. */
  #poll(view: ClusterView): void {
    const streaming = this.#servers.filter(({ isStreaming }) => isStreaming);
    // Streams begin with what happened before the first look.
    const isFirst = this.#lookedAtMs === null;
    if (!isFirst || !this.#options.isFollowed) this.#chain.found(view, this.#lookedAtMs, streaming.length > 0);
    const streamed = new Set(this.#servers.filter(({ source }) => source === 'stream').map(({ id }) => id));
    if (streamed.size === this.#servers.length) return;
    const told = new Set(streaming.map(({ follows }) => follows));
    const found = this.#asked.advance({ view, streamed, told, blockMs: this.blockMs }, this.#lookedAtMs);
    for (const [event, source] of found) this.#keep(event, source);
  }

  #keepCursors(): void {
    for (const [at, { cursor }] of this.#servers.entries()) {
      if (cursor !== '') this.#options.history.setCursor(this.name, this.#options.config.servers[at]!.id, cursor);
    }
  }
}
