/**
 * The execution client of a development sequencer: the chain it holds, side blocks, and what it says of payloads, in
 * op-geth's words and with its habits. A payload moves no head; a forkchoice update does. A verdict INVALID is kept
 * until the client is restarted; a client that crashed comes back without its newest blocks.
 */
import { isSound, type DevBlock } from './block.ts';
import type { BlockStore } from './block-store.ts';
import type { Faults } from './faults.ts';
import type { NodeLog } from './node-log.ts';

/** Executed blocks beside the chain, and characters of their JSON; the oldest are forgotten. */
const SIDE_BLOCKS_MAX = 256;
const SIDE_CHARACTERS_MAX = 128 * 1024 * 1024;
/** Verdicts INVALID that are remembered, and how many of the blocks are listed. */
const INVALID_MAX = 1_024;
const LISTED_MAX = 10;

/** PayloadStatusV1 of the engine API. */
export interface PayloadStatus {
  readonly status: 'VALID' | 'INVALID' | 'SYNCING' | 'ACCEPTED';
  readonly latestValidHash: string | null;
  readonly validationError: string | null;
}

/** A block that was refused. */
export interface BadBlock {
  readonly block: DevBlock;
  readonly reason: string;
}

/** What the client needs. */
export interface ExecutionClientOptions {
  readonly store: BlockStore;
  readonly genesis: DevBlock;
  readonly faults: Faults;
  readonly log: NodeLog;
  /** The blocks of a slot share its time stamp; without it a child's must be later than its parent's, as op-geth asks. */
  readonly sharesTimestamps?: boolean;
}

/** One per node; it executes one payload at a time. */
export class ExecutionClient {
  readonly #options: ExecutionClientOptions;
  readonly #side = new Map<string, DevBlock>();
  #sideCharacters = 0;
  readonly #invalid = new Map<string, BadBlock>();
  #executing: Promise<unknown> = Promise.resolve();
  #head: DevBlock;
  /** Payloads refused since it was made, restarts included. */
  refusals = 0;
  /** How often it came back without blocks it had. */
  losses = 0;

  constructor(options: ExecutionClientOptions) {
    this.#options = options;
    this.#head = options.store.head() ?? options.genesis;
  }

  /** Its latest block. */
  get head(): DevBlock {
    return this.#head;
  }

  /** The newest blocks it refused since its start, latest first (debug_getBadBlocks). */
  get badBlocks(): BadBlock[] {
    return [...this.#invalid.values()].slice(-LISTED_MAX).toReversed();
  }

  /** Any block it has executed, side blocks too. */
  byHash(hash: string): DevBlock | null {
    return this.#options.store.byHash(hash) ?? this.#side.get(hash) ?? null;
  }

  /** Executes a payload, after those before it. No head moves. */
  newPayload(block: DevBlock): Promise<PayloadStatus> {
    const status = this.#executing.then(async () => {
      const { executionDelayMs } = this.#options.faults;
      if (executionDelayMs > 0) await Bun.sleep(executionDelayMs);
      return this.#judge(block);
    });
    this.#executing = status.catch(() => undefined);
    return status;
  }

  /** Makes a block that it knows its latest one; false, changing nothing, for one that it does not. */
  setHead(hash: string): boolean {
    if (hash === this.#head.hash) return true;
    const branch: DevBlock[] = [];
    let block = this.byHash(hash);
    while (block !== null && this.#options.store.byHash(block.hash) === null) {
      branch.push(block);
      block = this.byHash(block.parentHash);
    }
    if (block === null) return false;
    this.#leave(block.number);
    for (const next of branch.toReversed()) {
      this.#options.store.append(next);
      this.#forgetSide(next.hash);
      this.#head = next;
    }
    return true;
  }

  /** A crash and a restart: its newest blocks are gone, and all that it only remembered. Returns its latest block. */
  loseBlocks(count: number): DevBlock {
    const was = this.#head;
    this.#side.clear();
    this.#sideCharacters = 0;
    this.#invalid.clear();
    this.#options.store.rewind(Math.max(0, was.number - count));
    this.#head = this.#options.store.head() ?? this.#options.genesis;
    if (this.#head.hash !== was.hash) this.losses += 1;
    this.#options.log('warn', 'the execution client was restarted', {
      head: this.#head.number,
      lost: was.number - this.#head.number,
    });
    return this.#head;
  }

  #judge(block: DevBlock): PayloadStatus {
    const { faults, sharesTimestamps } = this.#options;
    const { execution, rejectedHashes } = faults;
    const leastStep = sharesTimestamps === true ? 0 : 1;
    const known = this.#invalid.get(block.hash);
    if (known !== undefined) return invalid(block, known.reason);
    if (rejectedHashes.includes(block.hash)) return this.#refuse(block, 'rejected on demand');
    if (execution === 'stopping' || this.byHash(block.hash) !== null) return valid(block);
    if (execution === 'broken') return this.#refuse(block, 'missing trie node (layer stale)');
    if (execution === 'syncing') return syncing;
    const parent = this.byHash(block.parentHash);
    if (parent === null) {
      return this.#invalid.has(block.parentHash) ? this.#refuse(block, 'links to previously rejected block') : syncing;
    }
    if (block.number !== parent.number + 1 || block.timestamp < parent.timestamp + leastStep) {
      return this.#refuse(block, 'invalid block number or timestamp');
    }
    if (!isSound(parent, block)) return this.#refuse(block, 'invalid merkle root');
    this.#remember(block);
    return valid(block);
  }

  #refuse(block: DevBlock, reason: string): PayloadStatus {
    this.refusals += 1;
    this.#invalid.set(block.hash, { block, reason });
    const [oldest] = this.#invalid.keys();
    if (this.#invalid.size > INVALID_MAX && oldest !== undefined) this.#invalid.delete(oldest);
    this.#options.log('error', 'the execution client refuses a payload', {
      number: block.number,
      hash: block.hash,
      err: reason,
    });
    return invalid(block, reason);
  }

  /** Blocks above a height leave the chain and stay beside it. */
  #leave(number: number): void {
    for (let at = this.#head.number; at > number; at -= 1) {
      const left = this.#options.store.byNumber(at);
      if (left !== null) this.#remember(left);
    }
    this.#options.store.rewind(number);
    this.#head = this.#options.store.head() ?? this.#options.genesis;
  }

  #remember(block: DevBlock): void {
    this.#forgetSide(block.hash);
    this.#side.set(block.hash, block);
    this.#sideCharacters += block.text.length;
    for (const hash of this.#side.keys()) {
      const isFull = this.#side.size > SIDE_BLOCKS_MAX || this.#sideCharacters > SIDE_CHARACTERS_MAX;
      if (!isFull || hash === block.hash) return;
      this.#forgetSide(hash);
    }
  }

  #forgetSide(hash: string): void {
    this.#sideCharacters -= this.#side.get(hash)?.text.length ?? 0;
    this.#side.delete(hash);
  }
}

const syncing: PayloadStatus = { status: 'SYNCING', latestValidHash: null, validationError: null };

function valid(block: DevBlock): PayloadStatus {
  return { status: 'VALID', latestValidHash: block.hash, validationError: null };
}

function invalid(block: DevBlock, reason: string): PayloadStatus {
  return { status: 'INVALID', latestValidHash: block.parentHash, validationError: reason };
}
