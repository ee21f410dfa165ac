/**
 * The chain's rules once more, as plainly as they can be written: a list of objects, folded again for each
 * question. The property tests hold UnsafeChain against it.
 */
import type { BlockSummary } from '../block-summary.ts';
import { prefixedHex } from '../hex.ts';

/** An entry of the log; `block` is null for one that carries no readable payload. */
export interface NaiveEntry {
  readonly index: number;
  readonly block: BlockSummary | null;
  /** The payload below, by what was held when the entry came. */
  previous: NaiveEntry | null;
}

interface State {
  readonly head: NaiveEntry | null;
  readonly tip: NaiveEntry | null;
}

export class NaiveChain {
  log: NaiveEntry[] = [];
  committed = 0;
  /** Where a snapshot or compaction stands for the past, and the state there. */
  #boundary = { index: 0, head: null as NaiveEntry | null, tip: null as NaiveEntry | null };
  /** Entries outside the log that are still known. */
  #pinned: NaiveEntry[] = [];

  get lastIndex(): number {
    return this.log.at(-1)?.index ?? this.#boundary.index;
  }

  append(index: number, block: BlockSummary | null): void {
    const entry: NaiveEntry = { index, block, previous: null };
    if (block !== null) entry.previous = this.#below(block, this.state(Infinity));
    this.log.push(entry);
  }

  truncate(from: number): void {
    this.log = this.log.filter((entry) => entry.index < from);
    if (from <= this.#boundary.index) this.#cover(this.#pinned[0]!);
  }

  /** op-conductor's fold, and the tip, over the entries up to an index. */
  state(through: number): State {
    let { head, tip }: State = this.#boundary;
    for (const entry of this.log) {
      const { block } = entry;
      if (block === null || entry.index <= this.#boundary.index || entry.index > through) continue;
      if (head === null || block.isRollback || block.number > head.block!.number) head = tip = entry;
      else if (block.number === head.block!.number) tip = entry;
    }
    return { head, tip };
  }

  compact(through: number): void {
    const isPast = through <= this.#boundary.index;
    if (!isPast) this.#boundary = { index: through, ...this.state(through) };
    this.log = this.log.filter((entry) => entry.index > through);
    const { head, tip } = this.#boundary;
    this.#pinned = [head, tip].filter((entry) => entry !== null && !this.log.includes(entry)) as NaiveEntry[];
  }

  /** The state at `index` is `block`; what comes after is judged anew. */
  restore(block: BlockSummary, index: number): void {
    const entries = this.log;
    this.log = entries.filter((entry) => entry.index <= index);
    this.committed = index;
    this.#cover({ index, block, previous: null });
    for (const entry of entries) if (entry.index > index) this.append(entry.index, entry.block);
  }

  /** What a process started on this log and a snapshot knows. */
  reopen(block: BlockSummary | null, index: number): void {
    const entries = this.log;
    this.log = [];
    this.committed = 0;
    this.#boundary = { index: 0, head: null, tip: null };
    this.#pinned = [];
    if (block !== null) this.restore(block, index);
    for (const entry of entries) {
      this.append(entry.index, entry.block);
      if (block !== null && entry.index <= index) this.#cover(this.#pinned[0]!);
    }
  }

  /** Finds the snapshot's payload among the entries it covers; later ones at its height move the tip. */
  #cover(base: NaiveEntry): void {
    const atHeight = this.log.filter(
      (entry) => entry.index <= base.index && entry.block?.number === base.block!.number,
    );
    const found = atHeight.findIndex((entry) => same(entry.block!.hash, base.block!.hash));
    const tip = atHeight.slice(Math.max(found, 0)).at(-1) ?? base;
    this.#boundary = { index: base.index, head: atHeight[found] ?? base, tip };
    this.#pinned = [base];
  }

  /** The chain under a tip, highest first. */
  chain(through: number): NaiveEntry[] {
    const found: NaiveEntry[] = [];
    for (let at = this.state(through).tip; at !== null; at = this.#held(at.previous)) found.push(at);
    return found;
  }

  /** The answer to an offered block, as text. */
  admit(block: BlockSummary): string {
    const chain = this.chain(Infinity);
    const tip = chain[0];
    if (tip === undefined) return 'append';
    const { number, hash } = tip.block!;
    if (block.number > number + 1n) return `gap ${block.number - number - 1n}`;
    if (block.number === number + 1n) return same(block.parentHash, hash) ? 'append' : 'parent-mismatch';
    const held = chain.find((entry) => entry.block!.number === block.number);
    if (held === undefined) return 'below-chain';
    const committed = held.index <= this.committed;
    return same(held.block!.hash, block.hash)
      ? `same ${committed}`
      : `height-held ${prefixedHex(held.block!.hash)} ${committed}`;
  }

  #below(block: BlockSummary, state: State): NaiveEntry | null {
    const isParent = (entry: NaiveEntry): boolean =>
      entry.block !== null && entry.block.number === block.number - 1n && same(entry.block.hash, block.parentHash);
    const parent = this.log.findLast(isParent) ?? this.#pinned.find(isParent);
    if (parent !== undefined) return parent;
    const height = state.head?.block!.number ?? -1n;
    if (block.isRollback || block.number < height) return null;
    let below = state.tip;
    while (below !== null && below.block!.number >= block.number) below = this.#held(below.previous);
    return below !== null && below.block!.number < block.number - 1n ? below : null;
  }

  #held(entry: NaiveEntry | null): NaiveEntry | null {
    return entry !== null && (this.log.includes(entry) || this.#pinned.includes(entry)) ? entry : null;
  }
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return prefixedHex(left) === prefixedHex(right);
}
