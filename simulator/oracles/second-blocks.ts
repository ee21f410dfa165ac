/**
 * The second block of an op-conductor: while it leads it appends whatever its node builds, also at a height of which another
 * block has been acknowledged. The chain has forked then, and what becomes of its blocks is no fault of ours.
 */
import { identityOf } from '#conductor/core/payload/block-summary';
import type { WriteBatch } from '#conductor/core/ports';
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { LawName } from './laws.ts';

/** What blocks have to do is asked until an op-conductor has appended a second one. */
const lawsOfBlocks: ReadonlySet<LawName> = new Set([
  'noUnsafeReorg',
  'onePublisherPerHeight',
  'parentCommitted',
  'startsOnTheTip',
  'heldBlocksStay',
  'acknowledgedSurvives',
]);

export class SecondBlocks {
  readonly #world: World;
  readonly #acknowledged = new Map<string, Block>();
  #isThere = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Whether a law asks nothing any more. */
  excuses(law: LawName): boolean {
    return this.#isThere && lawsOfBlocks.has(law);
  }

  committed(block: Block): void {
    const place = placeOf(block);
    if (!this.#acknowledged.has(place)) this.#acknowledged.set(place, block);
  }

  written({ isOpConductor, conductor }: Machine, { entries = [] }: WriteBatch): void {
    if (!isOpConductor || this.#isThere || conductor?.position().role !== 'leader') return;
    for (const { entry } of entries) {
      const hash = entry.data === null ? undefined : identityOf(entry.data)?.hash;
      const block = hash === undefined ? null : this.#world.blocks.find(hash);
      const other = block === null ? undefined : this.#acknowledged.get(placeOf(block));
      if (other !== undefined && other !== block) this.#isThere = true;
    }
  }
}

function placeOf({ branch, number }: Block): string {
  return `${branch} ${number}`;
}
