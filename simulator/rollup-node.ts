/**
 * op-node with its execution client, as a conductor meets them: the unsafe chain, and the sequencing loop that
 * builds on the head, has the conductor commit what it sealed, gossips and inserts it, and tries a refused job
 * again every second for ever. Payloads that come from outside are inserted later, only on the head.
 */
import type { Block, Blocks } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import { noNodeFaults, takeOne } from './node-troubles.ts';
import type { Stream } from './streams.ts';

/** A block is sealed this long before its time. */
const SEAL_LEAD_MS = 50;
/** A job that was not committed is offered again after this long. */
const RETRY_MS = 1000;
/** A reset comes so soon after a block was offered, at most. */
const RESET_AFTER_MAX_MS = 20;
/** Payloads waiting for what is missing below them. */
const WAITING_MAX = 256;
/** Missing payloads are asked of a peer after this long. */
const FETCH_MS = 300;
/** Derivation takes a head back that the rollup has left, after this long. */
const RESET_MS = 600;

/** What a commit came to for the node: only success lets it publish. */
export type CommitAnswer = 'committed' | 'failed';

export interface RollupNodeHost {
  readonly queue: EventQueue;
  readonly blocks: Blocks;
  readonly random: Stream;
  /** Wall clock of the machine, milliseconds. */
  unixMs(): number;
  /** Asks the conductor beside it; answers later, or with 'failed' after its own deadline. */
  commit(block: Block, done: (answer: CommitAnswer) => void): void;
  /** Hands a published block to the others. */
  published(block: Block): void;
  /** The living block of that hash, if any other node has it. */
  fetch(hash: string): Block | null;
}

export class RollupNode {
  readonly #index: number;
  readonly #host: RollupNodeHost;
  readonly faults = noNodeFaults();
  head: Block;
  isActive = false;
  /** Does not ask its conductor (admin_overrideLeader). */
  isUnconducted = false;
  #job: Block | null = null;
  #isCommitting = false;
  /** Jobs of an earlier life or leadership are not gone on with. */
  #epoch = 0;
  #wakeAtMs = Infinity;
  readonly #waiting = new Map<string, Block>();
  /** Blocks that have been its head. */
  readonly #held = new Set<Block>();
  #isFetching = false;
  #stopWaits: ((head: Block) => void)[] = [];

  constructor(index: number, host: RollupNodeHost) {
    this.#index = index;
    this.#host = host;
    this.head = host.blocks.genesis;
  }

  get isUp(): boolean {
    return this.faults.nodeDown === 0 && this.faults.executionDown === 0;
  }

  get safe(): Block {
    return this.#host.blocks.safeHead(this.head, this.#host.queue.nowMs);
  }

  /** Its client has executed the block, on whatever branch. */
  holds(block: Block): boolean {
    return this.#held.has(block);
  }

  /** An error text as op-node's, or null when it sequences now. */
  start(hash: string): string | null {
    if (this.faults.unprovisioned > 0) return 'sequencer is not provisioned';
    if (this.isActive) return 'sequencer already running';
    if (hash !== this.head.hash)
      return `block hash does not match: head ${this.head.hash}:${this.head.number}, received ${hash}`;
    this.isActive = true;
    this.#epoch++;
    this.#job = null;
    // What a late block was told belongs to the time before.
    this.#isCommitting = false;
    this.#wakeIn(0);
    return null;
  }

