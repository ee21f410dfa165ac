/** The chain of one cluster: its newest block and when it was first seen, the time between blocks, and the last hour. */
import type { ClusterView } from '#conductor/operate/cluster-view';
import type { ClusterAccess } from '#conductor/operate/observe';
import type { History } from './history.ts';
import type { ClusterNow } from './protocol.ts';
import { missedSlots, stripOf } from './strip.ts';

const hourMs = 3_600_000;
/** Between two looks at the hour of blocks. */
const stripMs = 10_000;
const blockMsFallback = 2000;
const askMsMax = 2500;
/** Blocks of a height at most this much below the newest may have been seen earlier elsewhere. */
const lateBlocksMax = 8;

export interface ChainWatchOptions {
  readonly cluster: string;
  readonly history: History;
  /** There is a new block. */
  sawBlock(number: number, atMs: number): void;
}

export class ChainWatch {
  readonly #options: ChainWatchOptions;
  #blockMs: number | null = null;
  #head: { number: number; hash: string; atMs: number } | null = null;
  #stamp: { number: number; seconds: number } | null = null;
  #strip = '';
  #stripAtMs = 0;

  constructor(options: ChainWatchOptions) {
    this.#options = options;
  }

  get head(): ClusterNow['head'] {
    return this.#head;
  }

  get strip(): string {
    return this.#strip;
  }

  get blockMs(): number {
    return this.#blockMs ?? blockMsFallback;
  }

  /** A block was committed, or is known to be; the earliest word about it counts. */
  committed(number: number, hash: string, atMs: number): void {
    const { history, cluster } = this.#options;
    const before = this.#head;
    const isNew = before === null || number > before.number;
    const isGap = before !== null && missedSlots(atMs - before.atMs, this.blockMs) > 0;
    const gapMs = isNew && isGap ? atMs - before.atMs : 0;
    if (isNew || number > before.number - lateBlocksMax) history.block(cluster, { number, atMs }, gapMs);
    if (!isNew) {
      if (number === before.number && atMs < before.atMs) this.#head = { ...before, atMs };
      return;
    }
    this.#head = { number, hash, atMs };
    if (isGap) this.#stripAtMs = 0;
    this.#options.sawBlock(number, atMs);
  }

  /** Asks the op-nodes for the time between blocks, until one has said it. */
  async learnBlockTime(view: ClusterView, access: ClusterAccess): Promise<void> {
    if (this.#blockMs !== null) return;
    for (const { config, node } of view.servers) {
      const client = node === null ? null : access.node(config);
      const seconds = (await client?.blockSeconds(askMsMax).catch(() => null)) ?? null;
      if (seconds !== null) return void (this.#blockMs = seconds * 1000);
    }
  }

  /** Where no node says it: two blocks in a row are a block time apart by their own stamps, in Unix seconds. */
  learnFromStamp(number: number, seconds: number): void {
    const before = this.#stamp;
    this.#stamp = { number, seconds };
    if (this.#blockMs === null && before?.number === number - 1 && seconds > before.seconds)
      this.#blockMs = (seconds - before.seconds) * 1000;
  }

  /** Draws the last hour anew where it is time; whether it was. */
  drawStrip(nowMs: number): boolean {
    if (nowMs - this.#stripAtMs < stripMs) return false;
    const { history, cluster } = this.#options;
    this.#stripAtMs = nowMs;
    this.#strip = stripOf(history.blocks(cluster, nowMs - hourMs - 60_000, nowMs), this.blockMs, nowMs);
    return true;
  }
}
