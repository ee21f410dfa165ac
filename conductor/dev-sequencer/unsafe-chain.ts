/**
 * The unsafe chain of a development sequencer: the head as its rollup node believes in it, and the queue of payloads
 * that arrived from gossip, from a conductor or from peers. As in op-node a payload is inserted some time after it was
 * taken in, only on top of the head, and only if the execution client calls it valid; one at or below the head, or
 * whose parent is not the head though its number fits, is dropped; one further ahead waits for what is missing.
 * Nothing tells the node that its client has lost the head: only a reset looks.
 */
import type { DevBlock } from './block.ts';
import type { BlockPosition } from './chain-spec.ts';
import type { EngineLink } from './engine-link.ts';
import type { Faults } from './faults.ts';
import type { NodeLog } from './node-log.ts';

/** Most payloads that wait, and their characters of JSON in sum; the highest is dropped first. */
const WAITING_MAX = 1_024;
const WAITING_CHARACTERS_MAX = 128 * 1024 * 1024;
/** Milliseconds until a stalled queue is looked at again, and one whose lowest payload the client has not judged. */
const STALLED_RETRY_MS = 100;
const UNJUDGED_RETRY_MS = 1_000;
/** Heads that are remembered. */
const POSITIONS_MAX = 1_024;

/** What the chain needs. */
export interface UnsafeChainOptions {
  readonly engine: EngineLink;
  /** The execution client's head at the start. */
  readonly head: DevBlock;
  readonly faults: Faults;
  readonly log: NodeLog;
}

/** 'unjudged': the client said neither VALID nor INVALID, or nothing. */
export type Insertion = 'inserted' | 'not-next' | 'invalid' | 'unjudged';

/** One per node. `onHead` listeners run after every change of the head, synchronously. */
export class UnsafeChain {
  readonly #options: UnsafeChainOptions;
  readonly #listeners: ((head: DevBlock) => void)[] = [];
  #head: DevBlock;
  /** The head and those before it, ascending. */
  #positions: BlockPosition[];
  #waiting: DevBlock[] = [];
  #waitingCharacters = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #busy: Promise<unknown> = Promise.resolve();
  #isDraining = false;
  #isClosed = false;

  constructor(options: UnsafeChainOptions) {
    this.#options = options;
    this.#head = options.head;
    this.#positions = [positionOf(options.head)];
  }

  get head(): DevBlock {
    return this.#head;
  }

  /** Number of the lowest payload that waits for missing ones; null when none does. */
  get lowestWaiting(): number | null {
    return this.#waiting[0]?.number ?? null;
  }

  /** The newest remembered head whose timestamp is at most this (Unix seconds). */
  latestUntil(timestamp: number): BlockPosition | null {
    return this.#positions.findLast((one) => one.timestamp <= timestamp) ?? null;
  }

  onHead(listener: (head: DevBlock) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes in a payload; success says nothing about its insertion. */
  post(block: DevBlock): void {
    this.#enqueue(block);
    this.#schedule(this.#options.faults.insertDelayMs);
  }

  /** Has the client execute a block and makes it the head, unless it does not extend the head or the client refuses. */
  insert(block: DevBlock): Promise<Insertion> {
    return this.#inTurn(async () => {
      if (!this.#isNext(block)) return 'not-next';
      try {
        const { status, validationError } = await this.#options.engine.newPayload(block);
        if (status === 'INVALID') {
          const { number, hash } = block;
          this.#options.log('warn', 'dropped a payload that the execution client refuses', {
            number,
            hash,
            err: validationError,
          });
          return 'invalid';
        }
        if (status !== 'VALID' || !(await this.#options.engine.setHead(block.hash))) return 'unjudged';
      } catch (error) {
        this.#options.log('warn', 'the execution client did not judge a payload', { number: block.number, err: error });
        return 'unjudged';
      }
      this.#moveTo(block);
      return 'inserted';
    });
  }

  /** Makes a lower block of the client's chain the head and forgets what was above. Returns false when there is none. */
  rewind(target: DevBlock | null): Promise<boolean> {
    return this.#inTurn(async () => {
      if (target === null || target.number > this.#head.number) return false;
      if (!(await this.#options.engine.setHead(target.hash))) return false;
      this.#waiting = [];
      this.#waitingCharacters = 0;
      this.#moveTo(target);
      return true;
    });
  }

  /** Starts over from the client's head (admin_resetDerivationPipeline). Throws EngineError. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      const head = await this.#options.engine.head();
      this.#options.log('warn', 'reset to the head of the execution client', {
        from: this.#head.number,
        to: head.number,
      });
      this.#moveTo(head);
    });
  }

  /** Stops the timer. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** One thing at a time, as op-node's executor of events. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#busy.then(act);
    this.#busy = turn.catch(() => undefined);
    return turn;
  }

  #isNext(block: DevBlock): boolean {
    return block.number === this.#head.number + 1 && block.parentHash === this.#head.hash;
  }

  #enqueue(block: DevBlock): void {
    const at = this.#waiting.findIndex((other) => other.number > block.number);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, block);
    this.#waitingCharacters += block.text.length;
    while (this.#waiting.length > WAITING_MAX || this.#waitingCharacters > WAITING_CHARACTERS_MAX) {
      this.#waitingCharacters -= this.#waiting.pop()?.text.length ?? 0;
    }
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#isDraining) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#drain();
    }, delayMs);
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    let nextLookMs: number | null = null;
    try {
      nextLookMs = await this.#insertWaiting();
    } finally {
      this.#isDraining = false;
    }
    // What came in at the very end was not scheduled.
    const isDue = this.lowestWaiting !== null && this.lowestWaiting <= this.#head.number + 1;
    if (nextLookMs !== null || isDue) this.#schedule(nextLookMs ?? 0);
  }

  /** Inserts what fits; returns after how many milliseconds to look again, null for when something arrives. */
  async #insertWaiting(): Promise<number | null> {
    for (let lowest = this.#waiting[0]; lowest !== undefined; lowest = this.#waiting[0]) {
      if (this.#isClosed) return null;
      if (this.#options.faults.isHeadStalled) return STALLED_RETRY_MS;
      if (lowest.number > this.#head.number + 1) return null;
      this.#waiting.shift();
      this.#waitingCharacters -= lowest.text.length;
      if (lowest.number <= this.#head.number) continue;
      const outcome = await this.insert(lowest);
      if (outcome === 'unjudged') {
        this.#enqueue(lowest);
        return UNJUDGED_RETRY_MS;
      }
      if (outcome === 'not-next' && lowest.number > this.#head.number) {
        this.#options.log('warn', 'dropped a payload that does not extend the unsafe head', {
          number: lowest.number,
          hash: lowest.hash,
          parent: lowest.parentHash,
          head: this.#head.hash,
        });
      }
    }
    return null;
  }

  #moveTo(block: DevBlock): void {
    this.#head = block;
    const below = this.#positions.filter((one) => one.number < block.number);
    this.#positions = [...below, positionOf(block)].slice(-POSITIONS_MAX);
    for (const listener of this.#listeners) listener(block);
    if (this.#waiting.length > 0) this.#schedule(0);
  }
}

function positionOf({ number, hash, parentHash, timestamp }: DevBlock): BlockPosition {
  return { number, hash, parentHash, timestamp };
}
