/**
 * The sequencing loop, as op-node's: build on the unsafe head at once, seal shortly before the
 * block's time, have the conductor commit it, gossip it, insert it, go on. After a failed commit
 * the same job is tried again every second; it is dropped when the head moves away from its parent.
 */
import type { DevBlock } from './block.ts';
import type { ConductorClient } from './conductor-client.ts';
import type { Faults } from './faults.ts';
import { RpcError } from './json-rpc-server.ts';
import type { NodeLog } from './node-log.ts';
import type { UnsafeChain } from './unsafe-chain.ts';

/** Milliseconds before its timestamp at which a block is sealed. */
const SEAL_LEAD_MS = 50;
/** Milliseconds until a failed commit is tried again. */
const RETRY_AFTER_MS = 1_000;
/** Milliseconds until a stalled head is looked at again. */
const STALLED_RETRY_MS = 100;

/** What the loop needs. */
export interface BlockProducerOptions {
  readonly chain: UnsafeChain;
  /** null: it sequences without one, as op-node does without --conductor.enabled. */
  readonly conductor: ConductorClient | null;
  readonly faults: Faults;
  readonly log: NodeLog;
  /** The next block on a parent. */
  readonly build: (parent: DevBlock) => DevBlock | Promise<DevBlock>;
  /** Called with a committed block before it is inserted. */
  readonly publish: (block: DevBlock) => void;
}

/** Starts stopped; at most one commit is under way at any time. */
export class BlockProducer {
  readonly #options: BlockProducerOptions;
  #isActive = false;
  /** Who is asked and told; null for nobody. */
  #conductor: ConductorClient | null;
  #job: DevBlock | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #step: Promise<void> | null = null;

  constructor(options: BlockProducerOptions) {
    this.#options = options;
    this.#conductor = options.conductor;
    options.chain.onHead((head) => {
      if (this.#isActive && this.#step === null && this.#job !== null && this.#job.parentHash !== head.hash) {
        this.#job = null;
        this.#wakeIn(0);
      }
    });
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
    if (!(await this.#isLeader())) {
      throw new RpcError('sequencer is not the leader, aborting');
    }
    if (this.#isActive) {
      this.#options.log('info', 'sequencer was running already');
      throw new RpcError('sequencer already running');
    }
    const head = this.#options.chain.head;
    if (hash !== head.hash) {
      throw new RpcError(`block hash does not match: head ${head.hash}:${head.number}, received ${hash}`);
    }
    this.#isActive = true;
    this.#job = null;
    this.#options.log('info', 'sequencer has been started', { head: head.hash, number: head.number });
    this.#wakeIn(0);
  }

  /** Stops after the commit under way, if any, and returns the head's hash. Throws RpcError when not running. */
  async stop(): Promise<string> {
    if (!this.#isActive) {
      throw new RpcError('sequencer not running');
    }
    if (this.#options.faults.failsNextStop) {
      this.#options.faults.failsNextStop = false;
      throw new RpcError('injected fault: this stop fails');
    }
    await this.#step;
    if (!this.#isActive) {
      throw new RpcError('sequencer not running');
    }
    this.close();
    const head = this.#options.chain.head;
    this.#options.log('info', 'sequencer has been stopped', { head: head.hash, number: head.number });
    return head.hash;
  }

  /** Stops at once, without a word. */
  close(): void {
    this.#isActive = false;
    this.#job = null;
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  async #isLeader(): Promise<boolean> {
    if (this.#conductor === null) {
      return true;
    }
    try {
      return await this.#conductor.isLeader();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RpcError(`sequencer leader check failed: ${reason}`);
    }
  }

  #wakeIn(delayMs: number): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#step !== null || !this.#isActive) {
        return;
      }
      this.#step = this.#runStep().finally(() => {
        this.#step = null;
      });
    }, delayMs);
  }

  /** Does what is due and sets the timer for what comes next. Never rejects. */
  async #runStep(): Promise<void> {
    let delayMs = RETRY_AFTER_MS;
    try {
      delayMs = await this.#advance();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      this.#options.log('error', 'sequencing failed, trying again in a second', { err: reason });
    }
    if (this.#isActive) {
      this.#wakeIn(delayMs);
    }
  }

  /** Returns milliseconds until it wants to be called again. */
  async #advance(): Promise<number> {
    const { chain, faults } = this.#options;
    if (faults.isHeadStalled) {
      return STALLED_RETRY_MS;
    }
    if (this.#job === null || this.#job.parentHash !== chain.head.hash) {
      this.#job = await this.#options.build(chain.head);
    }
    const sealInMs = this.#job.timestamp * 1000 - SEAL_LEAD_MS - Date.now();
    if (sealInMs > 0) {
      return sealInMs;
    }
    return this.#seal(this.#job);
  }

  async #seal(job: DevBlock): Promise<number> {
    const { chain, log, publish } = this.#options;
    if (this.#conductor !== null) {
      try {
        await this.#conductor.commit(job);
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        log('error', 'failed to commit unsafe payload to conductor', {
          number: job.number,
          hash: job.hash,
          err: reason,
        });
        return RETRY_AFTER_MS;
      }
    }
    this.#job = null;
    if (chain.head.hash !== job.parentHash) {
      log('warn', 'dropping a committed block, the chain moved past it', { number: job.number, hash: job.hash });
      return 0;
    }
    publish(job);
    chain.insert(job);
    log('info', 'sequencer inserted block', { number: job.number, hash: job.hash, time: job.timestamp });
    return 0;
  }
}
