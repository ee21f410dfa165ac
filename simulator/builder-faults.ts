/** What happens to builders: sealed blocks that execution clients refuse, all of them or some. */
import { EVERY_MACHINE, SEVERAL, WHO_LEADS, kind, type Kind } from './fault.ts';

/** Bad seals in a row. */
const BAD_SEALS = [1, 1, 1, 2, 3, 10] as const;
export const BAD_SEALS_MAX = Math.max(...BAD_SEALS);

/** A job that gives a bad block again and again is sealed within so long, or never; milliseconds. */
const STICKY_MS_MAX = 10_000;

/** How many blocks a `badSeal` of that amount spoils. */
export function badSealsOf(amount: number): number {
  return BAD_SEALS[amount % BAD_SEALS.length]!;
}

/** Whose clients refuse a `disputedSeal` of that amount, as bits: neither nobody's nor everybody's. */
export function disputersOf(amount: number, everybody: number): number {
  return 1 + (amount % (everybody - 1));
}

export const builderFaults = {
  badSeal: kind(
    'sequencer',
    WHO_LEADS,
    false,
    'the next blocks that are sealed are invalid ({n})',
    (world, { amount }) => {
      world.spoiled.spoilNext(badSealsOf(amount), world.verdicts.everybody);
    },
  ),
  badSealBeside: kind(
    'both',
    WHO_LEADS,
    true,
    'a conductor that does not lead is down, and the next block that is sealed is invalid',
    (world, { at }) => {
      const leader = world.leader();
      const others = world.machines.filter((machine) => machine !== leader);
      const down = others[at % Math.max(1, others.length)];
      if (leader === null || down === undefined || !world.wouldKeepMajority(down)) return;
      down.hold(1);
      down.crash();
      world.spoiled.spoilNext(1, world.verdicts.everybody);
      return () => down.hold(-1);
    },
  ),
  stickySeal: kind(
    'sequencer',
    WHO_LEADS,
    false,
    'the builder of whoever leads gives an invalid block for its next jobs, and the same one for the same job ({n})',
    (world, { at, amount }) => {
      const { index } = world.leader() ?? world.machine(at);
      // A server that does not lead seals nothing: what it left is no part of what happens to it much later.
      world.queue.after(STICKY_MS_MAX, world.spoiled.spoilJobs(index, 1 + (amount % 2)));
    },
  ),
  badBuilder: kind('sequencer', 'machine', true, 'every full block that {at} seals is invalid', (world, { at }) => {
    const { index } = world.machine(at);
    world.spoiled.spoilAll(index, 1);
    return () => world.spoiled.spoilAll(index, -1);
  }),
  badBuilders: kind('sequencer', EVERY_MACHINE, true, 'every full block that anybody seals is invalid', (world) => {
    for (const { index } of world.machines) world.spoiled.spoilAll(index, 1);
    return () => {
      for (const { index } of world.machines) world.spoiled.spoilAll(index, -1);
    };
  }),
  disputedSeal: kind(
    'sequencer',
    SEVERAL,
    true,
    'the next block that is sealed is invalid for the clients of the bits of {n} alone, until they are repaired',
    (world, { amount }) => {
      const { verdicts, spoiled, machines } = world;
      const bits = disputersOf(amount, verdicts.everybody);
      const next = spoiled.spoilNext(1, bits);
      return () => {
        next.left = 0;
        for (const block of next.blocks) verdicts.repair(block, world.nowMs);
        // Repaired means another program: what the old one remembered is gone.
        for (const { index, node } of machines) if (((bits >> index) & 1) === 1) node.client.restart();
      };
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
