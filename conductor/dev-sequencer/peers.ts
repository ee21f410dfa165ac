/**
 * The other development sequencers: gossip to them (with loss and delay on demand), a watch on who
 * is there, and the fetching of missed blocks by range, which stands for execution clients' p2p.
 * A block whose gossip was dropped is served to nobody until a later one was sent.
 */
import { blockFromEnvelope, type DevBlock } from './block.ts';
import type { Faults } from './faults.ts';
import { callRpc } from './json-rpc-client.ts';
import type { NodeLog } from './node-log.ts';
import type { UnsafeChain } from './unsafe-chain.ts';

/** Milliseconds between two looks at a peer, and until it may be silent before it counts as gone. */
const WATCH_EVERY_MS = 500;
const SILENT_MS_MAX = 2_000;
/** Milliseconds a look, a gossip message, and a range request may take. */
const WATCH_TIMEOUT_MS = 1_000;
const GOSSIP_TIMEOUT_MS = 5_000;
const RANGE_TIMEOUT_MS = 15_000;
/** Blocks asked for at once, and characters of JSON sent in one answer. */
export const RANGE_BLOCKS_MAX = 128;
export const RANGE_CHARACTERS_MAX = 16 * 1024 * 1024;
/** Gossip messages on their way to one peer; more are lost. */
const IN_FLIGHT_MAX = 64;

/** What a peer says of itself (dev_peerStatus). */
export interface PeerStatus {
  readonly genesis: string;
  /** Highest block it may serve. */
  readonly number: number;
}

/** What the peers module needs. */
export interface PeersOptions {
  readonly urls: readonly string[];
  readonly genesisHash: string;
  readonly chain: UnsafeChain;
  readonly faults: Faults;
  readonly log: NodeLog;
}

interface Peer {
  readonly url: string;
  lastSeenMs: number;
  number: number;
  inFlight: number;
}

/** Started by its constructor, ended by `close`. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers: Peer[];
  readonly #timer: ReturnType<typeof setInterval>;
  #isSyncing = false;
  /** Lowest own block nobody was told of; null when there is none. */
  #withheldFrom: number | null = null;
  #headSeenByWatch = -1;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#peers = options.urls.map((url) => ({ url, lastSeenMs: -Infinity, number: 0, inFlight: 0 }));
    this.#timer = setInterval(() => this.#watch(), WATCH_EVERY_MS);
    this.#watch();
  }

  /** How many peers are connected. */
  get connected(): number {
    return this.connectedUrls.length;
  }

  get known(): number {
    return this.#peers.length;
  }

  /** URLs of the peers that answered lately; none while they are hidden by a fault. */
  get connectedUrls(): string[] {
    if (this.#options.faults.hidesPeers) return [];
    const now = performance.now();
    return this.#peers.filter((peer) => now - peer.lastSeenMs < SILENT_MS_MAX).map((peer) => peer.url);
  }

  /** Highest block that may be served to peers. */
  get announced(): number {
    const head = this.#options.chain.head.number;
    return this.#withheldFrom === null ? head : Math.min(head, this.#withheldFrom - 1);
  }

  /** Sends an own block to everybody, unless a fault drops it. Returns at once. */
  gossip(block: DevBlock): void {
    const { faults, log } = this.#options;
    if (faults.gossipDropsLeft > 0) {
      faults.gossipDropsLeft -= 1;
      this.#withheldFrom ??= block.number;
      log('warn', 'gossip dropped on demand', { number: block.number, hash: block.hash });
      return;
    }
    this.#withheldFrom = null;
    for (const peer of this.#peers) {
      if (Math.random() >= faults.gossipLoss && peer.inFlight < IN_FLIGHT_MAX) void this.#sendTo(peer, block);
    }
  }

  /** Stops watching. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #sendTo(peer: Peer, block: DevBlock): Promise<void> {
    peer.inFlight += 1;
    try {
      if (this.#options.faults.gossipDelayMs > 0) await Bun.sleep(this.#options.faults.gossipDelayMs);
      await callRpc({ url: peer.url, timeoutMs: GOSSIP_TIMEOUT_MS }, 'dev_gossip', [JSON.parse(block.text)]);
    } catch (error) {
      this.#options.log('debug', 'gossip did not arrive', { peer: peer.url, err: error });
    } finally {
      peer.inFlight -= 1;
    }
  }

  #watch(): void {
    for (const peer of this.#peers) void this.#lookAt(peer);
    const { chain, faults } = this.#options;
    const isMoving = chain.head.number !== this.#headSeenByWatch && chain.lowestWaiting === null;
    this.#headSeenByWatch = chain.head.number;
    const ahead = this.#peers.find((peer) => peer.number > chain.head.number);
    if (ahead !== undefined && !isMoving && !this.#isSyncing && !faults.isPeerSyncOff && !faults.isHeadStalled) {
      void this.#syncFrom(ahead);
    }
  }

  async #lookAt(peer: Peer): Promise<void> {
    try {
      const status = await callRpc({ url: peer.url, timeoutMs: WATCH_TIMEOUT_MS }, 'dev_peerStatus');
      const { genesis, number } = status as Partial<PeerStatus>;
      if (genesis === this.#options.genesisHash && Number.isSafeInteger(number)) {
        peer.lastSeenMs = performance.now();
        peer.number = number as number;
      }
    } catch {
      peer.number = 0; // Gone or slow; lastSeenMs says for how long.
    }
  }

  async #syncFrom(peer: Peer): Promise<void> {
    const { chain, log, faults } = this.#options;
    this.#isSyncing = true;
    try {
      while (peer.number > chain.head.number && !faults.isPeerSyncOff && !faults.isHeadStalled) {
        const from = chain.head.number + 1;
        const target = { url: peer.url, timeoutMs: RANGE_TIMEOUT_MS };
        const envelopes = await callRpc(target, 'dev_blocks', [from, RANGE_BLOCKS_MAX]);
        const inserted = await this.#insertAll(Array.isArray(envelopes) ? envelopes : []);
        if (inserted === 0) return;
        log('info', 'fetched missed blocks from a peer', { peer: peer.url, from, count: inserted });
      }
    } catch (error) {
      log('warn', 'fetching missed blocks failed', { peer: peer.url, err: error });
    } finally {
      this.#isSyncing = false;
    }
  }

  async #insertAll(envelopes: readonly unknown[]): Promise<number> {
    const { chain, log } = this.#options;
    let inserted = 0;
    for (const envelope of envelopes.slice(0, RANGE_BLOCKS_MAX)) {
      const block = blockFromEnvelope(envelope);
      const outcome = await chain.insert(block);
      if (outcome !== 'inserted') {
        if (outcome === 'not-next' && block.number > chain.head.number) {
          log('warn', 'a peer is on another branch', { number: block.number, hash: block.hash });
        }
        break;
      }
      inserted += 1;
    }
    return inserted;
  }
}
