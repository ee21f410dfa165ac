/**
 * What can happen to a world: one entry per kind of event, with what it does and how it is taken back. Targets
 * are relative (a number modulo the machines), so that an event means something in every run it is put into.
 */
import { EntryType } from '#conductor/raft/types';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** One event of a run. All numbers are integers ≥ 0; what a kind does not need is 0. */
export interface SimEvent {
  readonly kind: EventKind;
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

interface Kind {
  readonly reach: Reach;
  /** One sentence for stories; {at}, {to} and {n} are filled in. */
  readonly story: string;
  /** Lasts for `forMs`; else it is over at once. */
  readonly lasts: boolean;
  /** Happens, and returns how it ends. */
  act(world: World, event: SimEvent): (() => void) | void;
}

type Pair = { readonly world: World; readonly a: Machine; readonly b: Machine };

function kind(reach: Reach, lasts: boolean, story: string, act: Kind['act']): Kind {
  return { reach, lasts, story, act };
}

/** Something counted that begins and ends. */
function during(change: (machine: Machine, by: 1 | -1, world: World) => void): Kind['act'] {
  return (world, { at }) => {
    const machine = world.machine(at);
    change(machine, 1, world);
    return () => change(machine, -1, world);
  };
}

function between(act: (pair: Pair, event: SimEvent) => (() => void) | void): Kind['act'] {
  return (world, event) => {
    const a = world.machine(event.at);
    const b = world.machine(event.at + 1 + (event.to % (world.machines.length - 1)));
    return act({ world, a, b }, event);
  };
}

function cutAll(world: World, machine: Machine, by: 1 | -1, ways: 'both' | 'out' | 'in'): void {
  for (const other of world.machines) {
    if (other === machine) continue;
    if (ways !== 'in') world.links.cut(machine.index, other.index, by);
    if (ways !== 'out') world.links.cut(other.index, machine.index, by);
  }
}

function nodeDown({ node }: Machine, by: 1 | -1): void {
  node.faults.nodeDown += by;
  if (by > 0) node.halt();
  else node.wake();
}

export const kinds = {
  crash: kind('quorum', true, 'conductor {at} is killed', (world, { at }) => {
    const machine = world.machine(at);
    machine.hold(1);
    machine.crash();
    return () => machine.hold(-1);
  }),
  powerCut: kind('both', true, 'machine {at} loses power, and no connection is closed', (world, { at }) => {
    const machine = world.machine(at);
    machine.hold(1);
    machine.crash(true);
    nodeDown(machine, 1);
    return () => {
      nodeDown(machine, -1);
      machine.hold(-1);
    };
  }),
  machineDown: kind('both', true, 'conductor and sequencer {at} are killed', (world, { at }) => {
    const machine = world.machine(at);
    machine.hold(1);
    nodeDown(machine, 1);
    machine.crash();
    return () => {
      nodeDown(machine, -1);
      machine.hold(-1);
    };
  }),
  freeze: kind(
    'quorum',
    true,
    'conductor {at} freezes',
    during((machine, by) => machine.freeze(by)),
  ),
  upgrade: kind('quorum', false, 'conductor {at} gets SIGTERM and is started again', (world, { at }) =>
    world.machine(at).drain(),
  ),

  cut: kind(
    'quorum',
    true,
    'nothing gets from {at} to {to}',
    between(({ world, a, b }) => {
      world.links.cut(a.index, b.index, 1);
      return () => world.links.cut(a.index, b.index, -1);
    }),
  ),
  split: kind(
    'quorum',
    true,
    'nothing gets between {at} and {to}',
    between(({ world, a, b }) => {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const)
        world.links.cut(from.index, to.index, 1);
      return () => {
        world.links.cut(a.index, b.index, -1);
        world.links.cut(b.index, a.index, -1);
      };
    }),
  ),
  isolate: kind(
    'quorum',
    true,
    '{at} is cut off both ways',
    during((machine, by, world) => cutAll(world, machine, by, 'both')),
  ),
  mute: kind(
    'quorum',
    true,
    'nothing gets out of {at}',
    during((machine, by, world) => cutAll(world, machine, by, 'out')),
  ),
  deafen: kind(
    'quorum',
    true,
    'nothing gets to {at}',
    during((machine, by, world) => cutAll(world, machine, by, 'in')),
  ),
  clog: kind(
    'quorum',
    true,
    'messages from {at} to {to} take {n} ms longer',
    between(({ world, a, b }, { amount }) => {
      world.links.slow(a.index, b.index, amount);
      return () => world.links.slow(a.index, b.index, -amount);
    }),
  ),
  lossy: kind(
    'quorum',
    true,
    'packets from {at} to {to} get lost ({n} in 2000)',
    between(({ world, a, b }, { amount }) => {
      world.links.lose(a.index, b.index, amount / 2000);
      return () => world.links.lose(a.index, b.index, -amount / 2000);
    }),
  ),
  reset: kind(
    'none',
    false,
    'connections between {at} and {to} are reset',
    between(({ world, a, b }) => world.network.reset(a.index, b.index, false)),
  ),
  halfReset: kind(
    'none',
    false,
    'connections between {at} and {to} are closed on one side only',
    between(({ world, a, b }) => world.network.reset(a.index, b.index, true)),
  ),
  repeat: kind(
    'none',
    false,
    'the next requests from {at} to {to} arrive twice',
    between(({ world, a, b }, { amount }) => world.links.repeat(a.index, b.index, 1 + (amount % 32))),
  ),

