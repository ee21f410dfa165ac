/**
 * A leader commits by what a follower had acknowledged and has lost since (rule 33): Go's never lowers what it counts. One
 * follower acknowledges entries that nobody else has, and loses its disk; when a part of them is on it again, it is cut off
 * from the leader, and another follower gets them all, so that the leader commits. Then the leader is killed, and that other
 * one is cut off: of those that are left, a majority by number, none holds what was committed, and none must win.
 */
import type { EventNumbers } from './fault.ts';
import type { Machine } from './machine.ts';
import { cutBetween } from './network-faults.ts';
import type { World } from './world.ts';

/** How often it is looked how far things are: more often than a message gets anywhere. */
const LOOK_MS = 0.2;
/** The tail: what a leader sends at once, twice. A pipeline is slow to send more. */
const ENTRIES = 120;
/** It all happens while the leader still believes in its office. */
const WITHIN_MS = 900;
/** The forgetful one is back after so long. */
const BACK_MS = 5;
/** So many servers there are beside the leader, the forgetful one and the one who gets the rest. */
const REST_MIN = 2;

/** Returns how everything is taken back. */
export function forgottenTail(world: World, { at, to }: EventNumbers): (() => void) | void {
  const leader = world.leader();
  const others = world.machines.filter((machine) => machine !== leader);
  const forgetful = others[at % others.length];
  const rest = others.filter((machine) => machine !== forgetful);
  if (leader === null || forgetful === undefined || rest.length <= REST_MIN) return;
  if (!world.mayLoseDisk(forgetful)) return;
  const undos: (() => void)[] = [];
  const scene = new Scene(world, { leader, forgetful, keeper: rest[to % rest.length]!, rest }, undos);
  scene.begin();
  return () => {
    scene.isOver = true;
    for (const undo of undos) undo();
  };
}

interface Cast {
  readonly leader: Machine;
  readonly forgetful: Machine;
  /** Gets the entries that the forgetful one has lost. */
  readonly keeper: Machine;
  /** Everybody but the leader and the forgetful one. */
  readonly rest: readonly Machine[];
}

class Scene {
  isOver = false;
  readonly #world: World;
  readonly #cast: Cast;
  readonly #undos: (() => void)[];
  readonly #untilMs: number;

  constructor(world: World, cast: Cast, undos: (() => void)[]) {
    this.#world = world;
    this.#cast = cast;
    this.#undos = undos;
    this.#untilMs = world.nowMs + WITHIN_MS;
  }

  begin(): void {
    const { leader, forgetful, rest } = this.#cast;
    const join = cutBetween(this.#world, [leader], rest);
    this.#undos.push(join);
    for (let entry = 0; entry < ENTRIES; entry++) leader.append();
    this.#when(
      () => leader.disk.lastIndex > this.#committed + ENTRIES / 2 && this.#isHeldAsOnLeader(forgetful),
      () => this.#forget(),
    );
  }

  get #committed(): number {
    return this.#cast.leader.conductor?.position().commitIndex ?? 0;
  }

  #isHeldAsOnLeader({ disk }: Machine): boolean {
    return disk.lastIndex >= this.#cast.leader.disk.lastIndex;
  }

  #forget(): void {
    const { forgetful } = this.#cast;
    // Its last answer is on the way.
    this.#world.queue.after(BACK_MS, () => {
      if (this.isOver || !this.#world.mayLoseDisk(forgetful)) return;
      forgetful.loseDisk();
      this.#world.queue.after(BACK_MS, () => forgetful.hold(-1));
      // A second request follows what it has answered: that is what recovery must not end with.
      const part = this.#committed + this.#world.configuration.entriesPerRequest;
      this.#when(
        () => forgetful.disk.lastIndex > part,
        () => this.#keep(),
      );
    });
  }

  #keep(): void {
    const { leader, forgetful, keeper, rest } = this.#cast;
    this.#undos.push(cutBetween(this.#world, [leader], [forgetful]));
    this.#undos.shift()!();
    this.#undos.unshift(
      cutBetween(
        this.#world,
        [leader],
        rest.filter((machine) => machine !== keeper),
      ),
    );
    // What waits on a cut link waits for long: new connections do not.
    this.#world.network.reset(leader.index, keeper.index, false);
    const last = leader.disk.lastIndex;
    this.#when(
      () => this.#committed >= last,
      () => this.#kill(),
    );
  }

  #kill(): void {
    const { leader, keeper } = this.#cast;
    leader.hold(1);
    leader.crash();
    const others = this.#world.machines.filter((machine) => machine !== keeper);
    this.#undos.push(cutBetween(this.#world, [keeper], others));
    this.#undos.push(() => leader.hold(-1));
  }

  /** Goes on once this holds, if it does in time. */
  #when(condition: () => boolean, then: () => void): void {
    if (this.isOver || this.#world.nowMs > this.#untilMs) return;
    if (condition()) then();
    else this.#world.queue.after(LOOK_MS, () => this.#when(condition, then));
  }
}
