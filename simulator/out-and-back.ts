import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** An operator who takes a server out, or its vote, and adds it when that was answered and the event is over (`goOn`). */
export class OutAndBack {
  readonly #world: World;
  readonly #machine: Machine;
  #awaited = 1;

  constructor(world: World, machine: Machine) {
    this.#world = world;
    this.#machine = machine;
  }

  takeOut(leader: Machine, isDemoted: boolean): void {
    this.#awaited++;
    this.#world.takeOut(leader, this.#machine, isDemoted, this.goOn);
  }

  readonly goOn = (): void => {
    this.#awaited--;
    if (this.#awaited === 0) this.#world.addUntilDone(this.#machine);
  };
}
