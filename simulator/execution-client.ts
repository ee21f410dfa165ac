/**
 * An execution client (op-geth, or op-reth) as op-node and the engine API's other callers meet it: blocks by hash with or
 * without their state, side blocks among them, and one head, which op-node's forkchoice alone moves. What it says of a block
 * is not always a verdict: one that stops answers VALID without executing, then INVALID for anything; one that has lost
 * its head says SYNCING of what follows it; and INVALID is remembered until the process ends. An op-geth that finds no
 * state but its genesis below the blocks that it has syncs by snapshot until it is started again: what it lacks is
 * SYNCING, and a forkchoice update to that wipes the state it has.
 */
import type { Block, Blocks } from './blocks.ts';
import type { Verdicts } from './verdicts.ts';

/** What `engine_newPayload` answers (execution-apis, engine/paris). */
export type PayloadStatus = 'VALID' | 'INVALID' | 'SYNCING' | 'ACCEPTED';

/** An INVALID of the cache is given so often, then the block is tried again (op-geth's invalidBlockHitEviction). */
const INVALID_HITS_MAX = 128;

/** Troubles of the client that are under way, each counted. */
export interface ClientFaults {
  /** Takes connections and answers nothing. */
  frozen: number;
  /** Its engine API alone. */
  hanging: number;
  /** Executes so much slower, milliseconds a block. */
  slowMs: number;
  /** Says VALID of every block and executes none: it is about to stop. */
  lying: number;
  /** Cannot insert anything any more: INVALID, and remembered. */
  failing: number;
}

/** Where the client is and what time a block takes it. */
export interface ExecutionClientHost {
  readonly blocks: Blocks;
  readonly verdicts: Verdicts;
  /** Milliseconds that it takes to execute a block. */
  readonly executionMs: number;
  /** It is an op-reth. */
  readonly isReth?: boolean;
  /** The world's time. */
  nowMs(): number;
}

/** What a database keeps of the blocks whose states it loses. */
export interface Losing {
  readonly isKept?: boolean;
  readonly isNumbered?: boolean;
}

export class ExecutionClient {
  readonly index: number;
  readonly faults: ClientFaults = { frozen: 0, hanging: 0, slowMs: 0, lying: 0, failing: 0 };
  /** Counts its processes: what one knew of bad blocks the next one does not. */
  life = 1;
  /** What its forkchoice names: `latest`. */
  head: Block;
  /** Follows a chain of its own accord at the moment (eth_syncing). */
  isSyncing = false;
  /** Its head has moved since it was started: until then op-reth says that it syncs (reth, launch/engine.rs). */
  #hasMoved = false;
  /** Gets by itself from other clients what it lacks, when it is told of a chain that it cannot place. */
  canSync = true;
  /** Executes nothing that it has not got before it has synced, or is started again with the state of its head. */
  syncsBySnapshot = false;
  /** It has no state at all any more, and on so short a chain gets none from others. */
  isWiped = false;
  /** It began with a head whose state is gone, and cannot insert above this block before it is started again. */
  #soundUpTo: number | null = null;
  #refusesNext = false;
  readonly #host: ExecutionClientHost;
  /** Since when. */
  readonly #executed = new Map<Block, number>();
  readonly #everHeld = new Set<Block>();
  /** In the database, but the state is not. */
  readonly #stateless = new Set<Block>();
  /** Those of them that are on its chain by number, above its head: a forkchoice update to them moves nothing. */
  readonly #numbered = new Set<Block>();
  /** Blocks it has refused in this life, with how often it said so. */
  readonly #refused = new Map<Block, number>();

  constructor(index: number, host: ExecutionClientHost) {
    this.index = index;
    this.#host = host;
    this.head = host.blocks.genesis;
    this.#hold(this.head);
  }

  /** Milliseconds until it has executed a block and says what it is worth; a known one is answered at once. */
  delayMs(block: Block): number {
    return this.#executed.has(block) ? 0 : this.#host.executionMs + this.faults.slowMs;
  }

