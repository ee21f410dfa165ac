/**
 * Whether an act could make a second sequencer: the one question that every advice and every guard asks before it
 * names or does what may start one. A pure function of what was observed. An op-node is idle by its own word, by that of
 * its conductor in charge where it has no URL here, or by the operator's (--idle); its silence says nothing.
 */
import {
  leaderOf,
  leadsByItsWord,
  memberOf,
  membershipOf,
  serverOf,
  type ClusterView,
  type ServerView,
} from './cluster-view.ts';
import { quorumOf } from './quorum.ts';

/** What is known of one op-node. */
export type Building = 'builds' | 'idle' | 'unknown';

/** What somebody may be told to do, or does. */
export type Act =
  /** The conductor of a server is in charge from then on: resumed, or started without --paused. */
  | { readonly kind: 'act'; readonly server: ServerView }
  /** Leadership goes to the member with this id. */
  | { readonly kind: 'lead'; readonly id: string }
  /** Its op-node is told to sequence; those `stopped` are told to stop before, or were seen to. */
  | { readonly kind: 'start'; readonly server: ServerView; readonly stopped: readonly ServerView[] };

/** A server of which nobody knows whether it builds, and why. */
export interface Unknown {
  readonly id: string;
  readonly why: string;
}

/** What an act could start, and beside whom; one of both lists has an entry. */
export interface Danger {
  /** Id of the server whose sequencer could start. */
  readonly starts: string;
  /** Others that say that they build, and would go on. */
  readonly builds: readonly ServerView[];
  /** Others that may build. */
  readonly unknown: readonly Unknown[];
}

/** Whether the op-node of a server builds. */
export function buildingOf(server: ServerView): Building {
  const { node, isKnownIdle } = server;
  if (node?.isSequencing === true) return 'builds';
  return node?.isSequencing === false || isKnownIdle === true || isKeptIdle(server) ? 'idle' : 'unknown';
}

/**
 * Where the op-node has no URL here, its conductor's word: one of ours that is in charge, does not lead and is ready, so
 * reaches its op-node, stops whatever sequencer somebody started there. op-conductor would not notice.
 */
function isKeptIdle({ config, conductor, readiness }: ServerView): boolean {
  if (config.node !== null || readiness?.isReady !== true || conductor === null) return false;
  const { claimsLeader, isPaused, isStopped, isOverridden } = conductor;
  return [claimsLeader, isPaused, isStopped, isOverridden].every((is) => is === false);
}

/** Everybody of whom it is not known: servers that were not asked or did not say, and members without a URL here. */
export function unknownBuilders(view: ClusterView): readonly Unknown[] {
  return [...view.servers.filter((server) => buildingOf(server) === 'unknown').map(unknownOf), ...unlisted(view)];
}

/** Who leads beyond doubt: a majority answers and follows it; null where anybody may be elected. */
export function certainLeader(view: ClusterView): ServerView | null {
  return quorumOf(view).isReached ? leaderOf(view) : null;
}

/** Why an act is not safe; null where it starts nothing, or nobody else builds then. */
export function dangerOf(view: ClusterView, act: Act): Danger | null {
  const consequence = consequenceOf(view, act);
  if (consequence === null) return null;
  const { starts, stopped, isMove } = consequence;
  const others = view.servers.filter((server) => server.id !== starts && !stopped.includes(server));
  const builds = others.filter((server) => buildingOf(server) === 'builds');
  // One that stops for one that starts leaves as many as there were.
  const unknown = isMove
    ? []
    : [...others.filter((server) => buildingOf(server) === 'unknown').map(unknownOf), ...unlisted(view)];
  return builds.length + unknown.length === 0 ? null : { starts, builds, unknown };
}

interface Consequence {
  readonly starts: string;
  /** Whose sequencers stop before, or have stopped. */
  readonly stopped: readonly ServerView[];
  /** One of them builds now. */
  readonly isMove: boolean;
}

/** Null where it can start no sequencer. */
function consequenceOf(view: ClusterView, act: Act): Consequence | null {
  if (act.kind === 'start') return { starts: act.server.id, stopped: act.stopped, isMove: false };
  return act.kind === 'act' ? ofActing(view, act.server) : ofLeading(view, act.id);
}

/** A leader starts its own sequencer; a follower may get the lead of one that does not build. */
function ofActing(view: ClusterView, server: ServerView): Consequence | null {
  const leader = certainLeader(view);
  const starts = server.id;
  if (leader?.config === server.config)
    return buildingOf(server) === 'builds' ? null : { starts, stopped: [], isMove: false };
  // One that leads beside it is of another cluster, and needs nobody's votes.
  if (leadsByItsWord(server) && buildingOf(server) !== 'builds') return { starts, stopped: [], isMove: false };
  if (leader !== null && buildingOf(leader) === 'builds') return null;
  if (!mayBeElected(view, server)) return null;
  return { starts, stopped: leader === null ? [] : stoppedByItself(leader), isMove: false };
}

/** The new leader starts its sequencer if its conductor is in charge, the old one stops its own if it is. */
function ofLeading(view: ClusterView, id: string): Consequence | null {
  const leader = leaderOf(view);
  const server = serverOf(view, id);
  if (leader?.id === id) return null;
  if (server !== null && (!mayAct(server) || buildingOf(server) === 'builds')) return null;
  const stopped = leader === null ? [] : stoppedByItself(leader);
  return { starts: id, stopped, isMove: stopped.some((one) => buildingOf(one) === 'builds') };
}

/** The leader, where its conductor would stop its sequencer before another begins: not while it is overridden. */
function stoppedByItself(leader: ServerView): readonly ServerView[] {
  const { conductor } = leader;
  const isInCharge = conductor?.isPaused === false && conductor.isStopped !== true;
  return isInCharge && conductor.isOverridden !== true ? [leader] : [];
}

/** A conductor that does not answer may act. */
export function mayAct({ conductor }: ServerView): boolean {
  return conductor?.isPaused !== true && conductor?.isStopped !== true;
}

function mayBeElected(view: ClusterView, { id, isNamed }: ServerView): boolean {
  if (!isNamed || membershipOf(view).members.length === 0) return true;
  return memberOf(view, id)?.isVoter === true;
}

function unknownOf({ id, config, conductor, node, whyNodeSilent }: ServerView): Unknown {
  if (config.node === null)
    return {
      id,
      why: `the URL of the op-node of ${id} is not known here${conductor === null ? '' : ' (node = "http://…" in a cluster file)'}`,
    };
  if (node === null) return { id, why: `the op-node of ${id} does not answer: ${whyNodeSilent}` };
  return { id, why: `the op-node of ${id} does not tell: its admin methods are off (--rpc.enable-admin)` };
}

/** Members that are none of the servers asked; those of which only the URL is known stand for as many. */
function unlisted(view: ClusterView): readonly Unknown[] {
  const known = new Set(view.servers.filter(({ isNamed }) => isNamed).map(({ id }) => id));
  const missing = membershipOf(view).members.filter(({ id }) => !known.has(id) && !view.knownIdle?.includes(id));
  const nameless = view.servers.filter(({ isNamed }) => !isNamed).length;
  if (missing.length <= nameless) return [];
  return missing.map(({ id }) => ({ id, why: `${id} is a member and has no URL here` }));
}
