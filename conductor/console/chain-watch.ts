/** The chain of one cluster: its newest block and when it was first seen, the time between blocks, and the last hour. */
import { highestHead, type ClusterView } from '#conductor/operate/cluster-view';
import { blockSecondsOf, type ClusterAccess } from '#conductor/operate/observe';
import type { History, StoredBlock } from './history.ts';
import type { ClusterNow } from './protocol.ts';
import { missedBetween, stripOf } from './strip.ts';

const hourMs = 3_600_000;
/** Between two looks at the hour of blocks. */
const stripMs = 10_000;
const blockMsFallback = 2000;
/** Blocks of a height at most this much below the newest may have been seen earlier elsewhere. */
const lateBlocksMax = 8;
/** A follower learns of a commit with its leader's next word; where that leader is gone, with the next one's, milliseconds. */
const learnsMsMax = 300;

export interface ChainWatchOptions {
  readonly cluster: string;
  readonly history: History;
  /** There is a new block. */
  sawBlock(block: StoredBlock): void;
}

export class ChainWatch {
  readonly #options: ChainWatchOptions;
  #blockMs: number | null = null;
  #head: { number: number; hash: string; atMs: number } | null = null;
  /** The block above it, where a look found that before anybody told of it. */
  #ahead: (StoredBlock & { readonly hash: string }) | null = null;
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

  /** protocol.ts, ClusterNow.zeroMs. */
  get zeroMs(): number | null {
    return this.#stamp === null || this.#blockMs === null
      ? null
      : this.#stamp.seconds * 1000 - this.#stamp.number * this.#blockMs;
  }

  /**
   * A block was committed, or is known to be; the earliest word about it counts. `spreadMs`: how long before `atMs` it
   * may have been, where it was found by asking.
   */
  committed(number: number, hash: string, atMs: number, spreadMs = 0): void {
    const { history, cluster } = this.#options;
    const ahead = this.#ahead;
    if (ahead?.number === number && ahead.hash === hash && atMs - ahead.atMs > learnsMsMax)
      [atMs, spreadMs] = [ahead.atMs, ahead.spreadMs ?? 0];
    const before = this.#head;
    const isNew = before === null || number > before.number;
    const isGap = isNew && before !== null && missedBetween(before, { number, atMs, spreadMs }, this.blockMs) > 0;
    const gapMs = isGap ? atMs - before.atMs : 0;
    if (isNew || number > before.number - lateBlocksMax) history.block(cluster, { number, atMs, spreadMs }, gapMs);
    if (!isNew) {
      if (number === before.number && atMs < before.atMs) this.#head = { ...before, atMs };
      return;
    }
    this.#head = { number, hash, atMs };
    if (isGap) this.#stripAtMs = 0;
    this.#options.sawBlock({ number, atMs, spreadMs });
  }

  /**
   * The highest block that the op-nodes have, found by a look before which the last one began at `beforeMs`, null for
   * none. `isTold`: servers tell of commits. They do so at once, so what a look has more than one block above them is a
   * chain that goes on without them, and one block above them counts if they tell of it much later.
   */
  found(view: ClusterView, beforeMs: number | null, isTold: boolean): void {
    const head = highestHead(view);
    const known = this.#head?.number ?? -1;
    if (head === null || head.number <= known) return;
    const atMs = Math.min(
      ...view.servers.flatMap(({ node, nodeAtMs }) =>
        node?.unsafeHead?.number === head.number ? (nodeAtMs ?? []) : [],
      ),
      view.atMs,
    );
    this.learnFromStamp(head.number, head.timestamp);
    // What was there at the first look came at about its own stamp.
    const sinceMs = beforeMs ?? head.timestamp * 1000 - this.blockMs;
    const spreadMs = Math.max(0, atMs - sinceMs);
    if (!isTold || head.number > known + 1) return this.committed(head.number, head.hash, atMs, spreadMs);
    if (this.#ahead?.hash !== head.hash) this.#ahead = { number: head.number, hash: head.hash, atMs, spreadMs };
  }

  /** Asks the op-nodes for the time between blocks, until one has said it. */
  async learnBlockTime(view: ClusterView, access: ClusterAccess): Promise<void> {
    if (this.#blockMs !== null) return;
    const seconds = await blockSecondsOf(access, view);
    if (seconds !== null) this.#blockMs = seconds * 1000;
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
