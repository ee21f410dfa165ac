/**
 * op-node, beside its execution client: the unsafe head that it believes in, which it looks up in its client only when
 * it starts or is reset; payloads that come from outside, which are executed and inserted later, only on the head; and
 * derivation, which takes back a head whose L1 origin is gone. Its sequencing loop is in `sequencing.ts`.
 */
import type { Block, Blocks } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import type { ExecutionClient, PayloadStatus } from './execution-client.ts';
import { L1_SECONDS, type L1Header, type L1View } from './l1.ts';
import { noNodeTroubles } from './node-troubles.ts';
import { Sequencing, type CommitAnswer } from './sequencing.ts';
import type { Job } from './spoiled-seals.ts';
import type { Stream } from './streams.ts';
import { UnsafePayloads } from './unsafe-payloads.ts';

/** Derivation takes a head back that the rollup has left, after this long. */
const LEAVE_MS = 600;
/** A reset takes so long, by how far it has to go back: 0.1 to 1 s for 300 blocks of a local L1 (measured). */
const RESET_MS = { min: 20, max: 1200 };
/** A step of derivation that something has asked for begins after this long. */
const STEP_MS = 20;

export interface RollupNodeHost {
  readonly queue: EventQueue;
  readonly blocks: Blocks;
  readonly random: Stream;
  readonly client: ExecutionClient;
  /** What its L1 endpoint shows. */
  readonly l1: L1View;
  /** Time between two blocks, milliseconds. */
  readonly blockMs: number;
  /** Wall clock of the machine, milliseconds. */
  unixMs(): number;
  /** The L1 block of a number that its endpoint shows; null above the newest. */
  l1At(number: number): L1Header | null;
  /** No L1 block comes, and it is as far ahead of L1 as it may be. */
  isL1Standing(): boolean;
  /** What comes out when its client seals a job. */
  seal(job: Job): Block;
  /** Asks the conductor beside it; answers later, or with 'failed' after its own deadline. */
  commit(block: Block, done: (answer: CommitAnswer) => void): void;
  /** Hands a published block to the others. */
  published(block: Block): void;
  /** Its client was given a block that it cannot place, and may look for what is missing by itself. */
  strayed(block: Block): void;
}

export class RollupNode {
  readonly client: ExecutionClient;
  /** What its L1 endpoint shows. */
  readonly l1: L1View;
  readonly sequencing: Sequencing;
  readonly #index: number;
  readonly #host: RollupNodeHost;
  readonly faults = noNodeTroubles();
  /** What it believes its client's head to be. */
  head: Block;
  /** Does not ask its conductor (admin_overrideLeader). */
  isUnconducted = false;
  readonly #payloads: UnsafePayloads;
  /** Its client is executing a payload for it. */
  #isInserting = false;
  /** Orders that wait for its executor. */
  #orders: (() => void)[] = [];
  /** It is to be reset with the next step of derivation. */
  #isToBeReset = false;
  /** Until when its status tells of no L2 head, as from a reset until its engine has confirmed that; the world's time. */
  unsetUntilMs = -Infinity;
  #toldHead: Block | null = null;
  /** How often its process has ended. */
  timesEnded = 0;
  /** Counts its processes and resets: what belongs to an earlier one is not gone on with. */
  #life = 0;

  constructor(index: number, host: RollupNodeHost) {
    this.#index = index;
    this.#host = host;
    this.client = host.client;
    this.l1 = host.l1;
    this.head = host.blocks.genesis;
    this.#payloads = new UnsafePayloads(this, host);
    this.sequencing = new Sequencing(this, host);
  }

  get isActive(): boolean {
    return this.sequencing.isActive;
  }

  get isUp(): boolean {
    return this.faults.nodeDown === 0 && this.faults.executionDown === 0;
  }

  /** Its one executor is busy with something else: it neither builds nor inserts. */
  get isStuck(): boolean {
    return this.faults.stalled > 0 || this.faults.fetching > 0;
  }

  /** Its driver loop handles something, and takes no order meanwhile. */
  get isBusy(): boolean {
    return this.isStuck || this.#isInserting || this.faults.deriving > 0;
  }

  /** The head that its status tells of: an event loop that stands tells of no other. */
  get toldHead(): Block {
    return this.#toldHead ?? this.head;
  }

