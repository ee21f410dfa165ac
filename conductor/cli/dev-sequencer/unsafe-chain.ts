/**
 * The unsafe chain of a development sequencer: the head, and the queue of payloads that arrived
 * from gossip, from a conductor or from peers. As in op-node a payload is inserted some time after
 * it was taken in, only on top of the head; one at or below the head, or whose parent is not the
 * head though its number fits, is dropped; one further ahead waits for what is missing.
 */
import type { DevBlock } from './block.ts';
import type { BlockStore } from './block-store.ts';
import type { Faults } from './faults.ts';
import type { NodeLog } from './node-log.ts';

/** Most payloads that wait, and their characters of JSON in sum; the highest is dropped first. */
const WAITING_MAX = 1_024;
const WAITING_CHARACTERS_MAX = 128 * 1024 * 1024;
/** Milliseconds until a stalled queue is looked at again. */
const STALLED_RETRY_MS = 100;

/** What the chain needs. */
export interface UnsafeChainOptions {
  readonly store: BlockStore;
  readonly genesis: DevBlock;
  readonly faults: Faults;
  readonly log: NodeLog;
}

/** One per node. `onHead` listeners run after every change of the head, synchronously. */
export class UnsafeChain {
  readonly #store: BlockStore;
  readonly #faults: Faults;
  readonly #log: NodeLog;
  readonly #listeners: ((head: DevBlock) => void)[] = [];
  #head: DevBlock;
  #waiting: DevBlock[] = [];
  #waitingCharacters = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: UnsafeChainOptions) {
    this.#store = options.store;
    this.#faults = options.faults;
    this.#log = options.log;
    this.#head = options.store.head() ?? options.genesis;
  }

  get head(): DevBlock {
    return this.#head;
  }

  /** Number of the lowest payload that waits for missing ones; null when none does. */
  get lowestWaiting(): number | null {
    return this.#waiting[0]?.number ?? null;
  }

  onHead(listener: (head: DevBlock) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes in a payload; success says nothing about its insertion. */
  post(block: DevBlock): void {
    const at = this.#waiting.findIndex((other) => other.number > block.number);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, block);
    this.#waitingCharacters += block.text.length;
    while (this.#waiting.length > WAITING_MAX || this.#waitingCharacters > WAITING_CHARACTERS_MAX) {
      this.#waitingCharacters -= this.#waiting.pop()?.text.length ?? 0;
    }
    this.#schedule(this.#faults.insertDelayMs);
  }

  /** Inserts a block at once. Returns false, changing nothing, unless it extends the head. */
  insert(block: DevBlock): boolean {
    if (block.number !== this.#head.number + 1 || block.parentHash !== this.#head.hash) {
      return false;
    }
    this.#store.append(block);
    this.#moveTo(block);
    return true;
  }

  /** Makes a lower block the head and forgets what was above. Returns false when there is no such block. */
  rewind(number: number): boolean {
    const target = this.#store.byNumber(number);
    if (target === null || number > this.#head.number) {
      return false;
    }
    this.#store.rewind(number);
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#moveTo(target);
    return true;
  }

  /** Stops the timer. */
  close(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
    }
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#drain();
    }, delayMs);
  }

  #drain(): void {
    if (this.#faults.isHeadStalled) {
      this.#schedule(STALLED_RETRY_MS);
      return;
    }
    for (let lowest = this.#waiting[0]; lowest !== undefined; lowest = this.#waiting[0]) {
      if (lowest.number > this.#head.number + 1) {
        return;
      }
      this.#waiting.shift();
      this.#waitingCharacters -= lowest.text.length;
      if (lowest.number <= this.#head.number) {
        continue;
      }
      if (!this.insert(lowest)) {
        this.#log('warn', 'dropped a payload that does not extend the unsafe head', {
          number: lowest.number,
          hash: lowest.hash,
          parent: lowest.parentHash,
          head: this.#head.hash,
        });
      }
    }
  }

  #moveTo(block: DevBlock): void {
    this.#head = block;
    for (const listener of this.#listeners) {
      listener(block);
    }
    if (this.#waiting.length > 0) {
      this.#schedule(0);
    }
  }
}
