/** The laws of the end: when all faults are over and a while has passed, everything is as it was. */
import type { RaftStatus } from '#conductor/core/raft/status';
import { Suffrage } from '#conductor/core/raft/types';
import { isToVote, type Configuration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import type { Law } from './oracle.ts';

/** Entries a follower may lack while more are written all the time. */
const LAG_MAX = 16;
/** After these an operator may still be adding servers again. */
const membershipKinds: readonly EventKind[] = ['remove', 'demote', 'rivals', 'racingOperators'];
const mixedKinds: readonly EventKind[] = [...membershipKinds, 'crossedOperators'];

/** Every conductor is up again, where the members look for it, in the leader's term, near its commit index, and votes. */
export const allAreBack: Law = (broken) => ({
  finish: ({ run, world }) => {
    const leader = world.leader()?.conductor?.status();
    // A voter of Go's may refuse for good whom its own configuration, which was never committed, does not name. Of those that one of
    // ours knows only op-conductors may be left, which cannot tell it who has joined since.
    const hasOne = (kinds: readonly EventKind[]): boolean => run.events.some(({ kind }) => kinds.includes(kind));
    if (run.configuration.opConductors > 0 && hasOne(mixedKinds)) return;
    if (leader === undefined) return broken('nobody leads');
    const { servers } = leader.configuration.configuration;
    const mayBeMissing = hasOne(membershipKinds);
    for (const { id, index, address, conductor } of world.machines) {
      const member = servers.find((server) => server.id === id);
      if (member === undefined && mayBeMissing) continue;
      const problem =
        member === undefined
          ? 'is no member any more'
          : member.address === address
            ? (whyNotBack(conductor?.status(), leader) ?? whyNoVote(index, member.suffrage, run.configuration))
            : `is looked for at ${member.address}, and is at ${address}`;
      if (problem !== null) broken(`${id} ${problem}`);
    }
  },
});

function whyNotBack(status: RaftStatus | undefined, leader: RaftStatus): string | null {
  if (status === undefined) return 'does not run';
  if (status.term !== leader.term) return `is in term ${status.term} beside a leader of term ${leader.term}`;
  if (status.isRecovering) return 'has not become a voter again';
  if (status.commitIndex < leader.commitIndex - LAG_MAX)
    return `knows of ${status.commitIndex} of ${leader.commitIndex} committed entries`;
  return null;
}

function whyNoVote(index: number, suffrage: Suffrage, configuration: Configuration): string | null {
  return suffrage === Suffrage.nonvoter && isToVote(configuration, index) ? 'has no vote' : null;
}

/**
 * Every member that is back says that it could take over (rule 25), unless its client has no state and waits for another
 * database.
 */
export const allAreReady: Law = (broken) => ({
  finish: ({ world }) => {
    const members = world.leader()?.conductor?.status().configuration.configuration.servers;
    for (const { id, conductor, node } of world.machines) {
      const isMember = members === undefined || members.some((server) => server.id === id);
      if (!isMember || conductor === null || node.client.isWiped) continue;
      const reason = conductor.readiness();
      if (reason !== '') broken(`${id} is not ready: ${reason}`);
    }
  },
});

/**
 * No sequencer runs but that of the leader, and of who is paused, or no member; an op-conductor that was killed beside a dead
 * client leaves its own running.
 */
export const oneSequencerAtRest: Law = (broken) => ({
  finish: ({ world }) => {
    const leader = world.leader();
    const members = leader?.conductor?.status().configuration.configuration.servers;
    for (const { id, node, conductor, nowMs, isOpConductor } of world.machines) {
      if (!node.isActive || !node.isUp || id === leader?.id || isOpConductor) continue;
      const paused = conductor?.answerNow('conductor_paused', nowMs);
      const isPaused = paused?.kind === 'result' && paused.json === 'true';
      const isMember = members === undefined || members.some((server) => server.id === id);
      if (!isPaused && isMember) broken(`the sequencer of ${id} runs, and ${id} does not lead`);
    }
  },
});