  /** Calls back with the head once the commit under way has ended; an error text when it cannot stop. */
  stop(done: (head: Block) => void): string | null {
    if (!this.isActive) return 'sequencer not running';
    if (takeOne(this.faults, 'failingStops')) return 'stop failed';
    this.#stopWaits.push(done);
    if (!this.#isCommitting && this.faults.stalled === 0) this.#finishStop();
    return null;
  }

  /** The process is gone: whatever it was about to do, too. */
  halt(): void {
    this.isActive = false;
    this.isUnconducted = false;
    this.#epoch++;
    this.#job = null;
    this.#isCommitting = false;
    this.#waiting.clear();
    this.#stopWaits = [];
  }

  /** A fault takes it down; with `by` −1 that is over. */
  down(by: 1 | -1): void {
    this.faults.nodeDown += by;
    if (by > 0) this.halt();
    else this.wake();
  }

  /** Something that kept it from working is over. */
  wake(): void {
    this.#wakeIn(0);
    if (this.#stopWaits.length > 0 && !this.#isCommitting && this.faults.stalled === 0) this.#finishStop();
    this.#insertWaiting();
  }

  /** A payload from gossip or from the conductor; success says nothing about its insertion. */
  receive(block: Block): void {
    if (block.number <= this.head.number && block.hash !== this.head.hash) return;
    if (this.#waiting.size < WAITING_MAX) this.#waiting.set(block.parentHash, block);
    this.#host.queue.after(this.#host.random.between(1, 15), () => this.#insertWaiting());
  }

  /** The last blocks are lost from its database. */
  rewind(count: number): void {
    const { blocks } = this.#host;
    const lost = this.head;
    this.#moveTo(blocks.ancestor(this.head, Math.max(0, this.head.number - count)));
    for (let at = lost; at !== this.head; at = blocks.parentOf(at) ?? this.head) this.#held.delete(at);
  }

  /** Its last block is replaced by one that nobody else has ever seen, with `more` above it; returns how an operator takes that back. */
  goAstray(more: number): () => void {
    const { blocks } = this.#host;
    const parent = blocks.parentOf(this.head);
    if (parent === null) return () => undefined;
    const astray = blocks.build(parent, this.#index);
    let head = astray;
    for (let count = 0; count < more; count++) head = blocks.build(head, this.#index);
    this.#moveTo(head);
    return () => {
      if (blocks.isAncestor(astray, this.head)) this.#moveTo(parent);
    };
  }

  /** Derivation follows the rollup: a head that was left behind goes. */
  derive(): void {
    const living = this.#host.blocks.lastLiving(this.head);
    if (living !== this.head) this.#moveTo(living);
  }

  #finishStop(): void {
    const epoch = ++this.#epoch;
    this.isActive = false;
    const job = this.#job;
    this.#job = null;
    for (const done of this.#stopWaits.splice(0)) done(this.head);
    // A timer that was armed before the stop: one more block is sealed and offered.
    if (!takeOne(this.faults, 'lateBlocks')) return;
    const late = job ?? this.#host.blocks.build(this.head, this.#index);
    this.#host.queue.after(20, () => {
      if (this.isUp && epoch === this.#epoch) this.#offer(late, epoch);
    });
  }

  #wakeIn(delayMs: number): void {
    const { queue } = this.#host;
    const atMs = queue.nowMs + delayMs;
    if (this.#wakeAtMs <= atMs && this.#wakeAtMs >= queue.nowMs) return;
    this.#wakeAtMs = atMs;
    queue.at(atMs, () => {
      if (this.#wakeAtMs !== atMs) return;
      this.#wakeAtMs = Infinity;
      this.#advance();
    });
  }

  /** Builds and seals what is due. */
  #advance(): void {
    if (!this.isActive || !this.isUp || this.#isCommitting) return;
    if (this.faults.stalled > 0) return this.#wakeIn(RETRY_MS);
    const { blocks } = this.#host;
    const { head } = this;
    if (this.#job === null || this.#job.parentHash !== head.hash || this.#job.branch !== blocks.branchOn(head))
      this.#job = blocks.build(head, this.#index);
    const sealInMs = this.#job.timestamp * 1000 - SEAL_LEAD_MS - this.#host.unixMs();
    if (sealInMs > 0) return this.#wakeIn(sealInMs);
    this.#offer(this.#job, this.#epoch);
  }

  #offer(block: Block, epoch: number): void {
    const { queue, random } = this.#host;
    // A reset: what becomes of this block is not heard any more, and another one is sealed.
    const isLost = takeOne(this.faults, 'lostAnswers');
    this.#isCommitting = true;
    let isOver = false;
    const finish = (told: CommitAnswer): void => {
      if (isOver || epoch !== this.#epoch) return;
      isOver = true;
      this.#isCommitting = false;
      const isPublished = told === 'committed' && !isLost;
      if (isPublished) this.#publish(block);
      else if (isLost) this.#job = null;
      if (this.#stopWaits.length > 0 && this.faults.stalled === 0) this.#finishStop();
      else if (this.isActive) this.#wakeIn(isPublished ? 0 : isLost ? random.between(0, RETRY_MS) : RETRY_MS);
    };
    this.#host.commit(block, finish);
    if (isLost) queue.after(random.between(0, RESET_AFTER_MAX_MS), () => finish('failed'));
  }

  #publish(block: Block): void {
    this.#job = null;
    this.#host.blocks.publish(block, this.#host.queue.nowMs);
    this.#host.published(block);
    if (block.parentHash === this.head.hash) this.#moveTo(block);
  }

  #insertWaiting(): void {
    if (!this.isUp || this.faults.stalled > 0) return;
    for (let next = this.#waiting.get(this.head.hash); next !== undefined; next = this.#waiting.get(this.head.hash))
      this.#moveTo(next);
    for (const [parentHash, block] of this.#waiting)
      if (block.number <= this.head.number + 1) this.#waiting.delete(parentHash);
    if (this.#waiting.size > 0) this.#fetchMissing();
  }

  /** Asks the others for what is missing below the lowest payload that waits. */
  #fetchMissing(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#host.queue.after(FETCH_MS, () => {
      this.#isFetching = false;
      if (!this.isUp || this.faults.stalled > 0) return;
      let lowest: Block | null = null;
      for (const block of this.#waiting.values()) if (lowest === null || block.number < lowest.number) lowest = block;
      for (let at = lowest; at !== null && at.number > this.head.number + 1;) {
        const parent = this.#host.fetch(at.parentHash);
        if (parent === null) return;
        this.#waiting.set(parent.parentHash, parent);
        at = parent;
      }
      this.#insertWaiting();
    });
  }

  #moveTo(block: Block): void {
    this.head = block;
    this.#held.add(block);
    this.#waiting.delete(block.parentHash);
    const { queue, blocks } = this.#host;
    if (blocks.isDead(block)) queue.after(RESET_MS, () => this.derive());
    if (this.isActive) this.#wakeIn(0);
  }
}
