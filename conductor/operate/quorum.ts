/**
 * Whether enough voters answer and follow one leader, now and after a change: what every step is refused by. Servers
 * answer here by JSON-RPC, which is not raft, but one that tells the same leader hears from it.
 */
import type { Member } from './conductor-state.ts';
import {
  leaderElsewhere,
  leaderOf,
  mistakenFor,
  serverOf,
  votersOf,
  type ClusterView,
  type ServerView,
} from './cluster-view.ts';

/** Whether enough voters answer, and how many that is. */
interface Quorum {
  readonly voters: number;
  readonly needed: number;
  /** Voters that answer and know the same leader. */
  readonly answering: number;
  /** Somebody leads and enough answer. */
  readonly isReached: boolean;
}

/** Whether the cluster as it is can commit. */
export function quorumOf(view: ClusterView): Quorum {
  const voters = votersOf(view);
  return quorumAmong(view, voters, voters.length);
}

/** Whether it still could if the server `id` fell silent. */
export function survivesLossOf(view: ClusterView, id: string): boolean {
  const voters = votersOf(view);
  return quorumAmong(
    view,
    voters.filter((voter) => voter.id !== id),
    voters.length,
  ).isReached;
}

/** Whether it still could once the server `id` is no voter any more. */
export function survivesRemovalOf(view: ClusterView, id: string): boolean {
  const others = votersOf(view).filter((voter) => voter.id !== id);
  return others.length > 0 && quorumAmong(view, others, others.length).isReached;
}

/** Whether it could with one more voter, which answers or not. */
export function survivesVoteOf(view: ClusterView, id: string): boolean {
  const voters = votersOf(view).filter((voter) => voter.id !== id);
  const { answering } = quorumAmong(view, voters, voters.length);
  const isAnswering = followsLeader(serverOf(view, id), leaderOf(view));
  return answering + (isAnswering ? 1 : 0) >= majority(voters.length + 1);
}

/** How many may fall silent, of those that answer, before nothing can be committed; −1 when nothing can be now. */
export function sparesOf(view: ClusterView): number {
  const quorum = quorumOf(view);
  return quorum.isReached ? quorum.answering - quorum.needed : -1;
}

function quorumAmong(view: ClusterView, candidates: readonly Member[], voterCount: number): Quorum {
  const leader = leaderOf(view);
  const needed = majority(voterCount);
  const ids = new Set(candidates.map(({ id }) => id));
  const following = view.servers.filter((server) => followsLeader(server, leader));
  const named = following.filter((server) => server.isNamed && ids.has(server.id)).length;
  // Servers whose id nobody told: each is one of the voters that no other server is.
  const known = new Set(view.servers.filter(({ isNamed }) => isNamed).map(({ id }) => id));
  const others = candidates.filter(({ id }) => !known.has(id)).length;
  const unnamed = following.filter(({ isNamed }) => !isNamed).length;
  const answering = named + Math.min(others, unnamed);
  return { voters: voterCount, needed, answering, isReached: leader !== null && answering >= needed };
}

/** Answers, and knows this leader; under override a server does not tell whom it follows. */
function followsLeader(server: ServerView | null, leader: ServerView | null): boolean {
  if (server === null || leader === null || server.conductor === null) return false;
  return server === leader || server.conductor.leaderId === leader.id || server.conductor.isOverridden === true;
}

function majority(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/** Why nothing should be changed in this cluster now; null while enough voters answer and follow one leader. */
export function quorumRefusal(view: ClusterView): string | null {
  const quorum = quorumOf(view);
  if (quorum.isReached) return null;
  if (view.servers.every(({ conductor }) => conductor === null)) {
    return `no conductor answers (${view.servers.map(({ whySilent }) => whySilent).join('; ')})`;
  }
  const elsewhere = leaderElsewhere(view);
  if (elsewhere !== null) return `${elsewhere} leads, and its URL is not given: name the conductors of all servers`;
  if (leaderOf(view) === null) return `nobody leads; ${whoAnswers(view)}`;
  return `only ${quorum.answering} of ${quorum.voters} voters answer and follow the leader, ${quorum.needed} are needed; ${whoAnswers(view)}`;
}

/** Who answers and who does not. */
function whoAnswers(view: ClusterView): string {
  const silent = view.servers.filter(({ conductor }) => conductor === null).map(({ id }) => id);
  const mistaken = view.servers.map((server) => mistakenFor(view, server)).filter((text) => text !== '');
  const isListed = ({ id, address }: Member): boolean =>
    view.servers.some((server) => server.id === id || server.config.consensus === address);
  const unnamed = votersOf(view).filter((voter) => !isListed(voter));
  const parts = [
    silent.length > 0 ? `${silent.join(', ')} ${silent.length > 1 ? 'do' : 'does'} not answer` : '',
    unnamed.length > 0 ? `the URL of ${unnamed.map(({ id }) => id).join(', ')} is not known here` : '',
    ...mistaken,
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : 'all servers answer';
}
