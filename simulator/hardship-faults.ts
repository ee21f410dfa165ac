/**
 * What the usual runs leave out because it asks more of a cluster than other faults, or lasts: disks that are as they
 * were, or that no process takes; machines that stand still without knowing it, that move, that come back paused; and
 * operators and clients who want things at the same time.
 */
import { answerFaults } from './answer-faults.ts';
import { askingFaults } from './asking-faults.ts';
import type { DiskImage } from './disk.ts';
import { EVERY_MACHINE, WHO_LEADS, during, kind, type Kind } from './fault.ts';
import { forgottenTail } from './forgotten-tail.ts';
import { holeFaults } from './hole-faults.ts';
import { otherClusterFaults } from './other-cluster-faults.ts';
import type { Machine } from './machine.ts';
import { membershipFaults } from './membership-faults.ts';
import { stallFaults } from './stall-faults.ts';
import type { World } from './world.ts';

/** Of its amount, how long before the power goes the disk began to lie, milliseconds. */
const LIED_FOR_PART = 0.4;
/** A machine whose disk was put back is up again after this. */
const BACK_MS = 20;
/** An operator looks again after this whether a disk may be wiped. */
const WIPE_AGAIN_MS = 500;
/** Large blocks in a row. */
const LARGE_BLOCKS_MAX = 3;
/** Between two changes that two operators want at once. */
const RACE_EVERY_MS = 700;

/** How long before the resume a sequencer is stopped by hand, at most. */
const BY_HAND_MS = 50;

/** A server that an operator adds by mistake, and how long until the mistake is seen, milliseconds. */
const NEWCOMER = 'newcomer';
const MISTAKE_MS = 8000;

/** Its disk becomes what an image of it was; returns how the machine comes back. */
function putBack(machine: Machine, image: DiskImage, isSilent: boolean): () => void {
  machine.loseDisk(image, isSilent);
  return () => machine.hold(-1);
}

/** An operator wipes a disk that no process takes, when nobody else is missing. */
function wipeWhenSafe(world: World, machine: Machine): void {
  if (!machine.disk.isUnreadable) return;
  if (!world.mayLoseDisk(machine)) return void world.queue.after(WIPE_AGAIN_MS, () => wipeWhenSafe(world, machine));
  machine.loseDisk();
  world.queue.after(BACK_MS, () => machine.hold(-1));
}

/** An operator reads the members through the leader, and changes them for the version that was read. */
function changeByVersion(world: World, change: (leader: Machine, version: bigint) => void): void {
  const leader = world.leader();
  leader?.call('conductor_clusterMembership', [], (outcome) => {
    if (outcome.kind !== 'result') return;
    const { version } = JSON.parse(outcome.json) as { readonly version: number };
    change(leader, BigInt(version));
  });
}