  /**
   * Its event loop waits for one answer; with `by` −1 it has come. The sequencer has a loop of its own, and goes on
   * (op-node v1.19.6, driver.go: Start).
   */
  holdLoop(by: 1 | -1): void {
    this.faults.deriving += by;
    this.#toldHead = this.faults.deriving > 0 ? (this.#toldHead ?? this.head) : null;
    if (this.#isReplaced(this.head)) this.derive();
    this.wake();
  }

  /** It could insert a payload now. */
  get mayInsert(): boolean {
    return this.isUp && !this.isBusy;
  }

  get safe(): Block {
    return this.#host.blocks.safeHead(this.head, this.#host.queue.nowMs);
  }

  /** Does what somebody ordered when its executor gets to it, which may be long after they have stopped waiting. */
  whenFree(order: () => void): void {
    if (this.faults.fetching > 0) this.#orders.push(order);
    else order();
  }

  /** An error text as op-node's, or null when it sequences now. */
  start(hash: string): string | null {
    return this.sequencing.start(hash);
  }

  /** Calls back with the head once the commit under way has ended; an error text when it cannot stop. */
  stop(done: (head: Block) => void): string | null {
    return this.sequencing.stop(done);
  }

  /** The process is gone: whatever it was about to do, too. */
  halt(): void {
    this.isUnconducted = false;
    this.#isToBeReset = false;
    this.timesEnded++;
    this.#life++;
    this.#isInserting = false;
    this.#payloads.clear();
    this.#orders = [];
    this.sequencing.halt();
  }

  /** A fault takes it down; with `by` −1 that is over, and it looks where its client is. */
  down(by: 1 | -1): void {
    this.faults.nodeDown += by;
    if (by > 0) return this.halt();
    this.head = this.client.head;
    if (this.#toldHead !== null) this.#toldHead = this.head;
    if (this.#isReplaced(this.head)) this.derive();
    this.wake();
  }

  /** Something that kept it from working is over. */
  wake(): void {
    this.sequencing.wake();
    this.#payloads.insert();
    if (this.faults.fetching === 0) for (const order of this.#orders.splice(0)) order();
  }

  /** A payload from gossip or from the conductor; success says nothing about its insertion. */
  receive(block: Block): void {
    this.#payloads.add(block);
  }

  /** Has the client execute a block and makes it the head; null when it does not answer. */
  insert(block: Block, done: (status: PayloadStatus | null) => void): void {
    const { client } = this;
    const life = this.#life;
    const executed = (): void => {
      this.#isInserting = false;
      if (!this.isUp || client.faults.frozen + client.faults.hanging > 0) {
        done(null);
        return this.#stepSoon();
      }
      const status = client.newPayload(block);
      if (status === 'VALID' && !client.adopt(block)) {
        done('SYNCING');
        return this.#stepSoon();
      }
      if (status === 'VALID') this.#moveTo(block);
      else if (status !== 'INVALID') {
        client.wantsUnknownHead();
        this.#host.strayed(block);
      }
      done(status);
      if (status !== 'VALID') this.#stepSoon();
    };
    const delayMs = client.delayMs(block);
    if (delayMs <= 0) return executed();
    this.#isInserting = true;
    this.#host.queue.after(delayMs, () => {
      if (life === this.#life) executed();
    });
  }

  /** The last blocks are lost from its database. */
  rewind(count: number): void {
    this.client.lose(count);
    this.#moveTo(this.client.head);
  }

  /**
   * Its last block is replaced by one that nobody else has ever seen, with `more` above it; returns how an operator
   * takes that back. `isKept`: the client still has the old one, beside the chain.
   */
  goAstray(more: number, isKept = false): () => void {
    const { blocks } = this.#host;
    const parent = blocks.parentOf(this.head);
    if (parent === null) return () => undefined;
    const next = (on: Block): Block => {
      const block = this.planOn(on, false)?.block ?? blocks.build(on, this.#index);
      blocks.stray.add(block.hash);
      return block;
    };
    const astray = next(parent);
    let head = astray;
    for (let count = 0; count < more; count++) head = next(head);
    if (!isKept) this.client.forget(this.head);
    this.client.install(head);
    this.#moveTo(head);
    return () => {
      if (!blocks.isAncestor(astray, this.head)) return;
      this.client.adopt(parent);
      this.#moveTo(parent);
    };
  }

  /** Derivation follows the rollup: a head that was left behind goes, also where the client still has it. */
  derive(): void {
    if (this.faults.deriving > 0) return;
    const living = this.#lastLiving(this.head);
    if (living === this.head) return;
    this.#loseHeads();
    this.sequencing.reset();
    this.#moveTo(living);
  }

  /**
   * admin_resetDerivationPipeline: answered at once, and done with the next step of derivation. For that it waits until it
   * hears of another L1 block, or a payload fails (op-node, step_scheduling_deriver.go and sync_deriver.go).
   */
  resetWithNextStep(): void {
    if (this.#isToBeReset) return;
    this.#isToBeReset = true;
    this.#awaitL1();
  }

  #awaitL1(): void {
    const life = this.#life;
    this.#host.queue.after(this.#host.random.between(STEP_MS, L1_SECONDS * 1000), () => {
      if (life !== this.#life || !this.#isToBeReset) return;
      if (this.#host.isL1Standing()) this.#awaitL1();
      else this.#step();
    });
  }

  /** Derivation takes its next step at once. */
  #stepSoon(): void {
    const life = this.#life;
    if (!this.#isToBeReset) return;
    this.#host.queue.after(STEP_MS, () => {
      if (life === this.#life) this.#step();
    });
  }

  /** Where its client does not answer it tries again and again, until that is back. */
  #step(): void {
    if (!this.#isToBeReset) return;
    if (this.isUp && this.faults.deriving === 0) this.whenFree(() => this.reset());
    else this.#stepSoon();
  }

  /** A reset of its own or of its conductor's: it looks in its client where the chain ends, and plans anew. */
  reset(): void {
    this.#life++;
    this.#isToBeReset = false;
    this.#isInserting = false;
    const living = this.#lastLiving(this.client.head);
    this.#loseHeads();
    this.sequencing.reset();
    this.#moveTo(living);
    this.#payloads.insert();
  }

  /** It looks for them by going back through L1, one block after the other. */
  #loseHeads(): void {
    const { queue, random } = this.#host;
    this.unsetUntilMs = queue.nowMs + random.between(RESET_MS.min, RESET_MS.max);
  }

  /**
   * The next block on a head, as a job for its client; null while it has no L1 origin to build with, or not that of the
   * head: one that its endpoint never had it asks for again and again (sequencer.go).
   */
  planOn(head: Block, isRecovering: boolean): Job | null {
    const { blocks } = this.#host;
    const { l1 } = this;
    if (this.#isLeft(head)) return null;
    const next = this.#host.l1At(head.origin + 1);
    // In recover mode the next one is looked for first, and a missing one is no error (origin_selector.go).
    const origin = next ?? this.#host.l1At(head.origin);
    if (origin === null) return null;
    const isForeign = l1.forkedFrom !== null && origin.number >= l1.forkedFrom;
    const block = blocks.build(head, this.#index, { origin, isForeign, seen: l1.seen });
    return { id: `${head.hash} ${origin.hash} ${isRecovering}`, parent: head, origin, block, isFull: !isRecovering };
  }

  /** The branch of a block that it would build now. */
  branchOn(head: Block): number {
    return this.#host.blocks.branchOn(head, this.l1.seen);
  }

  /** Its L1 endpoint shows that something else came in the place of a block's origin; of one that it never had it shows nothing. */
  #isReplaced(block: Block): boolean {
    const hadIt = !block.isForeign || block.builder === this.#index;
    return this.#isLeft(block) && this.l1.forkedFrom === null && hadIt;
  }

  /** Whether its L1 endpoint does not show the origin of a block. */
  #isLeft(block: Block): boolean {
    const { forkedFrom, seen } = this.l1;
    if (forkedFrom === null) return this.#host.blocks.isDead(block, seen);
    return block.origin >= forkedFrom && !block.isForeign;
  }

  #lastLiving(head: Block): Block {
    const { blocks } = this.#host;
    let at = head;
    while (at !== blocks.genesis && this.#isLeft(at)) at = blocks.parentOf(at) ?? blocks.genesis;
    return at;
  }

  #moveTo(block: Block): void {
    this.head = block;
    this.#payloads.inserted(block);
    if (this.#isReplaced(block)) this.#host.queue.after(LEAVE_MS, () => this.derive());
    this.sequencing.headMoved();
  }
}
