/**
 * op-node, beside its execution client: the unsafe head that it believes in, which it looks up in its client only when
 * it starts or is reset; payloads that come from outside, which are executed and inserted later, only on the head; and
 * derivation, which takes back a head whose L1 origin is gone. Its sequencing loop is in `sequencing.ts`.
 */
import type { Block } from './blocks.ts';
import { ErringMethods } from './erring-methods.ts';
import type { ExecutionClient, PayloadStatus } from './execution-client.ts';
import { HeldWork } from './held-work.ts';
import { L1_SECONDS, type L1View } from './l1.ts';
import { noNodeTroubles } from './node-troubles.ts';
import { OriginSelector } from './origin-selector.ts';
import type { RollupNodeHost } from './rollup-node-host.ts';
import { Sequencing } from './sequencing.ts';
import { UnsafePayloads } from './unsafe-payloads.ts';

/** Derivation takes a head back that the rollup has left, after this long. */
const LEAVE_MS = 600;
/** A reset takes so long, by how far it has to go back: 0.1 to 1 s for 300 blocks of a local L1 (measured). */
const RESET_MS = { min: 20, max: 1200 };
/** A step of derivation that something has asked for begins after this long. */
const STEP_MS = 20;

export class RollupNode {
  readonly client: ExecutionClient;
  /** What its L1 endpoint shows. */
  readonly l1: L1View;
  readonly sequencing: Sequencing;
  readonly origins: OriginSelector;
  readonly #index: number;
  readonly #host: RollupNodeHost;
  readonly faults = noNodeTroubles();
  /** Reads that it, or its client, answers with an error. */
  readonly erring = new ErringMethods();
  /** What it believes its client's head to be. */
  head: Block;
  /** Does not ask its conductor (admin_overrideLeader). */
  isUnconducted = false;
  readonly #payloads: UnsafePayloads;
  /** Its client is executing a payload for it. */
  #isInserting = false;
  /** What somebody ordered is done when its executor gets to it, which may be long after they have stopped waiting. */
  readonly orders = new HeldWork(() => this.faults.fetching > 0);
  /** What its driver loop is asked it answers between two events. */
  readonly questions = new HeldWork(() => this.isBusy);
  /** What is its process's to do, when that turns. */
  readonly work = new HeldWork(() => this.faults.frozen > 0);
  /** It is to be reset with the next step of derivation. */
  #isToBeReset = false;
  /** Until when its status tells of no L2 head, as from a reset until its engine has confirmed that; the world's time. */
  unsetUntilMs = -Infinity;
  #toldHead: Block | null = null;
  /** Counts its processes and resets: what belongs to an earlier one is not gone on with. */
  #life = 0;

  constructor(index: number, host: RollupNodeHost) {
    this.#index = index;
    this.#host = host;
    this.client = host.client;
    this.l1 = host.l1;
    this.head = host.blocks.genesis;
    this.origins = new OriginSelector(index, host);
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
    return this.faults.stalled > 0 || this.faults.fetching > 0 || this.faults.frozen > 0;
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
    if (this.origins.isReplaced(this.head)) this.derive();
    this.wake();
  }

  /** Its process is stopped (SIGSTOP); with `by` −1 it goes on, and does what has come meanwhile. */
  freeze(by: 1 | -1): void {
    this.faults.frozen += by;
    if (this.faults.frozen > 0) return;
    this.work.goOn();
    if (this.origins.isReplaced(this.head)) this.derive();
    this.wake();
  }

  /** It could insert a payload now. */
  get mayInsert(): boolean {
    return this.isUp && !this.isBusy;
  }

  get safe(): Block {
    return this.#host.blocks.safeHead(this.head, this.#host.queue.nowMs);
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
    this.#life++;
    this.#isInserting = false;
    this.#payloads.clear();
    for (const held of [this.orders, this.questions, this.work]) held.forget();
    this.sequencing.halt();
  }

  /** A fault takes it down; with `by` −1 that is over, and its new process looks where its client is: it tells of no head before. */
  down(by: 1 | -1): void {
    this.faults.nodeDown += by;
    if (by > 0) return this.halt();
    this.head = this.client.head;
    if (this.#toldHead !== null) this.#toldHead = this.head;
    this.#loseHeads();
    if (this.origins.isReplaced(this.head)) this.derive();
    this.wake();
  }

  /** Something that kept it from working is over. */
  wake(): void {
    this.sequencing.wake();
    this.#payloads.insert();
    this.orders.goOn();
    this.questions.goOn();
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
      this.questions.goOn();
      const isHeard = this.isUp && client.faults.frozen + client.faults.hanging === 0;
      let status = isHeard ? client.newPayload(block) : null;
      if (status === 'SYNCING' || status === 'ACCEPTED') {
        client.wantsUnknownHead();
        this.#host.strayed(block);
      }
      if (status === 'VALID' && !client.adopt(block)) status = 'SYNCING';
      if (status === 'VALID') this.#moveTo(block);
      done(status);
      if (status !== 'VALID') this.#stepSoon();
    };
    const delayMs = client.delayMs(block);
    if (delayMs <= 0) return executed();
    this.#isInserting = true;
    this.#host.queue.after(delayMs, () => {
      this.work.do(() => {
        if (life === this.#life) executed();
      });
    });
  }

  /** It starts again, and the last blocks are lost from its database. */
  rewind(count: number): void {
    this.client.lose(count);
    this.#moveTo(this.client.head);
    if (this.#toldHead !== null) this.#toldHead = this.head;
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
      const block = this.origins.planOn(on, false)?.block ?? blocks.build(on, this.#index);
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
    if (this.faults.deriving + this.faults.frozen > 0) return;
    const living = this.origins.lastLiving(this.head);
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
    if (this.isUp && this.faults.deriving + this.faults.frozen === 0) this.orders.do(() => this.reset());
    else this.#stepSoon();
  }

  /** A reset of its own or of its conductor's: it looks in its client where the chain ends, and plans anew. */
  reset(): void {
    this.#life++;
    this.#isToBeReset = false;
    this.#isInserting = false;
    this.questions.goOn();
    const living = this.origins.lastLiving(this.client.head);
    this.#loseHeads();
    this.sequencing.reset();
    this.#moveTo(living);
    this.#payloads.insert();
  }

  /** It looks for them by going back through L1, one block after the other (op-node, status.go). */
  #loseHeads(): void {
    const { queue, random } = this.#host;
    this.unsetUntilMs = queue.nowMs + random.between(RESET_MS.min, RESET_MS.max);
  }

  #moveTo(block: Block): void {
    this.head = block;
    this.#payloads.inserted(block);
    if (this.origins.isReplaced(block)) this.#host.queue.after(LEAVE_MS, () => this.derive());
    this.sequencing.headMoved();
  }
}
