/**
 * Who builds and should not, who should and does not, and nobody who could: each as a sentence with what is safe to do
 * about it, or what has to be found out first.
 */
import { howToEnd, whatToFindOut, whySecond } from './advice.ts';
import {
  highestHead,
  leaderElsewhere,
  leaderOf,
  membershipOf,
  sequencingServers,
  type ClusterView,
  type ServerView,
} from './cluster-view.ts';
import { bestSuccessor } from './eligibility.ts';
import { quorumOf } from './quorum.ts';
import { buildingOf, certainLeader, dangerOf, mayAct, unknownBuilders } from './sequencers.ts';

/** Most urgent first; none where exactly the leader builds. */
export function sequencingTroubles(view: ClusterView): string[] {
  const leader = leaderOf(view);
  const sequencing = sequencingServers(view);
  return [
    sequencing.length > 1 ? `${sequencing.map(({ id }) => id).join(' and ')} sequence at the same time` : '',
    ...sequencing.filter((server) => server !== leader).map((server) => buildsAstray(view, server)),
    leader === null ? nobodyLeads(view) : '',
    leader !== null && buildingOf(leader) === 'idle' ? leadsIdle(view, leader) : '',
    leader !== null && sequencing.length === 0 ? unknownBlocks(view, leader) : '',
  ].filter((text) => text !== '');
}

/** Whether op-nodes answer and none of them makes blocks. */
export function isChainStopped(view: ClusterView): boolean {
  return sequencingServers(view).length === 0 && leaderOf(view)?.node?.isSequencing === false;
}

/** One that builds beside the leader, or while nobody leads. */
function buildsAstray(view: ClusterView, server: ServerView): string {
  const { id, conductor } = server;
  const what = `${id} sequences and does not lead`;
  const isOverridden = conductor?.isOverridden === true;
  // Its conductor stops it, now that it is in charge.
  if (conductor?.isPaused === false && conductor.isStopped !== true && !isOverridden) return what;
  const leader = certainLeader(view);
  if (leader === null) return `${what}: start no conductor beside it without --paused, and resume none`;
  const isResumed = conductor?.isPaused === true && conductor.isStopped !== true && !isOverridden;
  if (buildingOf(leader) === 'builds' && isResumed && dangerOf(view, { kind: 'act', server }) === null)
    return `${what}, and its conductor, being paused, does not stop it: conductor resume ${id}`;
  return `${what}: ${howToEnd(view, server)}`;
}

function leadsIdle(view: ClusterView, leader: ServerView): string {
  const { id, conductor } = leader;
  const isNowhere = sequencingServers(view).length === 0;
  const isCertain = unknownBuilders(view).length === 0;
  const stands = !isNowhere ? '' : isCertain ? ', no blocks are made' : ', and nobody says that it makes blocks';
  const what = `${id} leads and does not sequence${stands}`;
  if (conductor?.isStopped === true) return what;
  const why = whySecond(view, { kind: 'act', server: leader });
  if (conductor?.isPaused === true)
    return why === null
      ? `${what}, because its conductor is paused: conductor resume ${id}`
      : `${what}, because its conductor is paused, which it has to stay: ${why}`;
  if (why !== null) return `${what}; ${why}`;
  const head = highestHead(view);
  if (head?.number === 0)
    return `${what}: the chain has no block, and its conductor starts only on one that is in the log; start the first by hand, on the op-node of ${id}: cast rpc admin_startSequencer ${head.hash}${urlOf(leader)}`;
  const next = bestSuccessor(view, id);
  const advice = next !== null && canTakeOver(view, next) ? `, or hand leadership on, conductor transfer ${next}` : '';
  return `${what}; its conductor is in charge: see in its log why it does not start it${advice}`;
}

/** Not one that holds a password. */
function urlOf({ config: { node } }: ServerView): string {
  return node === null || node.includes('@') ? '' : ` --rpc-url ${node}`;
}

function canTakeOver(view: ClusterView, id: string): boolean {
  return quorumOf(view).isReached && dangerOf(view, { kind: 'lead', id }) === null;
}

/** The leader may build, or not: its op-node does not say, and no other does. */
function unknownBlocks(view: ClusterView, leader: ServerView): string {
  if (buildingOf(leader) !== 'unknown') return '';
  // It was not asked, and its conductor is in charge: nothing speaks for trouble.
  if (leader.config.node === null && leader.conductor?.isPaused === false) return '';
  return `whether blocks are made is not known: ${whatToFindOut(unknownBuilders(view))}`;
}

/** Nobody answers, too few do, or enough do and have no leader: each wants something else. */
function nobodyLeads(view: ClusterView): string {
  const { servers } = view;
  const answering = servers.filter(({ conductor }) => conductor !== null).length;
  if (leaderElsewhere(view) !== null) return '';
  const { voters, needed } = quorumOf(view);
  const start = howToStartMore(view);
  if (answering === 0)
    return `no conductor answers: see whether they run and can be reached from here; if they do not run, ${start}`;
  if (membershipOf(view).members.length === 0)
    return `nobody leads: no conductor that answers belongs to a cluster; ${start}`;
  const heard = heardVoters(view);
  if (heard < needed) return `nobody leads: ${heard} of ${voters} voters answer, and ${needed} are needed; ${start}`;
  return `nobody leads, though ${heard} of ${voters} voters answer: they do not reach each other by raft, or elect right now; see their logs${unsafeToResume(view)}`;
}

/** Voters that answer, whomever they follow. */
export function heardVoters(view: ClusterView): number {
  const { voters } = quorumOf(view);
  return voters - Math.min(voters, silentVoters(view));
}

function silentVoters(view: ClusterView): number {
  const members = membershipOf(view).members.filter(({ isVoter }) => isVoter);
  const answering = view.servers.filter(({ conductor }) => conductor !== null);
  const named = new Set(answering.filter(({ isNamed }) => isNamed).map(({ id }) => id));
  const nameless = answering.filter(({ isNamed }) => !isNamed).length;
  return Math.max(0, members.filter(({ id }) => !named.has(id)).length - nameless);
}

/**
 * Starting a conductor may start a sequencer, its own or that of one which gets a majority by it: paused, both, unless all
 * op-nodes say that they are idle.
 */
function howToStartMore(view: ClusterView): string {
  const silent = view.servers.filter(({ conductor }) => conductor === null);
  const danger = silent.map((server) => dangerOf(view, { kind: 'act', server })).find((one) => one !== null);
  if (!danger) return 'start the others';
  const { builds, unknown } = danger;
  const why = builds.length > 0 ? `${builds.map(({ id }) => id).join(' and ')} sequences` : whatToFindOut(unknown);
  const acting = view.servers.filter((server) => server.conductor !== null && mayAct(server));
  const stopping = acting.find((server) => buildingOf(server) === 'builds');
  if (stopping !== undefined)
    return `look again in a moment: the conductor of ${stopping.id} is to stop its sequencer; start no other before`;
  return `${pauseFirst(acting)}start the others with --paused: ${why}`;
}

/** Those that run and would start their sequencer once they are elected. */
function pauseFirst(acting: readonly ServerView[]): string {
  if (acting.length === 0) return '';
  const commands = acting.map(({ id }) => `conductor pause ${id} --without-quorum`);
  return `pause what would start its sequencer once it is elected, ${commands.join(' and ')}, then `;
}

function unsafeToResume(view: ClusterView): string {
  const acts = view.servers.map((server) => whySecond(view, { kind: 'act', server }));
  const why = acts.find((one) => one !== null);
  return why === undefined ? '' : `; meanwhile resume none: ${why}`;
}
