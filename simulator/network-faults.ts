/** What happens between conductors: cuts in every direction, delay, loss, resets, repetition. */
import { SEVERAL, between, during, kind, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

function cutAll(world: World, machine: Machine, by: 1 | -1, ways: 'both' | 'out' | 'in'): void {
  for (const other of world.machines) {
    if (other === machine) continue;
    if (ways !== 'in') world.links.cut(machine.index, other.index, by);
    if (ways !== 'out') world.links.cut(other.index, machine.index, by);
  }
}

/** Cuts every link between two sides; returns how it ends. */
export function cutBetween(world: World, one: readonly Machine[], other: readonly Machine[]): () => void {
  const cut = (by: 1 | -1): void => {
    for (const a of one)
      for (const b of other) {
        world.links.cut(a.index, b.index, by);
        world.links.cut(b.index, a.index, by);
      }
  };
  cut(1);
  return () => cut(-1);
}

/** Whether a machine's bit of a number is set. */
function isChosen(machine: Machine, bits: number): boolean {
  return ((bits >> machine.index) & 1) === 1;
}

export const networkFaults = {
  cut: kind(
    'quorum',
    'pair',
    true,
    'nothing gets from {at} to {to}',
    between(({ world, a, b }) => {
      world.links.cut(a.index, b.index, 1);
      return () => world.links.cut(a.index, b.index, -1);
    }),
  ),
  split: kind(
    'quorum',
    'pair',
    true,
    'nothing gets between {at} and {to}',
    between(({ world, a, b }) => cutBetween(world, [a], [b])),
  ),
  partition: kind(
    'quorum',
    SEVERAL,
    true,
    'the machines of the bits of {n} are cut off from the others',
    (world, { amount }) => {
      const { machines } = world;
      const chosen = machines.filter((machine) => isChosen(machine, amount));
      return cutBetween(
        world,
        chosen,
        machines.filter((machine) => !chosen.includes(machine)),
      );
    },
  ),
  bridge: kind('quorum', SEVERAL, true, '{at} alone reaches both halves of the others', (world, { at }) => {
    const middle = world.machine(at);
    const others = world.machines.filter((machine) => machine !== middle);
    const half = others.length / 2;
    return cutBetween(world, others.slice(0, half), others.slice(half));
  }),
  swizzle: kind(
    'quorum',
    SEVERAL,
    true,
    'machines are cut off one by one and joined again in another order',
    (world, event) => {
      const { at, to, amount, forMs } = event;
      const chosen = world.machines
        .map((_, index) => world.machine(at + index))
        .filter((each) => isChosen(each, amount));
      const stepMs = forMs / (2 * chosen.length + 1);
      chosen.forEach((machine, index) => {
        const order = (index + 1 + to) % chosen.length;
        world.queue.after(stepMs * index, () => cutAll(world, machine, 1, 'both'));
        world.queue.after(stepMs * (chosen.length + 1 + order), () => cutAll(world, machine, -1, 'both'));
      });
    },
  ),
  isolate: kind(
    'quorum',
    'machine',
    true,
    '{at} is cut off both ways',
    during((machine, by, world) => cutAll(world, machine, by, 'both')),
  ),
  mute: kind(
    'quorum',
    'machine',
    true,
    'nothing gets out of {at}',
    during((machine, by, world) => cutAll(world, machine, by, 'out')),
  ),
  deafen: kind(
    'quorum',
    'machine',
    true,
    'nothing gets to {at}',
    during((machine, by, world) => cutAll(world, machine, by, 'in')),
  ),
  clog: kind(
    'quorum',
    'pair',
    true,
    'messages from {at} to {to} take {n} ms longer',
    between(({ world, a, b }, { amount }) => {
      world.links.slow(a.index, b.index, amount);
      return () => world.links.slow(a.index, b.index, -amount);
    }),
  ),
  lossy: kind(
    'quorum',
    'pair',
    true,
    'packets from {at} to {to} get lost ({n} in 2000)',
    between(({ world, a, b }, { amount }) => {
      world.links.lose(a.index, b.index, amount / 2000);
      return () => world.links.lose(a.index, b.index, -amount / 2000);
    }),
  ),
  wrongAddress: kind(
    'quorum',
    // Who is led to another machine may be led to the leader, under a name that is not its own.
    SEVERAL,
    true,
    'the address of {to} leads {at} to another machine, perhaps to itself',
    between(({ world, a, b }, { amount }) => {
      const { links, network, machines } = world;
      const target = (b.index + 1 + (amount % Math.max(1, machines.length - 1))) % machines.length;
      const lead = (by: 1 | -1): void => {
        links.mislead(a.index, b.index, target, by);
        network.redial(a.index, b.index);
      };
      lead(1);
      return () => lead(-1);
    }),
  ),
  reset: kind(
    'none',
    'pair',
    false,
    'connections between {at} and {to} are reset',
    between(({ world, a, b }) => world.network.reset(a.index, b.index, false)),
  ),
  resetAll: kind('none', 'nobody', false, 'every connection of {at} is reset', (world, { at }) => {
    const machine = world.machine(at);
    for (const other of world.machines) if (other !== machine) world.network.reset(machine.index, other.index, false);
  }),
  halfReset: kind(
    'none',
    'pair',
    false,
    'connections between {at} and {to} are closed on one side only',
    between(({ world, a, b }) => world.network.reset(a.index, b.index, true)),
  ),
  repeat: kind(
    'none',
    'pair',
    false,
    'the next requests from {at} to {to} arrive twice',
    between(({ world, a, b }, { amount }) => world.links.repeat(a.index, b.index, 1 + (amount % 32))),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
