/**
 * The truth about blocks: which execution clients refuse them, by content. A block may be invalid for all of them or
 * for some, which is what a defect in one client comes to; that is over when the clients are repaired.
 */
import type { Block, Blocks } from './blocks.ts';

export class Verdicts {
  readonly #blocks: Blocks;
  readonly #servers: number;
  /** Bits of the servers whose clients refuse it. */
  readonly #refusedBy = new Map<Block, number>();
  /** By which clients, and when that ended. */
  readonly #repaired = new Map<Block, { readonly bits: number; readonly atMs: number }>();
  /** Were refused by most clients once: nobody can have relied on them. */
  readonly #wereBad = new Set<Block>();

  constructor(blocks: Blocks, servers: number) {
    this.#blocks = blocks;
    this.#servers = servers;
  }

  /** Bits of all servers. */
  get everybody(): number {
    return (1 << this.#servers) - 1;
  }

  /** The block is invalid for the clients of these bits. */
  spoil(block: Block, bits: number): void {
    this.#refusedBy.set(block, bits & this.everybody);
    if (this.isMost(bits)) this.#wereBad.add(block);
  }

  /** The clients are repaired: what only some of them refused is valid for all. */
  repair(block: Block, atMs: number): void {
    this.#repaired.set(block, { bits: this.#refusedBy.get(block) ?? 0, atMs });
    this.#refusedBy.delete(block);
  }

  /** Whether a server's client refuses the block itself; its ancestors are its callers' matter. */
  refuses(index: number, block: Block): boolean {
    return (((this.#refusedBy.get(block) ?? 0) >> index) & 1) === 1;
  }

  /** Clients that refuse the block or something below it, or did until then (world ms). */
  refusersOf(block: Block, sinceMs = Infinity): number {
    let bits = 0;
    if (this.#refusedBy.size + this.#repaired.size === 0) return bits;
    for (let at: Block | null = block; at !== null; at = this.#blocks.parentOf(at)) {
      bits |= this.#refusedBy.get(at) ?? 0;
      const repaired = this.#repaired.get(at);
      if (repaired !== undefined && repaired.atMs >= sinceMs) bits |= repaired.bits;
    }
    return bits;
  }

  /** Whether most clients take the block, since then at least (world ms): then it is one of the chain, for whoever uses it. */
  isSound(block: Block, sinceMs = Infinity): boolean {
    return !this.isMost(this.refusersOf(block, sinceMs));
  }

  /** Whether most clients have always taken it. */
  wasSound(block: Block): boolean {
    if (this.#wereBad.size === 0) return true;
    for (let at: Block | null = block; at !== null; at = this.#blocks.parentOf(at))
      if (this.#wereBad.has(at)) return false;
    return true;
  }

  /** Whether nothing entitles the chain to move back past it: most clients have always taken it, and the rollup has not left it. */
  hasToStay(block: Block): boolean {
    return this.wasSound(block) && !this.#blocks.isDead(block);
  }

  /** Whether the servers of these bits are a majority. */
  isMost(bits: number): boolean {
    return areMost(bits & this.everybody, this.#servers);
  }
}

/** Whether the servers of these bits are a majority of so many. */
export function areMost(bits: number, servers: number): boolean {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return 2 * count > servers;
}
