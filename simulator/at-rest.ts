/** Whether everything is as the laws of the end want it (oracles/ending-laws.ts): a run that need not be watched further. */
import { Suffrage } from '#conductor/core/raft/types';
import { isToVote } from './configuration.ts';
import type { World } from './world.ts';

/** Block times that the newest block may be old. */
const HEAD_AGE_BLOCKS_MAX = 3;
/** Blocks that a follower's node may lack, and entries of the log that it may not know to be committed. */
const LAG_MAX = 2;

/** All run in one term, are ready, vote if they are to, and have the chain, which goes on; one sequencer runs, and it is the leader's. */
export function isAtRest(world: World): boolean {
  const leader = world.leader();
  const status = leader?.conductor?.position();
  if (leader === null || status === undefined || !leader.node.isActive) return false;
  const { head } = leader.node;
  const ageSeconds = leader.clock.unixMs(world.nowMs) / 1000 - head.timestamp;
  if (ageSeconds > HEAD_AGE_BLOCKS_MAX * world.configuration.blockSeconds) return false;
  const members = status.configuration.configuration.servers;
  return world.machines.every((machine) => {
    const { conductor, id, index, node } = machine;
    const position = conductor?.position();
    const isNonvoter = members.find((server) => server.id === id)?.suffrage === Suffrage.nonvoter;
    return (
      !(isNonvoter && isToVote(world.configuration, index)) &&
      position?.term === status.term &&
      status.commitIndex - position.commitIndex <= LAG_MAX &&
      conductor?.readiness() === '' &&
      node.isUp &&
      head.number - node.head.number <= LAG_MAX &&
      (machine === leader || !node.isActive)
    );
  });
}
