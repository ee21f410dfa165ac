/**
 * `conductor override`: one conductor answers that it leads, for the day on which no majority can be reached; and the
 * way back. It commits nothing on a server that does not lead (rule 27).
 */
import { whySecond } from './advice.ts';
import { leaderOf, seen, type ClusterView } from './cluster-view.ts';
import type { ServerConfig } from './cluster-config.ts';
import type { ClusterAccess } from './observe.ts';
import type { OperatorCommand } from './operator-command.ts';
import { whyUnreachable } from './pause-steps.ts';
import { buildingOf, certainLeader } from './sequencers.ts';
import { findServer } from './server-names.ts';
import type { Step } from './step.ts';

const CHANGE_MS_MAX = 15_000;

export const overrideCommand: OperatorCommand = {
  name: 'override',
  description: 'have one conductor answer that it leads, where no majority can; or take that back',
  arguments: [{ name: '<id>', doc: 'the server that is left' }],
  options: [{ flags: '--off', doc: 'take the override back' }],
  kind: 'procedure',
  isForEmergencies: true,
  details: `For the day on which too few voters are left to elect a leader. The conductor
then passes on calls as if it led and leaves its sequencer to you: blocks that
you have its op-node build are committed nowhere. Refuses while a majority
follows a leader, and while another op-node builds or is silent, or another
conductor acts or is silent: of a server that is silent, see that both have ended
and say so with --idle. With --off the conductor acts again by itself. Before,
restart the op-node: nothing else ends admin_overrideLeader, and until then all
that it builds is published and committed nowhere. Refuses while it builds what
is not committed.`,
  examples: ['conductor override node-3 --idle node-1,node-2', 'conductor override node-3 --off'],
  async run({ words: [name = ''], flags, access, execute }) {
    const view = await access.observe();
    const { id, config } = findServer(view, name);
    const isOff = flags['off'] === true;
    return execute({
      title: isOff ? `take the override of ${id} back` : `override leadership on ${id}`,
      steps: [isOff ? takeBackStep(access, config, view) : overrideStep(access, config, view)],
      command: ['override', id, ...(isOff ? ['--off'] : [])],
      journal: null,
      afterwards: isOff
        ? [`if its op-node has not been restarted since admin_overrideLeader was called there: restart it now`]
        : [
            `on the op-node of ${id}, admin_overrideLeader, then admin_startSequencer with the hash of its newest block`,
            `when the others are back and follow that chain: restart the op-node of ${id}, which ends its override and leaves it stopped, then conductor override ${id} --off`,
          ],
    });
  },
};

/** It may be told to sequence from then on: refused wherever that could be beside another. */
export function overrideStep(access: ClusterAccess, config: ServerConfig, planned: ClusterView): Step {
  const { id } = seen(planned, config);
  const whyNot = (view: ClusterView): string | null => {
    const leader = certainLeader(view);
    if (leader !== null)
      return `${leader.id} leads and a majority follows it: an override is for the day on which nobody can`;
    return whyActing(view, config) ?? whySecond(view, { kind: 'start', server: seen(view, config), stopped: [] });
  };
  return {
    title: `have the conductor of ${id} answer that it leads`,
    isDone: (view) => isOverridden(view, config) === true,
    guard: (view) => whyUnreachable(view, config) ?? whyNot(view),
    foresee: (view) => whyUnreachable(view, config),
    asks: 'it answers, nobody leads with a majority, no other conductor acts or is silent, and no other op-node builds or is silent',
    execute: () => access.conductor(config).override(true),
    settled: (view) => isOverridden(view, config) === true,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
    quorum: 'irrelevant',
  };
}

/** Others that may be elected meanwhile and start their sequencers; null when none can. */
function whyActing(view: ClusterView, config: ServerConfig): string | null {
  const others = view.servers.filter((server) => server.config !== config);
  const acting = others.find(({ conductor }) => conductor !== null && !conductor.isPaused && !conductor.isStopped);
  if (acting !== undefined) return `the conductor of ${acting.id} acts and may be elected: pause it first`;
  const silent = others.filter(({ conductor, isKnownIdle }) => conductor === null && isKnownIdle !== true);
  if (silent.length === 0) return null;
  const names = silent.map(({ id }) => id);
  const [verb, them] = silent.length > 1 ? ['do', 'them'] : ['does', 'it'];
  return `${names.join(' and ')} ${verb} not answer and may lead unseen: see that conductor and op-node have ended there, and say so of ${them} with --idle ${names.join(',')}`;
}

/** Refused while it builds what is not committed, and where it could start beside another. */
export function takeBackStep(access: ClusterAccess, config: ServerConfig, planned: ClusterView): Step {
  const server = seen(planned, config);
  return {
    title: `have the conductor of ${server.id} say again who leads`,
    isDone: (view) => isOverridden(view, config) === false,
    guard: (view) =>
      whyUnreachable(view, config) ??
      whyBuilding(view, config) ??
      (seen(view, config).conductor?.isPaused === true
        ? null
        : whySecond(view, { kind: 'act', server: seen(view, config) })),
    foresee: (view) => whyUnreachable(view, config),
    asks: 'it answers, its op-node builds nothing that is not committed, and it could start no sequencer beside one that builds or is silent',
    execute: () => access.conductor(config).override(false),
    settled: (view) => isOverridden(view, config) === false,
    deadlineMs: CHANGE_MS_MAX,
    stopsSequencing: false,
    quorum: 'irrelevant',
  };
}

/** Why its op-node has to be restarted first; null where it is idle, or the log of its conductor, which leads, has what it builds. */
function whyBuilding(view: ClusterView, config: ServerConfig): string | null {
  const server = seen(view, config);
  const { id, conductor, node } = server;
  if (buildingOf(server) !== 'builds') return null;
  const committed = conductor?.nodes?.committed ?? null;
  const head = node?.unsafeHead ?? null;
  const isCommitting = committed !== null && head !== null && head.number <= committed.number;
  if (isCommitting && leaderOf(view)?.config === config) return null;
  return `the op-node of ${id} builds blocks that are committed nowhere, and may go on with that also when ${id} leads; restart it first, which ends admin_overrideLeader and stops its sequencer`;
}

function isOverridden(view: ClusterView, config: ServerConfig): boolean | null {
  return seen(view, config).conductor?.isOverridden ?? null;
}