  slowDisk: kind('quorum', true, 'writes of {at} take {n} ms', (world, { at, amount }) => {
    const { disk } = world.machine(at);
    disk.extraLatencyMs += amount;
    return () => {
      disk.extraLatencyMs -= amount;
    };
  }),
  fullDisk: kind(
    'quorum',
    true,
    'the disk of {at} is full',
    during(({ disk }, by) => {
      disk.failures += by;
    }),
  ),
  lostDisk: kind('both', true, '{at} loses its disk and comes back with an empty one', (world, { at }) => {
    const machine = world.machine(at);
    if (!world.mayLoseDisk(machine)) return;
    machine.hold(1);
    machine.crash();
    machine.disk.wipe();
    world.witness.wiped(machine);
    return () => machine.hold(-1);
  }),
  rot: kind('none', false, 'an old log entry of {at} rots', (world, { at, amount }) => {
    const machine = world.machine(at);
    const { firstIndex, lastIndex } = machine.disk;
    const span = lastIndex - firstIndex;
    // Cold: everybody has long had it. A configuration that rots keeps its server from starting, for an operator to replace.
    const index = firstIndex + (amount % Math.max(1, span - 8));
    if (span > 8 && machine.disk.entryAt(index)?.type === EntryType.command) machine.rot(index);
  }),

  clockStep: kind('none', true, 'the wall clock of {at} jumps by {n} ms', (world, { at, amount }) => {
    const { clock } = world.machine(at);
    const byMs = amount - 500;
    clock.wallOffsetMs += byMs;
    return () => {
      clock.wallOffsetMs -= byMs;
    };
  }),
  clockRate: kind('quorum', true, 'the clock of {at} runs at another rate ({n})', (world, { at, amount }) => {
    const { clock } = world.machine(at);
    clock.setRate(world.nowMs, amount < 500 ? 0.5 + amount / 1000 : amount / 500);
    return () => clock.setRate(world.nowMs, 1);
  }),

