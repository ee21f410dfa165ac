/**
 * The sequencing loop, as op-node's: build on the unsafe head at once, seal shortly before the block's time, have the
 * conductor commit it, gossip it, and only then have the execution client execute it. After a failed commit the same
 * job is sealed again every second; it is dropped when the head moves away from its parent. A block that the client
 * calls invalid is never mentioned again: one block time later another is built on the same parent. A client that does
 * not know the head parks the loop.
 */
import { messageOf } from '#conductor/core/errors';
import type { DevBlock } from './block.ts';
import type { ConductorClient } from './conductor-client.ts';
import type { Faults } from './faults.ts';
import { RpcError } from './json-rpc-server.ts';
import type { NodeLog } from './node-log.ts';
import type { Job, PayloadBuilder } from './payload-builder.ts';
import type { UnsafeChain } from './unsafe-chain.ts';

/** Milliseconds before its timestamp at which a block is sealed. */
const SEAL_LEAD_MS = 50;
/** Milliseconds until a failed commit is tried again. */
const RETRY_AFTER_MS = 1_000;
/** Milliseconds until a stalled head is looked at again. */
const STALLED_RETRY_MS = 100;
/** Milliseconds until a job is tried again on a client that is syncing. */
const PARKED_MS = 30_000;

/** What the loop needs. */
export interface BlockProducerOptions {
  readonly chain: UnsafeChain;
  /** null: it sequences without one, as op-node does without --conductor.enabled. */
  readonly conductor: ConductorClient | null;
  readonly faults: Faults;
  readonly log: NodeLog;
  readonly builder: Pick<PayloadBuilder, 'begin' | 'seal'>;
  /** From one block to the next. */
  readonly blockMs: number;
  /** Called with a committed block before it is executed. */
  readonly publish: (block: DevBlock) => void;
}

/** Starts stopped; at most one commit is under way at any time. */
export class BlockProducer {
  readonly #options: BlockProducerOptions;
  #isActive = false;
  /** Who is asked and told; null for nobody. */
  #conductor: ConductorClient | null;
  #job: Job | null = null;
  /** Committed and published, and not judged by the execution client yet. */
  #unjudged: DevBlock | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #step: Promise<void> | null = null;

  constructor(options: BlockProducerOptions) {
    this.#options = options;
    this.#conductor = options.conductor;
    options.chain.onHead((head) => {
      const isOff = (this.#job ?? this.#unjudged)?.parentHash !== head.hash;
      if (this.#isActive && this.#step === null && isOff) {
        this.#dropJob();
        this.#wakeIn(0);
      }
    });
  }

  /** Begins anew on the head as it is now: the node was reset. */
  startOver(): void {
    if (!this.#isActive || this.#step !== null) return;
    this.#dropJob();
    this.#wakeIn(0);
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Sequences without asking the conductor from now on (admin_overrideLeader). */
  ignoreConductor(): void {
    this.#conductor = null;
  }

  /** Starts on the given head. Throws RpcError with op-node's texts when it may not. */
  async start(hash: string): Promise<void> {
    if (!(await this.#isLeader())) throw new RpcError('sequencer is not the leader, aborting');
    if (this.#isActive) {
      this.#options.log('info', 'sequencer was running already');
      throw new RpcError('sequencer already running');
    }
    const head = this.#options.chain.head;
    if (hash !== head.hash) {
      throw new RpcError(`block hash does not match: head ${head.hash}:${head.number}, received ${hash}`);
    }
    this.#isActive = true;
    this.#dropJob();
    this.#options.log('info', 'sequencer has been started', { head: head.hash, number: head.number });
    this.#wakeIn(0);
  }

  /** Stops after the commit under way, if any, and returns the head's hash. Throws RpcError when not running. */
  async stop(): Promise<string> {
    if (!this.#isActive) throw new RpcError('sequencer not running');
    if (this.#options.faults.failsNextStop) {
      this.#options.faults.failsNextStop = false;
      throw new RpcError('injected fault: this stop fails');
    }
    await this.#step;
    if (!this.#isActive) throw new RpcError('sequencer not running');
    this.close();
    const head = this.#options.chain.head;
    this.#options.log('info', 'sequencer has been stopped', { head: head.hash, number: head.number });
    return head.hash;
  }

  /** Stops at once, without a word. */
  close(): void {
    this.#isActive = false;
    this.#dropJob();
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  async #isLeader(): Promise<boolean> {
    if (this.#conductor === null) return true;
    try {
      return await this.#conductor.isLeader();
    } catch (error) {
      throw new RpcError(`sequencer leader check failed: ${messageOf(error)}`);
    }
  }

  #wakeIn(delayMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#step !== null || !this.#isActive) return;
      this.#step = this.#runStep().finally(() => void (this.#step = null));
    }, delayMs);
  }

  /** Does what is due and sets the timer for what comes next. Never rejects. */
  async #runStep(): Promise<void> {
    let delayMs = RETRY_AFTER_MS;
    try {
      delayMs = await this.#advance();
    } catch (error) {
      this.#options.log('error', 'sequencing failed, trying again in a second', { err: error });
    }
    if (this.#isActive) this.#wakeIn(delayMs);
  }

  /** Returns milliseconds until it wants to be called again. */
  async #advance(): Promise<number> {
    const { builder, chain, faults, log } = this.#options;
    if (faults.isHeadStalled) return STALLED_RETRY_MS;
    if (this.#unjudged !== null) return this.#process(this.#unjudged);
    if (this.#job === null || this.#job.parentHash !== chain.head.hash) this.#job = await builder.begin(chain.head);
    if (this.#job === null) {
      log('warn', 'the execution client is syncing, backing off', { head: chain.head.hash, number: chain.head.number });
      return PARKED_MS;
    }
    const sealInMs = this.#job.dueMs - SEAL_LEAD_MS - Date.now();
    if (sealInMs > 0) return sealInMs;
    const block = builder.seal(this.#job);
    if (block === null) {
      log('warn', 'the execution client forgot the job', { parent: this.#job.parentHash });
      this.#job = null;
      return 0;
    }
    return this.#commit(block);
  }

  async #commit(block: DevBlock): Promise<number> {
    const { chain, log, publish } = this.#options;
    const { number, hash } = block;
    if (this.#conductor !== null) {
      try {
        await this.#conductor.commit(block);
      } catch (error) {
        log('error', 'failed to commit unsafe payload to conductor', { number, hash, err: error });
        return RETRY_AFTER_MS;
      }
    }
    this.#job = null;
    if (chain.head.hash !== block.parentHash) {
      log('warn', 'dropping a committed block, the chain moved past it', { number, hash });
      return 0;
    }
    publish(block);
    return this.#process(block);
  }

  /** Has the execution client execute a block that is committed and published. */
  async #process(block: DevBlock): Promise<number> {
    const { chain, log, blockMs } = this.#options;
    const { number, hash, timestamp } = block;
    this.#unjudged = null;
    const outcome = await chain.insert(block);
    switch (outcome) {
      case 'inserted':
        log('info', 'sequencer inserted block', { number, hash, time: timestamp });
        return 0;
      case 'invalid':
        log('error', 'the sequenced block is invalid, another will be built on its parent', { number, hash });
        return blockMs;
      case 'unjudged':
        this.#unjudged = block;
        return RETRY_AFTER_MS;
      case 'not-next':
        return 0;
    }
  }

  #dropJob(): void {
    this.#job = null;
    this.#unjudged = null;
  }
}
