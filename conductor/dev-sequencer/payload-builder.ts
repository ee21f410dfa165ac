/**
 * The builder in the execution client. As in op-geth a job's id is a digest of its attributes and its finished payload
 * is kept: the same job asked for again gives the same block, also after the sequencer was stopped and started. What
 * is sealed can be spoilt on demand.
 */
import { spoilt, transactionCount, type DevBlock } from './block.ts';
import type { EngineLink } from './engine-link.ts';
import type { Faults } from './faults.ts';

/** Finished payloads that are kept (op-geth: maxTrackedPayloads). */
const PAYLOADS_KEPT_MAX = 10;

/** What is to be built. */
export interface Job {
  readonly id: string;
  readonly parentHash: string;
  /** When it is to be sealed at the latest, Unix milliseconds. */
  readonly dueMs: number;
}

/** What the builder needs. */
export interface PayloadBuilderOptions {
  readonly engine: EngineLink;
  readonly faults: Faults;
  /** Of the next block on a parent: when it is due, Unix milliseconds, and its time stamp, Unix seconds. */
  readonly slot: (parent: DevBlock) => { readonly dueMs: number; readonly timestamp: number };
  /** The next block; in recover mode with one transaction, which stands for the deposits. */
  readonly build: (parent: DevBlock, timestamp: number, isRecovering: boolean) => DevBlock;
}

/** One per node. */
export class PayloadBuilder {
  readonly #options: PayloadBuilderOptions;
  readonly #kept = new Map<string, DevBlock>();
  /** Jobs that always give a bad block. */
  readonly #sticky = new Set<string>();
  /** Blocks without users' transactions (admin_setRecoverMode). */
  isRecovering = false;

  constructor(options: PayloadBuilderOptions) {
    this.#options = options;
  }

  /** Begins the job on a parent, or finds it again; null while the client does not know the parent. Throws EngineError. */
  async begin(parent: DevBlock): Promise<Job | null> {
    const { engine, slot, build } = this.#options;
    if (!(await engine.setHead(parent.hash))) return null;
    const { dueMs, timestamp } = slot(parent);
    const id = `${parent.hash} ${timestamp} ${this.isRecovering ? 'recovering' : 'full'}`;
    if (!this.#kept.has(id)) {
      this.#kept.set(id, build(parent, timestamp, this.isRecovering));
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > PAYLOADS_KEPT_MAX && oldest !== undefined) {
        this.#kept.delete(oldest);
        this.#sticky.delete(oldest);
      }
    }
    return { id, parentHash: parent.hash, dueMs };
  }

  /** The block of a job (engine_getPayload); null for one that was forgotten. */
  seal(job: Job): DevBlock | null {
    const block = this.#kept.get(job.id);
    if (block === undefined) return null;
    const { faults } = this.#options;
    if (this.#sticky.has(job.id)) return spoilt(block);
    if (faults.invalidSealsLeft <= 0) return block;
    if (faults.invalidSealKind === 'full' && transactionCount(block) <= 1) return block;
    faults.invalidSealsLeft -= 1;
    if (faults.invalidSealKind === 'sticky') this.#sticky.add(job.id);
    return spoilt(block);
  }

  /** The client was restarted. */
  forget(): void {
    this.#kept.clear();
    this.#sticky.clear();
  }
}
