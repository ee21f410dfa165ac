/**
 * Servers come into the cluster in three steps, and never with a vote before they have caught up; they leave in one.
 * Every change names the membership version it was decided on, so that two operators cannot change it at once.
 */
import type { ServerConfig } from './cluster-config.ts';
import { leaderOf, memberOf, membershipOf, seen, serverOf, votersOf, type ClusterView } from './cluster-view.ts';
import { survivesRemovalOf, survivesVoteOf } from './quorum.ts';
import type { ConductorClient } from './conductor-client.ts';
import { whyBehind } from './eligibility.ts';
import type { ClusterAccess } from './observe.ts';
import { transferAwayStep } from './leadership-step.ts';
import { waitStep, type Step } from './step.ts';

const CHANGE_MS_MAX = 20_000;
/** A server that was away for long gets a snapshot, and its op-node syncs by itself. */
const CATCH_UP_MS_MAX = 5 * 60_000;

/** A server that is to come into the cluster. */
export interface Joiner {
  readonly config: ServerConfig;
  readonly id: string;
  /** "host:port" of raft. */
  readonly address: string;
}

/** Add as nonvoter, wait until it has caught up, give it its vote unless `isNonvoter`. */
export function joinSteps(access: ClusterAccess, joiner: Joiner, isNonvoter = false): Step[] {
  const first = [addNonvoterStep(access, joiner), caughtUpStep(joiner)];
  return isNonvoter ? first : [...first, promoteStep(access, joiner)];
}

function addNonvoterStep(access: ClusterAccess, joiner: Joiner): Step {
  const { id, address } = joiner;
  return {
    title: `add ${id} as a nonvoter`,
    isDone: (view) => memberOf(view, id)?.address === address,
    guard: (view) => whyNotJoining(view, joiner),
    foresee: (view) => whyForeign(view, joiner),
    asks: 'it answers, belongs to no other cluster, and no member has its address',
    execute: (view) => leaderClient(access, view).addNonvoter({ id, address }, membershipOf(view).version),
    settled: (view) => memberOf(view, id)?.address === address,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
  };
}

/** Waits until it has the log, answers as ready, and its op-node is at the head. */
function caughtUpStep({ config, id }: Pick<Joiner, 'config' | 'id'>): Step {
  return waitStep({
    title: `wait until ${id} has caught up`,
    isDone: (view) => whyBehind(view, config) === null,
    progress: (view) => whyBehind(view, config) ?? '',
    broken: (view) =>
      leaderOf(view) !== null && memberOf(view, id) === null ? `${id} was removed from the cluster meanwhile` : null,
    deadlineMs: CATCH_UP_MS_MAX,
  });
}

function promoteStep(access: ClusterAccess, { config, id, address }: Joiner): Step {
  return {
    title: `make ${id} a voter`,
    isDone: (view) => memberOf(view, id)?.isVoter === true,
    guard(view) {
      if (memberOf(view, id) === null) return `${id} is not a member of the cluster`;
      if (!survivesVoteOf(view, id)) return `with ${id} as a voter too few voters would answer to reach a majority`;
      const why = whyBehind(view, config);
      return why === null ? null : `${id} has not caught up: ${why}`;
    },
    asks: 'it has caught up, and with its vote a majority answers still',
    execute: (view) => leaderClient(access, view).addVoter({ id, address }, membershipOf(view).version),
    settled: (view) => memberOf(view, id)?.isVoter === true && whyBehind(view, config) === null,
    progress: (view) => whyBehind(view, config) ?? '',
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
    undo: {
      title: `make ${id} a nonvoter again`,
      isNeeded: (view) => memberOf(view, id)?.isVoter === true,
      execute: (view) => leaderClient(access, view).demote(id, membershipOf(view).version),
    },
  };
}

/** Hand leadership away if it has it, take it out. Refused before leadership moves where it would be refused after. */
export function leaveSteps(access: ClusterAccess, id: string): Step[] {
  const away = transferAwayStep(access, id);
  return [{ ...away, guard: (view) => whyNotLeaving(view, id) ?? away.guard(view) }, removeStep(access, id)];
}

function removeStep(access: ClusterAccess, id: string): Step {
  return {
    title: `remove ${id} from the cluster`,
    isDone: (view) => leaderOf(view) !== null && memberOf(view, id) === null,
    guard: (view) => (leaderOf(view)?.id === id ? `${id} leads` : whyNotLeaving(view, id)),
    foresee: (view) => whyNotLeaving(view, id),
    asks: 'it does not lead, and the others are healthy and a majority without it',
    execute: (view) => leaderClient(access, view).remove(id, membershipOf(view).version),
    settled: (view) => leaderOf(view) !== null && memberOf(view, id) === null,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
  };
}

function whyNotJoining(view: ClusterView, joiner: Joiner): string | null {
  const server = seen(view, joiner.config);
  return server.conductor === null ? `${joiner.id} does not answer: ${server.whySilent}` : whyForeign(view, joiner);
}

/** Why the members could not take it in as it is. */
function whyForeign(view: ClusterView, { config, id, address }: Joiner): string | null {
  const server = seen(view, config);
  const own = server.conductor?.membership?.members ?? [];
  const leader = leaderOf(view);
  if (own.length > 0 && server.conductor?.claimsLeader === true && server !== leader)
    return `${id} leads another cluster (${own.map((member) => member.id).join(', ')}): it was bootstrapped by itself; stop it, delete its raft directory, start it without --raft.bootstrap`;
  const other = membershipOf(view).members.find((member) => member.address === address && member.id !== id);
  if (other !== undefined) return `${other.id} is in the cluster under the address ${address} already`;
  const moved = memberOf(view, id);
  return moved?.isVoter === true
    ? `${id} is a voter at ${moved.address} already; let it leave first: conductor leave ${id}`
    : null;
}

/** Why the cluster would not be well without this server; null when it would be. */
function whyNotLeaving(view: ClusterView, id: string): string | null {
  if (memberOf(view, id)?.isVoter !== true) return null;
  if (votersOf(view).length === 1) return `${id} is the only voter`;
  if (!survivesRemovalOf(view, id)) return `without ${id} too few voters would answer to reach a majority`;
  const remaining = votersOf(view).filter((voter) => voter.id !== id);
  const unwell = remaining.filter((voter) => serverOf(view, voter.id)?.conductor?.isHealthy === false);
  return unwell.length > 0
    ? `${unwell.map((voter) => voter.id).join(' and ')} would remain with an unhealthy sequencer`
    : null;
}

function leaderClient(access: ClusterAccess, view: ClusterView): ConductorClient {
  const leader = leaderOf(view);
  if (leader === null) throw new Error('nobody leads');
  return access.conductor(leader.config);
}
