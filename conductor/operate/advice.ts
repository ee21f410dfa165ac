/**
 * What to do about a cluster, in words: why an act is refused, and what is safe instead. Whatever a sentence here tells
 * somebody to do was looked at by sequencers.ts first.
 */
import { leaderOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { whyIneligibleToTake } from './eligibility.ts';
import { quorumOf } from './quorum.ts';
import { buildingOf, certainLeader, dangerOf, type Act, type Danger } from './sequencers.ts';

/** Why an act could make two sequencers, with what to do first; null when it is safe. */
export function whySecond(view: ClusterView, act: Act): string | null {
  const danger = dangerOf(view, act);
  if (danger === null) return null;
  const { starts, builds, unknown } = danger;
  if (builds.length === 0) return `${starts} could begin to sequence beside another: ${whatToFindOut(unknown)}`;
  const ids = listed(builds.map(({ id }) => id));
  const verb = builds.length > 1 ? 'build' : 'builds';
  return `${ids} ${verb} blocks, and ${starts} could begin to, beside ${builds.length > 1 ? 'them' : 'it'}; ${builds.map((one) => howToEnd(view, one)).join('; ')}`;
}

/** What has to be known before anything may be started. */
export function whatToFindOut(unknown: Danger['unknown']): string {
  const ids = unknown.map(({ id }) => id);
  const what = ids.length > 1 ? 'they sequence' : 'it sequences';
  return `${unknown.map(({ why }) => why).join('; ')}; find out whether ${what} (admin_sequencerActive), and where certainly not, say so with --idle ${ids.join(',')}`;
}

/** How one that builds is made the only one, or stops. */
export function howToEnd(view: ClusterView, server: ServerView): string {
  const { id, conductor } = server;
  const stop = `stop its sequencer (admin_stopSequencer on the op-node of ${id})`;
  const isOverridden = conductor?.isOverridden === true;
  const leader = certainLeader(view);
  if (leader?.config === server.config) {
    const back = isOverridden ? howToTakeBack(id) : null;
    return back ?? `resume ${id} first, so that it stops when it loses the lead: conductor resume ${id}`;
  }
  if (conductor?.isPaused === false && conductor.isStopped !== true && !isOverridden)
    return `the conductor of ${id} is to stop it: look again, or ${stop}`;
  return canTake(view, id) ? `hand leadership to it, ${howToHandOver(id)}, or ${stop} first` : `${stop} first`;
}

/** How leadership goes to the one that builds, so that what it builds is committed. */
export function howToHandOver(id: string): string {
  return `conductor transfer ${id} (then ${howToEndOverride(id)})`;
}

/** How a conductor is in charge of its sequencer again. */
export function howToTakeBack(id: string): string {
  return `${howToEndOverride(id)}, then take its override back: conductor override ${id} --off`;
}

/** op-node forgets its override only when it is restarted, and tells nobody of it: until then nothing that it builds is committed. */
export function howToEndOverride(id: string): string {
  return `restart the op-node of ${id} if admin_overrideLeader was called there`;
}

/** Whether leadership may go to the one that builds, while the leader does not. */
export function canTake(view: ClusterView, id: string): boolean {
  const leader = leaderOf(view);
  if (leader === null || !quorumOf(view).isReached || buildingOf(leader) === 'builds') return false;
  return whyNotGiving(leader) === null && whyIneligibleToTake(view, id) === null;
}

/** Why a leader must not be asked to hand over: it would go on beside the next; null when it may. */
export function whyNotGiving(leader: ServerView): 'paused' | 'overridden' | null {
  const { conductor } = leader;
  if (buildingOf(leader) === 'idle') return null;
  if (conductor?.isPaused === true) return 'paused';
  return conductor?.isOverridden === true ? 'overridden' : null;
}

/** How to make a paused conductor act: the command where that is safe, else that it is not. */
export function howToResume(view: ClusterView, server: ServerView): string {
  return dangerOf(view, { kind: 'act', server }) === null
    ? `conductor resume ${server.id}`
    : `conductor status says what has to be done before ${server.id} may be resumed`;
}

/** How to start a conductor again that does not run or was stopped: paused, where it could start a second sequencer. */
export function howToStart(view: ClusterView, server: ServerView): string {
  return dangerOf(view, { kind: 'act', server }) === null ? 'start it again' : 'start it again with --paused';
}

function listed(ids: readonly string[]): string {
  return ids.join(' and ');
}