  nodeDown: kind('sequencer', true, 'op-node {at} is down', during(nodeDown)),
  executionDown: kind(
    'sequencer',
    true,
    'the execution client of {at} is down',
    during(({ node }, by) => {
      node.faults.executionDown += by;
      if (by < 0) node.wake();
    }),
  ),
  slowNode: kind('sequencer', true, 'op-node {at} answers {n} ms late', (world, { at, amount }) => {
    const { faults } = world.machine(at).node;
    faults.slowMs += amount;
    return () => {
      faults.slowMs -= amount;
    };
  }),
  stall: kind(
    'sequencer',
    true,
    'the head of {at} stands still',
    during(({ node }, by) => {
      node.faults.stalled += by;
      if (by < 0) node.wake();
    }),
  ),
  unprovisioned: kind(
    'sequencer',
    true,
    'the sequencer of {at} cannot be started',
    during(({ node }, by) => {
      node.faults.unprovisioned += by;
    }),
  ),
  partialBoost: kind(
    'sequencer',
    true,
    'rollup-boost of {at} is partially healthy',
    during(({ node }, by) => {
      node.faults.partialBoost += by;
    }),
  ),
  lostGossip: kind('sequencer', false, 'the next blocks of {at} reach nobody', (world, { at, amount }) => {
    world.machine(at).node.faults.lostGossip += 1 + (amount % 5);
  }),
  lateGossip: kind('none', true, 'blocks of {at} reach the others {n} ms late', (world, { at, amount }) => {
    const { faults } = world.machine(at).node;
    faults.lateGossipMs += amount;
    return () => {
      faults.lateGossipMs -= amount;
    };
  }),
  failStop: kind('sequencer', false, 'the next stops of sequencer {at} fail', (world, { at, amount }) => {
    world.machine(at).node.faults.failingStops += 1 + (amount % 2);
  }),
  lateBlock: kind('sequencer', false, 'sequencer {at} builds one more block after its next stop', (world, { at }) => {
    world.machine(at).node.faults.lateBlocks++;
  }),
  rewind: kind('sequencer', false, 'op-node {at} restarts and has lost its last blocks', (world, { at, amount }) => {
    const { node } = world.machine(at);
    node.halt();
    node.rewind(1 + (amount % 6));
  }),
  rollback: kind('none', false, 'the rollup goes back some blocks', (world, { amount }) =>
    world.rollBack(1 + (amount % 4)),
  ),

  pause: kind('none', true, 'an operator pauses {at}', (world, { at }) => {
    const machine = world.machine(at);
    world.operate(machine, 'conductor_pause', []);
    return () => world.operate(machine, 'conductor_resume', []);
  }),
  transfer: kind('none', false, 'an operator hands leadership on', (world) => {
    const leader = world.leader();
    if (leader !== null) world.operate(leader, 'conductor_transferLeader', []);
  }),
  transferTo: kind('none', false, 'an operator hands leadership to {at}', (world, { at }) => {
    const leader = world.leader();
    const { id, address } = world.machine(at);
    if (leader !== null) world.operate(leader, 'conductor_transferLeaderToServer', [id, address, 0n]);
  }),
  remove: kind('quorum', true, 'an operator removes {at} and adds it again', (world, { at }) => {
    const { id, address } = world.machine(at);
    const leader = world.leader();
    if (!world.mayLeave(world.machine(at))) return;
    if (leader !== null) world.operate(leader, 'conductor_removeServer', [id, 0n]);
    return () => world.addUntilDone(id, address);
  }),
  demote: kind('quorum', true, 'an operator demotes {at} and promotes it again', (world, { at }) => {
    const { id, address } = world.machine(at);
    const leader = world.leader();
    if (!world.mayLeave(world.machine(at))) return;
    if (leader !== null) world.operate(leader, 'conductor_demoteVoter', [id, 0n]);
    return () => world.addUntilDone(id, address);
  }),
  burst: kind('none', true, 'entries without payloads ({n} / 20) are written through whoever leads', (world, event) => {
    const count = 1 + Math.floor(event.amount / 20);
    // A leader that does not know yet that it is deposed gets some, too.
    const append = (): void => {
      for (const machine of world.machines) if (machine.conductor?.status().role === 'leader') machine.append();
    };
    for (let at = 0; at < count; at++) world.queue.after((event.forMs * at) / count, append);
  }),
  read: kind('none', false, 'a client reads the log through {at}', (world, { at }) => {
    world.witness.readBegins(world.machine(at));
  }),
} as const satisfies Readonly<Record<string, Kind>>;

export type EventKind = keyof typeof kinds;

export const eventKinds = Object.keys(kinds) as readonly EventKind[];

/** The event as a sentence. */
export function storyOf(event: SimEvent, servers: number): string {
  const { story, lasts } = kinds[event.kind];
  const at = event.at % servers;
  const to = (event.at + 1 + (event.to % (servers - 1))) % servers;
  const text = story.replaceAll('{at}', `s${at}`).replaceAll('{to}', `s${to}`).replaceAll('{n}', String(event.amount));
  return lasts ? `${text}, for ${event.forMs} ms` : text;
}
