/**
 * Builders that seal invalid blocks: the next ones of whoever seals, all of one builder or of all, or one that gives
 * the same bad block for the same job again and again, because it is bad by its content. What a job gives that is
 * spoiled once and sealed again is sound the next time, unless its builder is of that last kind.
 */
import type { Block, Blocks } from './blocks.ts';
import type { L1Header } from './l1.ts';
import type { Verdicts } from './verdicts.ts';

/** What a sequencer has its client build. */
export interface Job {
  /** op-geth's payload id stands for these: parent, L1 origin and whether the pool's transactions are left out. */
  readonly id: string;
  readonly parent: Block;
  readonly origin: L1Header;
  /** The payload, as it should be. */
  readonly block: Block;
  /** With transactions of the pool. */
  readonly isFull: boolean;
}

/** The next seals of whoever seals. */
export interface SpoiledNext {
  left: number;
  /** Servers whose clients refuse them. */
  readonly bits: number;
  /** What has come of it. */
  readonly blocks: Block[];
}

export class SpoiledSeals {
  readonly #blocks: Blocks;
  readonly #verdicts: Verdicts;
  readonly #next: SpoiledNext[] = [];
  /** Faults under way in which every full block of a server is bad; by server. */
  readonly #always: number[];
  /** Jobs that will be spoiled for good, by server; and what those came to. */
  readonly #sticky: number[];
  readonly #stuck = new Map<string, Block>();

  constructor(blocks: Blocks, verdicts: Verdicts, servers: number) {
    this.#blocks = blocks;
    this.#verdicts = verdicts;
    this.#always = Array.from({ length: servers }, () => 0);
    this.#sticky = Array.from({ length: servers }, () => 0);
  }

  /** The next so many blocks that anybody seals are invalid for the clients of these bits. */
  spoilNext(count: number, bits: number): SpoiledNext {
    const next: SpoiledNext = { left: count, bits, blocks: [] };
    this.#next.push(next);
    return next;
  }

  /** It came of such a count, which ends whatever conductors do. */
  isOfNext(block: Block): boolean {
    return this.#next.some(({ blocks }) => blocks.includes(block));
  }

  /** Every full block of a server is invalid; with `by` −1 that is over. */
  spoilAll(server: number, by: 1 | -1): void {
    this.#always[server]! += by;
  }

  /** So many more jobs of a server give the same bad block however often they are sealed; returns what lets the rest be sound. */
  spoilJobs(server: number, count: number): () => void {
    this.#sticky[server]! += count;
    return () => {
      this.#sticky[server] = Math.max(0, this.#sticky[server]! - count);
    };
  }

  /** What a server seals next is invalid, with transactions or without. */
  isSpoiling(server: number): boolean {
    return this.#sticky[server]! > 0 || this.#next.some(({ left }) => left > 0);
  }

  /** What a server seals next is invalid where it has transactions. */
  isSpoilingFull(server: number): boolean {
    return this.isSpoiling(server) || this.#always[server]! > 0;
  }

  /** What comes out when a server seals a job. */
  seal(server: number, job: Job): Block {
    const key = `${server} ${job.id}`;
    const stuck = this.#stuck.get(key);
    if (stuck !== undefined) return stuck;
    if (this.#sticky[server]! > 0) {
      this.#sticky[server]!--;
      const bad = this.#badOf(server, job, this.#verdicts.everybody);
      this.#stuck.set(key, bad);
      return bad;
    }
    if (job.isFull && this.#always[server]! > 0) return this.#badOf(server, job, this.#verdicts.everybody);
    const next = this.#next.find(({ left }) => left > 0);
    if (next === undefined) return job.block;
    next.left--;
    const bad = this.#badOf(server, job, next.bits);
    next.blocks.push(bad);
    return bad;
  }

  #badOf(server: number, { parent, block, origin }: Job, bits: number): Block {
    const bad = this.#blocks.build(parent, server, { origin, isForeign: block.isForeign });
    this.#verdicts.spoil(bad, bits);
    return bad;
  }
}
