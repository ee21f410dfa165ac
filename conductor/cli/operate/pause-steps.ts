/**
 * Pausing and resuming the control loop of one conductor. While it is paused nothing starts, stops or hands over by
 * itself; raft goes on.
 */
import type { ServerConfig } from './cluster-config.ts';
import { leaderOf, seen, type ClusterView } from './cluster-view.ts';
import type { ClusterAccess } from './observe.ts';
import type { Step } from './step.ts';

const CHANGE_MS_MAX = 15_000;

export function pauseStep(access: ClusterAccess, config: ServerConfig): Step {
  const client = access.conductor(config);
  return {
    title: `pause ${config.id}`,
    isDone: (view) => isPaused(view, config) === true,
    guard: (view) => whyUnreachable(view, config),
    perform: () => client.pause(),
    settled: (view) => isPaused(view, config) === true,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
  };
}

/** `planned` is the cluster when it is planned: a sequencer that does not lead is stopped by resuming; null where it does not sequence. */
export function resumeStep(access: ClusterAccess, config: ServerConfig, planned: ClusterView | null): Step {
  const client = access.conductor(config);
  const isLeading = (view: ClusterView): boolean => leaderOf(view) === seen(view, config);
  return {
    title: `resume ${config.id}`,
    isDone: (view) => isPaused(view, config) === false,
    guard(view) {
      const { id, conductor, node } = seen(view, config);
      const isLoneBuilder = node?.isSequencing === true && !isLeading(view);
      if (isLoneBuilder && leaderOf(view)?.node?.isSequencing !== true)
        return `${id} builds blocks without leading, and would stop; hand leadership to it or start the leader's sequencer first`;
      if (conductor?.isHealthy === false && isLeading(view))
        return `${id} leads and calls its sequencer unhealthy, so it would hand leadership on at once`;
      return whyUnreachable(view, config);
    },
    perform: () => client.resume(),
    settled: (view) => isPaused(view, config) === false,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: planned !== null && seen(planned, config).node?.isSequencing === true && !isLeading(planned),
  };
}

function isPaused(view: ClusterView, config: ServerConfig): boolean | null {
  return seen(view, config).conductor?.isPaused ?? null;
}

function whyUnreachable(view: ClusterView, config: ServerConfig): string | null {
  const { id, conductor, whySilent } = seen(view, config);
  if (conductor === null) return `${id} does not answer: ${whySilent}`;
  return conductor.isStopped === true ? `the conductor of ${id} is stopped; start it again` : null;
}
