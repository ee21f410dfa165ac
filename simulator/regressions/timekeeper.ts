/** A judge that knows the longest time between two blocks, too: for kept runs that are to go on within a bound. */
import type { Block } from '../blocks.ts';
import { Judge } from '../judge.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';

export class Timekeeper extends Judge {
  /** Between two published blocks that most clients take, milliseconds. */
  longestGapMs = 0;
  #lastMs: number | null = null;
  #watched: World | null = null;

  override watch(world: World): void {
    super.watch(world);
    this.#watched = world;
  }

  override published(machine: Machine, block: Block): void {
    super.published(machine, block);
    if (this.#watched?.verdicts.isSound(block) === false) return;
    if (this.#lastMs !== null) this.longestGapMs = Math.max(this.longestGapMs, machine.worldMs - this.#lastMs);
    this.#lastMs = machine.worldMs;
  }
}