export const hardshipFaults = {
  restored: kind(
    'quorum',
    'machine',
    true,
    'an image of machine {at} is taken, and put back in the end',
    (world, { at }) => {
      const machine = world.machine(at);
      const image = machine.disk.image();
      const { generation } = machine.disk;
      return () => {
        // An image of a disk that was lost since, or of a server that has never voted, is no backup of this one.
        if (machine.disk.generation !== generation || image.hardState?.recovering !== false) return;
        if (world.mayLoseDisk(machine)) world.queue.after(BACK_MS, putBack(machine, image, false));
      };
    },
  ),
  lyingDisk: kind(
    'both',
    'machine',
    true,
    'machine {at} loses power, and its disk what it was told in the last while ({n})',
    (world, { at, amount }) => {
      const machine = world.machine(at);
      const image = machine.disk.image();
      const { generation } = machine.disk;
      let back: (() => void) | null = null;
      let isOver = false;
      world.queue.after(amount * LIED_FOR_PART, () => {
        if (machine.disk.generation !== generation || image.hardState === null || !world.mayLoseDisk(machine)) return;
        back = putBack(machine, image, true);
        // What was to be over before is over now.
        if (isOver) world.queue.after(BACK_MS, back);
      });
      return () => {
        isOver = true;
        back?.();
      };
    },
  ),
  rottenState: kind(
    'quorum',
    'machine',
    true,
    'term, members or snapshot of {at} rot, so that no process takes the disk; an operator wipes it in the end',
    (world, { at }) => {
      const machine = world.machine(at);
      if (!world.mayLoseDisk(machine)) return;
      machine.disk.isUnreadable = true;
      machine.endAndRestart();
      return () => wipeWhenSafe(world, machine);
    },
  ),
  suspended: kind('quorum', 'machine', true, 'machine {at} is suspended, and does not know it', (world, { at }) => {
    const machine = world.machine(at);
    if (machine.isFrozen) return;
    const { life, clock, node } = machine;
    const beganMs = machine.nowMs;
    machine.freeze(1);
    node.faults.stalled++;
    return () => {
      // A process that was started meanwhile has read this clock already.
      if (machine.life === life) clock.stoodStill(machine.nowMs - beganMs);
      node.faults.stalled--;
      node.wake();
      machine.freeze(-1);
    };
  }),
  leap: kind('none', 'machine', true, 'the wall clock of {at} jumps by {n} s less 500', (world, { at, amount }) => {
    const { clock } = world.machine(at);
    const byMs = (amount - 500) * 1000;
    clock.wallOffsetMs += byMs;
    return () => {
      clock.wallOffsetMs -= byMs;
    };
  }),
  lonely: kind(
    'sequencer',
    'machine',
    true,
    'no node is connected to op-node {at}',
    during(({ node }, by) => {
      node.faults.lonely += by;
    }),
  ),
  lonelyClient: kind(
    'sequencer',
    'machine',
    true,
    'no peer is connected to execution client {at}, which counts where conductors have its peers counted',
    during(({ node }, by) => {
      node.faults.lonelyClient += by;
    }),
  ),
  startedPaused: kind('none', 'machine', true, 'conductor {at} is started again with --paused', (world, { at }) => {
    const machine = world.machine(at);
    machine.isStartedPaused = true;
    machine.drain();
    return () => {
      machine.isStartedPaused = false;
      world.callUntilDone(machine, 'conductor_resume', []);
    };
  }),
  allPaused: kind(
    'both',
    EVERY_MACHINE,
    true,
    'operators pause all conductors, and resume them when that of whoever leads has been killed',
    (world, { at, forMs }) => {
      const { machines, queue } = world;
      for (const machine of machines) world.operate(machine, 'conductor_pause', []);
      queue.after(forMs / 2, () => {
        const machine = world.leader() ?? world.machine(at);
        machine.hold(1);
        machine.crash();
        queue.after(forMs / 4, () => machine.hold(-1));
      });
      return () => {
        for (const machine of machines) world.callUntilDone(machine, 'conductor_resume', []);
      };
    },
  ),
  maintenance: kind(
    'sequencer',
    WHO_LEADS,
    true,
    'an operator pauses whoever leads, and restarts its op-node, which takes a while, before the resume',
    (world, { at, forMs }) => {
      const machine = world.leader() ?? world.machine(at);
      const { node } = machine;
      world.operate(machine, 'conductor_pause', []);
      world.queue.after(forMs / 4, () => node.down(1));
      world.queue.after((forMs * 3) / 4, () => node.down(-1));
      return () => world.callUntilDone(machine, 'conductor_resume', []);
    },
  ),
  stoppedByHand: kind(
    'sequencer',
    WHO_LEADS,
    true,
    'an operator pauses whoever leads, stops its sequencer by hand at last, and resumes it',
    (world, { at, forMs }) => {
      const machine = world.leader() ?? world.machine(at);
      const { node, life } = machine;
      world.operate(machine, 'conductor_pause', []);
      world.queue.after(forMs - Math.min(BY_HAND_MS, forMs / 2), () => {
        // A conductor that is started meanwhile is not paused.
        if (node.isUp && machine.life === life) node.stop(() => undefined);
      });
      return () => world.callUntilDone(machine, 'conductor_resume', []);
    },
  ),
  setAside: kind(
    'sequencer',
    'machine',
    true,
    'an operator overrides leadership at {at}, which does not lead, and starts nothing there, and does so once more',
    (world, { at, forMs }) => {
      const machine = world.machine(at);
      // Where it leads, or comes to lead, the chain is the operator's.
      if (world.isOverriding || machine.isOpConductor || machine === world.leader()) return;
      world.isOverriding = true;
      const override = (): void => machine.call('conductor_overrideLeader', [true], () => undefined);
      override();
      world.queue.after(forMs / 2, override);
      return () =>
        world.callUntilDone(machine, 'conductor_overrideLeader', [false], () => {
          world.isOverriding = false;
        });
    },
  ),
  racingOperators: kind(
    'none',
    'nobody',
    true,
    'two operators make {at} a voter, again and again, each for the version that both have read',
    (world, { at, forMs }) => {
      const { id, address } = world.machine(at);
      const race = (): void =>
        changeByVersion(world, (leader, version) => {
          for (let operator = 0; operator < 2; operator++)
            leader.call('conductor_addServerAsVoter', [id, address, version], () => undefined);
        });
      for (let atMs = 0; atMs < forMs; atMs += RACE_EVERY_MS) world.queue.after(atMs, race);
    },
  ),
  misnamed: kind(
    'none',
    'nobody',
    false,
    'an operator adds a new server under the address of {at}',
    (world, { at }) => {
      const leader = world.leader();
      const { id, address } = world.machine(at);
      if (leader === null) return;
      // By the same list, in which the addresses are those of others.
      const { address: other } = world.machine(at + 1);
      if (other !== address) world.operate(leader, 'conductor_transferLeaderToServer', [id, other, 0n]);
      // Unless the answer says that it was taken out again, the mistake is seen in the end, and taken back.
      let isTakenOut = false;
      world.operate(leader, 'conductor_addServerAsVoter', [NEWCOMER, address, 0n], (outcome) => {
        isTakenOut = outcome.kind === 'error' && outcome.message.includes('taken out again');
      });
      world.queue.after(MISTAKE_MS, () => {
        if (!isTakenOut) world.removeUntilDone(NEWCOMER);
      });
    },
  ),
  largeBlocks: kind(
    'none',
    'nobody',
    false,
    'the next blocks that anybody builds have more than a megabyte of transactions ({n})',
    ({ blocks }, { amount }) => {
      blocks.largeNext += 1 + (amount % LARGE_BLOCKS_MAX);
    },
  ),
  ...askingFaults,
  toldToStop: kind(
    'quorum',
    'machine',
    false,
    'an operator calls conductor_stop of {at}, and its supervisor starts it again',
    (world, { at }) => {
      const machine = world.machine(at);
      if (!machine.isOpConductor) world.operate(machine, 'conductor_stop', []);
    },
  ),
  ...membershipFaults,
  ...stallFaults,
  ...answerFaults,
  ...holeFaults,
  ...otherClusterFaults,
  forgottenTail: kind(
    'quorum',
    WHO_LEADS,
    true,
    'a leader commits by what {at} had acknowledged and has lost; it is killed, and who else has that is cut off',
    forgottenTail,
  ),
} as const satisfies Readonly<Record<string, Kind>>;
