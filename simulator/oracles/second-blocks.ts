/**
 * The second block of an op-conductor: while it leads it appends whatever its node builds, also at a height of which another
 * block has been acknowledged. Once it is committed the chain has forked, and what becomes of its blocks from there on is no
 * fault of ours.
 */
import { identityOf } from '#conductor/core/payload/block-summary';
import type { WriteBatch } from '#conductor/core/ports';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { LawName } from './laws.ts';

/** What blocks have to do is asked until an op-conductor's second one is committed; acknowledgedSurvives, of what is below it. */
const lawsOfBlocks: ReadonlySet<LawName> = new Set([
  'noUnsafeReorg',
  'onePublisherPerHeight',
  'parentCommitted',
  'startsOnTheTip',
  'heldBlocksStay',
]);

export class SecondBlocks {
  readonly #world: World;
  readonly #acknowledged = new Map<string, Block>();
  /** Appended, by the index in the log; its term tells it from what may replace it. */
  readonly #appended = new Map<number, { readonly term: number; readonly from: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Whether a law asks nothing any more. */
  excuses(law: LawName): boolean {
    return this.#world.forkedFrom !== Infinity && lawsOfBlocks.has(law);
  }

  committed(block: Block): void {
    const place = placeOf(block);
    if (!this.#acknowledged.has(place)) this.#acknowledged.set(place, block);
  }

  written({ isOpConductor, conductor }: Machine, { entries = [] }: WriteBatch): void {
    if (!isOpConductor || conductor?.position().role !== 'leader') return;
    for (const { entry } of entries) {
      const hash = entry.data === null ? undefined : identityOf(entry.data)?.hash;
      const block = hash === undefined ? null : this.#world.blocks.find(hash);
      const other = block === null ? undefined : this.#acknowledged.get(placeOf(block));
      if (block !== null && other !== undefined && other !== block)
        this.#appended.set(entry.index, { term: entry.term, from: this.#partFrom(block, other) });
    }
  }

  observed({ disk }: Machine, { commitIndex }: Pick<RaftPosition, 'commitIndex'>): void {
    for (const [index, { term, from }] of this.#appended) {
      if (index > commitIndex) continue;
      this.#appended.delete(index);
      if (disk.everAt(index)?.term === term) this.#world.forkedFrom = Math.min(this.#world.forkedFrom, from);
    }
  }

  /** The height at which the chains of two blocks of one height part: what was acknowledged there may have had no answer. */
  #partFrom(block: Block, other: Block): number {
    const { blocks } = this.#world;
    let [one, two] = [block, other];
    while (blocks.parentOf(one) !== blocks.parentOf(two)) [one, two] = [blocks.parentOf(one)!, blocks.parentOf(two)!];
    return one.number;
  }
}

function placeOf({ branch, number }: Block): string {
  return `${branch} ${number}`;
}
