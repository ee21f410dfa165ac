/**
 * Pausing and resuming the control loop of one conductor. While it is paused nothing starts, stops or hands over by
 * itself; raft goes on.
 */
import { messageOf } from '#conductor/core/errors';
import { canTake, howToHandOver, howToStart, whySecond } from './advice.ts';
import type { ServerConfig } from './cluster-config.ts';
import { leaderOf, seen, type ClusterView } from './cluster-view.ts';
import type { ClusterAccess } from './observe.ts';
import { buildingOf, certainLeader } from './sequencers.ts';
import type { Step } from './step.ts';

const CHANGE_MS_MAX = 15_000;
const asksToAct = 'its conductor answers and is not stopped';

/** `planned` is the cluster when it is planned, which may know the server by its id. */
export function pauseStep(access: ClusterAccess, config: ServerConfig, planned: ClusterView | null = null): Step {
  const client = access.conductor(config);
  return {
    title: `pause ${nameIn(planned, config)}`,
    isDone: (view) => isPaused(view, config) === true,
    guard: (view) => whyUnreachable(view, config) ?? whyPausedTooEarly(view, config),
    foresee: (view) => whyUnreachable(view, config),
    asks: `${asksToAct}, and it is not about to stop a sequencer that does not lead`,
    execute: () => client.pause(),
    settled: (view) => isPaused(view, config) === true,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
  };
}

/**
 * One step per server, which belong together: half of them paused is worse than none, so when one fails, those that
 * were not paused in `planned` act again.
 */
export function pauseSteps(access: ClusterAccess, configs: readonly ServerConfig[], planned: ClusterView): Step[] {
  const [first, ...others] = configs;
  if (first === undefined || others.length === 0) return configs.map((config) => pauseStep(access, config, planned));
  const running = configs.filter((config) => isPaused(planned, config) !== true);
  return configs.map((config, at) => {
    // The last one leads: it acts again first.
    const taken = configs
      .slice(0, at + 1)
      .filter((one) => running.includes(one))
      .toReversed();
    const step: Step = {
      ...pauseStep(access, config, planned),
      undo: {
        title: `resume ${taken.map((one) => nameIn(planned, one)).join(', ')}`,
        isNeeded: (view) => taken.some((one) => isPaused(view, one) === true),
        execute: (view) => resumeAll(access, taken, view),
      },
    };
    // From the second on nothing is refused any more: it is done, or it fails and all of it is undone.
    if (config === first) return step;
    return { ...step, guard: () => null, quorum: 'irrelevant', execute: (view) => pauseNow(access, config, view) };
  });
}

async function pauseNow(access: ClusterAccess, config: ServerConfig, view: ClusterView): Promise<void> {
  const why = whyUnreachable(view, config) ?? whyPausedTooEarly(view, config);
  if (why !== null) throw new Error(why);
  await access.conductor(config).pause();
}

/** Why a pause would keep a sequencer going beside the leader's; null where its conductor has none to stop. */
function whyPausedTooEarly(view: ClusterView, config: ServerConfig): string | null {
  const server = seen(view, config);
  const { id, conductor } = server;
  const isStopping = conductor?.isOverridden !== true && buildingOf(server) === 'builds';
  if (!isStopping || certainLeader(view) === server) return null;
  const without = leaderOf(view) === server ? 'though no majority follows it' : 'without leading';
  return `${id} builds blocks ${without}, and its conductor is to stop it: paused, it would go on beside whoever leads; look again in a moment`;
}

/** All that are paused, also when one of them refuses, but none beside a sequencer that began meanwhile; throws why. */
async function resumeAll(access: ClusterAccess, configs: readonly ServerConfig[], view: ClusterView): Promise<void> {
  const troubles: string[] = [];
  for (const config of configs.filter((one) => isPaused(view, one) !== false)) {
    const why = whySecond(view, { kind: 'act', server: seen(view, config) });
    if (why !== null) {
      troubles.push(`${nameIn(view, config)} stays paused: ${why}`);
      continue;
    }
    await access
      .conductor(config)
      .resume()
      .catch((error: unknown) => troubles.push(`${nameIn(view, config)}: ${messageOf(error)}`));
  }
  if (troubles.length > 0) throw new Error(troubles.join('; '));
}

/**
 * Refused wherever it could start a second sequencer. `planned` is the cluster when it is planned: a sequencer that does
 * not lead is stopped by resuming; null where it does not sequence.
 */
export function resumeStep(access: ClusterAccess, config: ServerConfig, planned: ClusterView | null): Step {
  const client = access.conductor(config);
  const isLeading = (view: ClusterView): boolean => leaderOf(view) === seen(view, config);
  return {
    title: `resume ${nameIn(planned, config)}`,
    isDone: (view) => isPaused(view, config) === false,
    guard(view) {
      const server = seen(view, config);
      const { id, conductor, node } = server;
      const why = whyUnreachable(view, config) ?? whySecond(view, { kind: 'act', server });
      if (why !== null) return why;
      const isLoneBuilder = node?.isSequencing === true && !isLeading(view);
      if (isLoneBuilder && leaderOf(view)?.node?.isSequencing !== true)
        return `${id} builds blocks without leading, and would stop; ${whatInstead(view, id)}`;
      // Where it does not sequence anyway, handing on is better than nobody.
      if (conductor?.isHealthy === false && isLeading(view) && node?.isSequencing !== false)
        return `${id} leads and calls its sequencer unhealthy, so it would hand leadership on at once`;
      return null;
    },
    foresee: (view) => whyUnreachable(view, config),
    asks: `${asksToAct}, no other op-node builds or is silent where it could start its own, and it would neither stop the only blocks nor hand leadership on at once`,
    execute: () => client.resume(),
    settled: (view) => isPaused(view, config) === false,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: planned !== null && seen(planned, config).node?.isSequencing === true && !isLeading(planned),
  };
}

/** For the only one that builds, where the leader does not. */
function whatInstead(view: ClusterView, id: string): string {
  return canTake(view, id)
    ? `hand leadership to it first: ${howToHandOver(id)}`
    : 'to let the leader build instead, stop its sequencer by hand (admin_stopSequencer) and resume the leader then';
}

function nameIn(view: ClusterView | null, config: ServerConfig): string {
  return view === null ? config.id : seen(view, config).id;
}

function isPaused(view: ClusterView, config: ServerConfig): boolean | null {
  return seen(view, config).conductor?.isPaused ?? null;
}

/** Why a server can be neither paused nor resumed now; null when it can. */
export function whyUnreachable(view: ClusterView, config: ServerConfig): string | null {
  const server = seen(view, config);
  const { id, conductor, whySilent } = server;
  if (conductor === null) return `${id} does not answer: ${whySilent}`;
  return conductor.isStopped === true ? `the conductor of ${id} is stopped; ${howToStart(view, server)}` : null;
}
