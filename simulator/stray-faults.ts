/**
 * The faults of `node-faults.ts` and `disk-faults.ts` without what keeps those from biting: a node that goes astray
 * from a block that nobody else holds, and a disk that is lost while another server is down. And commits made twice.
 */
import { SEVERAL, kind, type Kind } from './fault.ts';
import { ASTRAY_MORE_MAX } from './node-faults.ts';

/** A server that has lost its disk is back after so long. */
const BACK_MS = 5;

export const strayFaults = {
  astrayAlone: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} has another block than its last one, or several ({n}), whoever else holds that one',
    (world, { at, amount }) => {
      const { node } = world.machine(at);
      if (!node.isUp) return;
      return node.goAstray(amount % (ASTRAY_MORE_MAX + 1), amount % 2 === 1);
    },
  ),
  lostDiskBeside: kind(
    'both',
    SEVERAL,
    true,
    'conductor {to} is killed, and while it is down {at} loses its disk',
    (world, { at, to }) => {
      const loser = world.machine(at);
      const peer = world.machine(at + 1 + (to % Math.max(1, world.machines.length - 1)));
      if (peer === loser) return;
      // The one that is killed may be the last that knows of the members.
      const isWiped = world.wouldKeepMajority(loser);
      peer.hold(1);
      peer.crash();
      if (isWiped) {
        loser.loseDisk();
        world.queue.after(BACK_MS, () => loser.hold(-1));
      }
      return () => peer.hold(-1);
    },
  ),
  doubledCommit: kind(
    'none',
    'machine',
    false,
    'the next blocks of {at} are committed twice at once',
    (world, { at, amount }) => {
      world.machine(at).node.faults.doubledCommits += 1 + (amount % 3);
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