  get isReth(): boolean {
    return this.#host.isReth === true;
  }

  /** Says so though it does not. */
  get saysItSyncs(): boolean {
    return this.isReth && !this.#hasMoved;
  }

  /** Has it, as a side block or on its chain. */
  has(block: Block): boolean {
    return this.#executed.has(block) || this.#stateless.has(block);
  }

  /** Has it, or had it and lost it. */
  hasHad(block: Block): boolean {
    return this.#everHeld.has(block);
  }

  /** Tells of it by its hash (eth_getBlockByHash): op-reth knows what is on its chain alone. */
  tellsOf(block: Block): boolean {
    return this.isReth ? this.at(block.number) === block : this.has(block);
  }

  /** Since when it has held a block with its state; Infinity while it does not. */
  heldSinceMs(block: Block): number {
    return this.#executed.get(block) ?? Infinity;
  }

  /** Could build on it. */
  hasStateOf(block: Block): boolean {
    return this.#executed.has(block);
  }

  /** It can execute what follows its head. */
  get hasStateOfHead(): boolean {
    return !this.isWiped && this.#soundUpTo === null && this.#executed.has(this.head);
  }

  /** What it says is its own true verdict. */
  get isHonest(): boolean {
    return !this.isWiped && this.faults.lying === 0 && this.faults.failing === 0 && this.#soundUpTo === null;
  }

