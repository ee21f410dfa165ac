/** The cluster in sentences: one line for how it stands, and one for everything that is not as it should be. */
import {
  highestHead,
  isSameMembership,
  leaderElsewhere,
  leaderOf,
  leadsByItsWord,
  memberOf,
  membershipOf,
  mistakenFor,
  sequencingServers,
  votersOf,
  type ClusterView,
  type ServerView,
} from './cluster-view.ts';
import { howToStart } from './advice.ts';
import { disputeTroubles } from './disputes.ts';
import { bestSuccessor, whyNotReady } from './eligibility.ts';
import { quorumOf, sparesOf } from './quorum.ts';
import { heardVoters, sequencingTroubles } from './sequencing-troubles.ts';
import { buildingOf, certainLeader } from './sequencers.ts';

/** "node-2 leads in term 3; 3 of 3 voters answer, the loss of one is survived; node-2 sequences, block 123". */
export function describeCluster(view: ClusterView): string {
  return [describeLeader(view), describeQuorum(view), describeSequencing(view)].join('; ');
}

/** The same as two lines of less than 80 columns: who does what, and what may fail. */
export function clusterLines(view: ClusterView): [string, string] {
  const { version } = membershipOf(view);
  const quorum = `${describeQuorum(view)}${version > 0 ? `; membership version ${version}` : ''}`;
  return [`${describeLeader(view)}; ${describeSequencing(view)}`, quorum];
}

function describeLeader(view: ClusterView): string {
  const leader = leaderOf(view);
  const elsewhere = leaderElsewhere(view);
  if (elsewhere !== null) return `${elsewhere} leads, whose URL is not given`;
  if (leader === null)
    return view.servers.some(({ conductor }) => conductor !== null) ? 'nobody leads' : 'nobody answers';
  return `${leader.id} leads${leader.term === null ? '' : ` in term ${leader.term}`}`;
}

function describeQuorum(view: ClusterView): string {
  const { voters, answering: following, needed, isReached } = quorumOf(view);
  if (voters === 0) return 'no membership is known';
  // Without a leader there is nobody to follow: who answers is counted.
  const answering = leaderOf(view) === null ? heardVoters(view) : following;
  const count = `${answering} of ${voters} ${voters === 1 ? 'voter answers' : 'voters answer'}`;
  if (leaderElsewhere(view) !== null) return `of ${voters} voters the leader was not asked: give its URL, too`;
  if (!isReached && answering >= needed) return `${count}, and have no leader`;
  if (!isReached) return `${count}, ${needed} needed`;
  const spares = sparesOf(view);
  return `${count}, ${spares === 0 ? 'none may fail' : `${spares} may fail`}`;
}

function describeSequencing(view: ClusterView): string {
  const head = highestHead(view);
  return `${whoSequences(view)}${head === null ? '' : `, block ${head.number}`}`;
}

function whoSequences(view: ClusterView): string {
  const ids = sequencingServers(view).map(({ id }) => id);
  if (ids.length > 0) return `${ids.join(' and ')} ${ids.length > 1 ? 'sequence' : 'sequences'}`;
  const silent = view.servers.filter((server) => buildingOf(server) === 'unknown').length;
  if (view.servers.some((server) => buildingOf(server) === 'idle'))
    return silent > 0 ? 'nobody says that it sequences' : 'nobody sequences';
  return view.servers.some(({ config }) => config.node !== null)
    ? 'no op-node answers who sequences'
    : 'no op-node was asked who sequences';
}

/** What is not as it should be, most urgent first, each as a sentence. */
export function troubles(view: ClusterView): string[] {
  const leader = leaderOf(view);
  const cluster = [
    ...sequencingTroubles(view),
    ...disputeTroubles(view),
    ...withoutFailover(view, leader),
    ...unreachable(view),
  ];
  return [...cluster, ...view.servers.flatMap((server) => troublesOf(view, server))].filter((text) => text !== '');
}

/** Pauses that nobody sees in the blocks until the leader fails. */
function withoutFailover(view: ClusterView, leader: ServerView | null): string[] {
  if (leader === null) return [];
  const mayVote = ({ id, isNamed }: ServerView): boolean => !isNamed || memberOf(view, id)?.isVoter === true;
  const paused = view.servers.filter((server) => server.conductor?.isPaused === true && mayVote(server));
  const others = paused.filter((server) => server !== leader).map(({ id }) => id);
  if (others.length > 0 && !hasSuccessor(view, leader))
    return [`no automatic failover: ${others.join(', ')} paused, and nobody else could take over from ${leader.id}`];
  const isAlone = votersOf(view).length < 2;
  return paused.includes(leader) && !isAlone
    ? [`no automatic failover while ${leader.id} leads paused: it would not hand over if its sequencer failed`]
    : [];
}

/** Where ids are not known, nobody can tell which of the others votes: one that acts is enough. */
function hasSuccessor(view: ClusterView, leader: ServerView): boolean {
  if (view.servers.every(({ isNamed }) => isNamed)) return bestSuccessor(view, leader.id) !== null;
  return view.servers.some((server) => server !== leader && server.conductor?.isPaused === false);
}

/** Two leaders at once are of two clusters, but for the moment in which one follows the other. */
function leadsBeside(view: ClusterView, server: ServerView): string {
  const leader = certainLeader(view);
  if (leader === null || leader.config === server.config || !leadsByItsWord(server)) return '';
  return `${server.id} says that it leads, too, beside ${leader.id}: if it says so again, it is of another cluster, and is not to be resumed`;
}

/** Voters that this configuration has no URL for. */
function unreachable(view: ClusterView): string[] {
  if (view.servers.some(({ isNamed }) => !isNamed)) return [];
  const known = new Set(view.servers.map(({ id }) => id));
  const missing = membershipOf(view).members.filter(({ id }) => !known.has(id));
  return missing.map(({ id, address }) => `${id} (${address}) is a member and has no URL here`);
}

function troublesOf(view: ClusterView, server: ServerView): string[] {
  const { id, conductor, node, whySilent, whyNodeSilent } = server;
  if (conductor === null) return [`${id} does not answer: ${whySilent}`];
  const isMember = !server.isNamed || memberOf(view, id) !== null;
  const isBehind = conductor.membership !== null && !isSameMembership(conductor.membership, membershipOf(view));
  return [
    conductor.isOverridden === true
      ? `${id} is overridden: it says that it leads, whether or not it does, and leaves its sequencer to you`
      : '',
    conductor.isStopped === true ? `the conductor of ${id} is stopped; ${howToStart(view, server)}` : '',
    mistakenFor(view, server),
    leadsBeside(view, server),
    isMember ? '' : `${id} is not a member of the cluster`,
    isMember && isBehind ? `${id} has another membership than the leader` : '',
    conductor.isHealthy === false ? `${id} calls its sequencer unhealthy` : '',
    whyNotReady(server) ?? '',
    node === null && whyNodeSilent !== '' ? `the op-node of ${id} does not answer: ${whyNodeSilent}` : '',
    node?.isConductorEnabled === false ? `the op-node of ${id} has no conductor enabled` : '',
  ];
}
