/** The shape of a kind of event: what it does to a world, how it is taken back, what it can take away. */
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** The numbers of an event: integers ≥ 0; what a kind does not need is 0. */
export interface EventNumbers {
  /** Virtual milliseconds after the event before it. */
  readonly afterMs: number;
  /** The machine it happens to, and the other one where two are concerned. */
  readonly at: number;
  readonly to: number;
  /** How long it lasts, milliseconds; 0 for what is over at once. */
  readonly forMs: number;
  /** Its size, 0..1000; each kind makes its own of it. */
  readonly amount: number;
}

/** What a fault can take away: voters from the quorum, a sequencer, both, or nothing (operators, clients). */
export type Reach = 'quorum' | 'sequencer' | 'both' | 'none';

/**
 * Whom a fault strikes: what the laws of leadership go by when they say whether a leader had reason to be replaced.
 * `machine`: the machine at which it happens, so that a leader elsewhere has nothing to do with it; `pair`: two machines,
 * each of which still reaches the third; `nobody`: clients, and what passes at once. The others no such law judges: `all`, every
 * machine, or what all of them depend on; `several`, the leader perhaps among them; `leader`, whoever leads; `operators`, who
 * change who leads, or may: the laws of hand-overs and members judge that.
 */
export type Strikes = 'machine' | 'pair' | 'nobody' | 'all' | 'several' | 'leader' | 'operators';

export const EVERY_MACHINE: Strikes = 'all';
export const SEVERAL: Strikes = 'several';
export const WHO_LEADS: Strikes = 'leader';
export const OPERATORS: Strikes = 'operators';

export interface Kind {
  readonly reach: Reach;
  readonly strikes: Strikes;
  /** One sentence for stories; {at}, {to} and {n} are filled in. */
  readonly story: string;
  /** Lasts for `forMs`; else it is over at once. */
  readonly lasts: boolean;
  /** Happens, and returns how it ends. */
  act(world: World, event: EventNumbers): (() => void) | void;
}

type Pair = { readonly world: World; readonly a: Machine; readonly b: Machine };

export function kind(reach: Reach, strikes: Strikes, lasts: boolean, story: string, act: Kind['act']): Kind {
  return { reach, strikes, lasts, story, act };
}

/** Something counted that begins and ends. */
export function during(change: (machine: Machine, by: 1 | -1, world: World) => void): Kind['act'] {
  return (world, { at }) => {
    const machine = world.machine(at);
    change(machine, 1, world);
    return () => change(machine, -1, world);
  };
}

/** Something between two different machines. */
export function between(act: (pair: Pair, event: EventNumbers) => (() => void) | void): Kind['act'] {
  return (world, event) => {
    const a = world.machine(event.at);
    const b = world.machine(event.at + 1 + (event.to % Math.max(1, world.machines.length - 1)));
    // Who is alone has nobody to be parted from.
    if (a === b) return;
    return act({ world, a, b }, event);
  };
}