  /** It could go on from its head, and takes nothing that it has not got until it is started again. */
  get needsRestart(): boolean {
    return this.syncsBySnapshot && (this.head.number > 0 || this.#stateless.size === 0);
  }

  /** Blocks that it refused in this life (debug_getBadBlocks). */
  get badBlocks(): readonly Block[] {
    return [...this.#refused.keys()];
  }

  /** engine_newPayload: executes a block, and moves no head. */
  newPayload(block: Block): PayloadStatus {
    const { blocks, verdicts } = this.#host;
    if (this.#isRemembered(block)) return 'INVALID';
    if (this.faults.lying > 0 || this.has(block)) return 'VALID';
    const parent = blocks.parentOf(block);
    if (parent !== null && this.#refused.has(parent)) return this.#refuse(block);
    const beyond = this.#soundUpTo === null ? 0 : block.number - this.#soundUpTo;
    if (this.faults.failing > 0 || beyond > 1 || (beyond > 0 && this.#refusesNext)) return this.#refuse(block);
    if (beyond > 0) return 'SYNCING';
    if (parent === null || !this.has(parent) || this.syncsBySnapshot || this.isWiped) return 'SYNCING';
    if (!this.#executed.has(parent)) return 'ACCEPTED';
    if (verdicts.refuses(this.index, block)) return this.#refuse(block);
    this.#hold(block);
    return 'VALID';
  }

  /**
   * engine_forkchoiceUpdated: the block becomes the head, if its state is there, or can be had by executing what leads
   * there from one whose state is. One that is on its chain already is none to it, whatever its head is.
   */
  adopt(block: Block): boolean {
    const { blocks } = this.#host;
    if (this.#numbered.has(block)) return true;
    let base: Block | null = block;
    while (base !== null && this.#stateless.has(base)) base = blocks.parentOf(base);
    if (base === null || this.isWiped || !this.#executed.has(base)) return false;
    if (base !== block && this.#soundUpTo !== null && block.number > this.#soundUpTo) return false;
    for (let at: Block | null = block; at !== null && at !== base; at = blocks.parentOf(at)) {
      this.#dropStateless(at);
      this.#hold(at);
    }
    if (block !== this.head) this.#hasMoved = true;
    this.head = block;
    return true;
  }

  /** The head that op-node wants is not there: a client that syncs by snapshot begins, and drops its state for that. */
  wantsUnknownHead(): void {
    if (this.syncsBySnapshot) this.isWiped = true;
  }

  /** Would execute all that leads to the block. */
  wouldTake(block: Block): boolean {
    const { blocks, verdicts } = this.#host;
    for (let at: Block | null = block; at !== null && !this.#executed.has(at); at = blocks.parentOf(at))
      if (this.#refused.has(at) || verdicts.refuses(this.index, at)) return false;
    return true;
  }

  /** The block and what lies below come from somewhere else than the engine API: a sync, or a database that was put in. */
  install(block: Block): void {
    const { blocks } = this.#host;
    for (let at: Block | null = block; at !== null && !this.#executed.has(at); at = blocks.parentOf(at)) {
      this.#hold(at);
      this.#dropStateless(at);
    }
    this.head = block;
    this.#hasMoved = true;
    this.syncsBySnapshot = false;
    this.isWiped = false;
  }

  /**
   * Its database loses what is newer than so many blocks below its head, side blocks too; `isKept`: all but their states;
   * `isNumbered`: and those that led to its head are still on its chain by number.
   */
  lose(count: number, { isKept = false, isNumbered = false }: Losing = {}): void {
    const { blocks } = this.#host;
    const before = this.head;
    this.head = blocks.ancestor(this.head, Math.max(0, this.head.number - count));
    for (const block of this.#executed.keys())
      if (block.number > this.head.number) {
        this.#executed.delete(block);
        if (isKept) this.#stateless.add(block);
      }
    // What was there without its state is newer than what is gone now.
    if (!isKept) for (const block of this.#stateless) if (block.number > this.head.number) this.#dropStateless(block);
    if (!isNumbered) return;
    for (const block of this.#stateless) if (blocks.isAncestor(block, before)) this.#numbered.add(block);
  }

  /** Of its chain it keeps the blocks but the newest, and no state above the genesis. */
  loseStates(newest: number, isNumbered = false): void {
    const { blocks } = this.#host;
    const kept = blocks.ancestor(this.head, Math.max(0, this.head.number - newest));
    this.lose(this.head.number, { isKept: true, isNumbered });
    for (const block of this.#stateless) if (block.number > kept.number) this.#dropStateless(block);
  }

  /** The block that its chain has at a height, also above its head. */
  at(number: number): Block | null {
    if (number <= this.head.number) return this.#host.blocks.ancestor(this.head, number);
    return [...this.#numbered].find((block) => block.number === number) ?? null;
  }

  /** debug_setHead: what is above is gone, and the head is that block, if it was not lower. */
  setHead(number: number): void {
    const { blocks } = this.#host;
    this.head = blocks.ancestor(this.head, Math.min(number, this.head.number));
    for (const block of [...this.#executed.keys(), ...this.#stateless])
      if (block.number > this.head.number) this.forget(block);
  }

  /** A block is not in its database any more. */
  forget(block: Block): void {
    this.#executed.delete(block);
    this.#dropStateless(block);
  }

  /** A new process: nothing is remembered of bad blocks, and nothing is wrong with how it stores. */
  restart(): void {
    this.life++;
    this.syncsBySnapshot = this.head.number === 0 && this.#stateless.size > 0;
    this.#refused.clear();
    this.#soundUpTo = null;
    this.isSyncing = false;
    this.#hasMoved = false;
  }

  /** It has come up with a database that it cannot go on from; `refusesNext`: what follows its head is INVALID to it, too. */
  sicken(refusesNext = false): void {
    this.#soundUpTo = this.head.number;
    this.#refusesNext = refusesNext;
  }

  #hold(block: Block): void {
    this.#executed.set(block, this.#host.nowMs());
    this.#everHeld.add(block);
  }

  #dropStateless(block: Block): void {
    this.#stateless.delete(block);
    this.#numbered.delete(block);
  }

  #isRemembered(block: Block): boolean {
    const hits = this.#refused.get(block);
    if (hits === undefined) return false;
    const isKept = hits + 1 < INVALID_HITS_MAX;
    if (isKept) this.#refused.set(block, hits + 1);
    else this.#refused.delete(block);
    return isKept;
  }

  #refuse(block: Block): PayloadStatus {
    this.#refused.set(block, 1);
    return 'INVALID';
  }
}
