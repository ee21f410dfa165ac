/**
 * The procedure of the Conductor page, "Spin up op-conductor": one conductor was bootstrapped, and in the end all of
 * them are voters, resumed, and lead where sequencing was before. Steps 1 and 11, deploying, are left to whoever
 * deploys. Planned anew by every run, so what must outlive a run is in the journal.
 */
import type { ClusterConfig, ServerConfig } from './cluster-config.ts';
import { leaderOf, membershipOf, seen, sequencingServers, type ClusterView } from './cluster-view.ts';
import { whyNotAtHead } from './eligibility.ts';
import type { Journal } from './journal.ts';
import { transferStep } from './leadership-step.ts';
import { joinSteps } from './membership-steps.ts';
import type { ClusterAccess } from './observe.ts';
import { OperatorUsageError, RefusedError } from './operator-command.ts';
import { pauseStep, resumeStep } from './pause-steps.ts';
import { MOVE_LAG_BLOCKS_MAX, moveSequencingSteps } from './sequencing-step.ts';
import { findServer } from './server-names.ts';
import { skippedOnce, waitStep, type Procedure, type Step } from './step.ts';

const ANSWER_MS_MAX = 60_000;
/** Somebody has to deploy meanwhile. */
const DEPLOY_MS_MAX = 30 * 60_000;
const HEALTHY_MS_MAX = 2 * 60_000;
/** An op-node that was restarted derives its chain anew, and its conductor waits for it before it answers. */
const IN_SYNC_MS_MAX = 10 * 60_000;

/** Not to be planned now; it may be in a moment, when what was restarted answers. */
export class NotYetError extends RefusedError {}

export interface BootstrapOptions {
  readonly config: ClusterConfig;
  readonly view: ClusterView;
  /** Who is to lead at the end; null for who sequenced before. */
  readonly leader: string | null;
  readonly journal: Journal;
  /** Whether the journal may be written: not by a dry run. */
  readonly isNoted: boolean;
}

/** Plans it; throws RefusedError where the servers cannot become one cluster, OperatorUsageError for a wrong file. */
export function bootstrapProcedure(access: ClusterAccess, options: BootstrapOptions): Procedure {
  const { config, view, journal, isNoted } = options;
  seeWhoSequences(view, journal);
  const first = firstServer(view, journal);
  const original = originalServer(view, first, journal);
  const leader = options.leader ?? original?.id ?? null;
  if (leader !== null) findServer(view, leader);
  if (isNoted) {
    journal.note('first', first.id);
    if (original !== null) journal.note('original', original.id);
  }
  return {
    title: `make ${config.servers.map(({ id }) => id).join(', ')} a cluster, beginning with ${first.id}`,
    steps: bootstrapSteps(access, { config, view, first, original, leader, journal }),
    command: ['bootstrap', ...(leader === null ? [] : ['--leader', leader])],
    journal,
    afterwards: [
      'take OP_CONDUCTOR_RAFT_BOOTSTRAP and OP_CONDUCTOR_PAUSED out of all settings: a conductor that restarts with the latter is paused again',
    ],
  };
}

interface Plan extends Pick<BootstrapOptions, 'config' | 'view' | 'leader' | 'journal'> {
  /** Who was bootstrapped. */
  readonly first: ServerConfig;
  /** Who sequenced before; null when nobody else did. */
  readonly original: ServerConfig | null;
}

function bootstrapSteps(access: ClusterAccess, { config, view, first, original, leader, journal }: Plan): Step[] {
  const others = config.servers.filter((server) => server !== first);
  const isFormed = (now: ClusterView): boolean =>
    config.servers.every(({ id }) => membershipOf(now).members.some((member) => member.id === id && member.isVoter));
  /** Done for good once all have their votes: what follows resumes them. */
  const before = (step: Step): Step => skippedOnce(step, isFormed);
  const pause = (server: ServerConfig): Step => before(pauseStep(access, server));
  const early = others.filter((server) => server !== original || seen(view, server).conductor !== null);
  const late = others.filter((server) => !early.includes(server));
  const sources = original === null ? [first] : [original, first];
  return [
    leadsAlone(first),
    ...[first, ...early].map((server) => before(answers(server))),
    ...sources.map((server) => before(inSync(server))),
    ...[first, ...early].map(pause),
    ...moveSequencingSteps(access, {
      from: original,
      to: first,
      journal,
      whyNot: (now) => whyNotSequencing(now, first),
    }).map(before),
    ...others.map(deployed),
    ...late.map((server): Step => ({ ...pause(server), foresee: () => null })),
    ...others.flatMap((server) => joinSteps(access, { config: server, id: server.id, address: raftAddress(server) })),
    ...[first, ...others].flatMap((server): Step[] => [
      healthy(server),
      { ...resumeStep(access, server, view), foresee: () => null },
    ]),
    // All are members by then.
    ...(leader === null ? [] : [{ ...transferStep(access, leader), foresee: () => null }]),
  ];
}

function answers(server: ServerConfig): Step {
  return waitStep({
    title: `see the conductor of ${server.id} answer`,
    quorum: 'irrelevant',
    isDone: (view) => seen(view, server).conductor !== null,
    progress: (view) => `${server.id} does not answer: ${seen(view, server).whySilent}`,
    deadlineMs: IN_SYNC_MS_MAX,
  });
}

function inSync(server: ServerConfig): Step {
  return waitStep({
    title: `see the op-node of ${server.id} in sync`,
    quorum: 'irrelevant',
    isDone: (view) => whyNotInSync(view, server) === null,
    progress: (view) => whyNotInSync(view, server) ?? '',
    deadlineMs: IN_SYNC_MS_MAX,
  });
}

function whyNotInSync(view: ClusterView, server: ServerConfig): string | null {
  const { id, node, whyNodeSilent } = seen(view, server);
  if (node === null) return server.node === null ? null : `the op-node of ${id} does not answer yet: ${whyNodeSilent}`;
  return node.unsafeHead === null
    ? `the op-node of ${id} does not tell its head yet`
    : whyNotAtHead(view, { id, node }, MOVE_LAG_BLOCKS_MAX);
}

/** Before there is a cluster every op-node has to say whether it sequences: a second one must not be started. */
function seeWhoSequences(view: ClusterView, journal: Journal): void {
  if (journal.read('original') !== null || membershipOf(view).members.length > 1) return;
  const silent = view.servers.find(
    ({ config, node, isKnownIdle }) => config.node !== null && node === null && isKnownIdle !== true,
  );
  if (silent !== undefined)
    throw new NotYetError(
      `the op-node of ${silent.id} does not answer, so nobody knows whether it sequences: ${silent.whyNodeSilent}`,
    );
}

function leadsAlone(first: ServerConfig): Step {
  return waitStep({
    title: `see ${first.id} lead`,
    quorum: 'irrelevant',
    isDone: (view) => leaderOf(view)?.config === first || membershipOf(view).members.length > 1,
    deadlineMs: ANSWER_MS_MAX,
  });
}

function deployed(server: ServerConfig): Step {
  return waitStep({
    title: `see the conductor of ${server.id}, and its op-node with the conductor enabled`,
    isDone: (view) => whyNotDeployed(view, server) === null,
    progress: (view) => whyNotDeployed(view, server) ?? '',
    deadlineMs: DEPLOY_MS_MAX,
  });
}

function whyNotDeployed(view: ClusterView, server: ServerConfig): string | null {
  const { conductor, node } = seen(view, server);
  if (node?.isConductorEnabled === false)
    return `now give the op-node of ${server.id} its settings: OP_NODE_CONDUCTOR_ENABLED=true, an empty OP_NODE_RPC_ADMIN_STATE`;
  return conductor === null ? `now start the conductor of ${server.id} with --paused` : null;
}

function healthy(server: ServerConfig): Step {
  return waitStep({
    title: `see ${server.id} healthy`,
    isDone: (view) => seen(view, server).conductor?.isHealthy !== false && seen(view, server).conductor !== null,
    progress: (view) => seen(view, server).whySilent,
    deadlineMs: HEALTHY_MS_MAX,
  });
}

function whyNotSequencing(view: ClusterView, first: ServerConfig): string | null {
  const { id, node } = seen(view, first);
  if (leaderOf(view)?.config !== first) return `${id} does not lead, so its op-node would refuse to start sequencing`;
  return node?.isConductorEnabled === false
    ? `the op-node of ${id} has no conductor enabled (OP_NODE_CONDUCTOR_ENABLED), so its blocks would not be committed`
    : null;
}

/** The one that was bootstrapped; throws RefusedError when that is not exactly one. */
function firstServer(view: ClusterView, journal: Journal): ServerConfig {
  const noted = journal.read('first');
  const leading = view.servers.filter(({ conductor }) => conductor?.claimsLeader === true);
  const [first] = leading;
  if (leading.length > 1)
    throw new RefusedError(
      `${leading.map(({ id }) => id).join(' and ')} lead clusters of their own; stop all but one of them, delete their raft directories, start them without --raft.bootstrap`,
    );
  if (noted !== null) return findServer(view, noted).config;
  if (first === undefined)
    throw new NotYetError(
      `no conductor leads: start one, not beside the active sequencer, with --raft.bootstrap --paused (${view.servers.map(({ id, whySilent }) => `${id}: ${whySilent === '' ? 'answers' : whySilent}`).join('; ')})`,
    );
  refuseStrangers(view, first.id);
  return first.config;
}

/** A store of another time makes a second cluster of the old members: rule 24. */
function refuseStrangers(view: ClusterView, firstId: string): void {
  const members = membershipOf(view).members.map(({ id }) => id);
  const ids = view.servers.map(({ id }) => id);
  const strangers = members.filter((id) => !ids.includes(id));
  if (strangers.length > 0)
    throw new RefusedError(`${firstId} has members that the cluster file does not name: ${strangers.join(', ')}`);
  for (const { id, conductor } of view.servers) {
    const own = conductor?.membership?.members.map((member) => member.id) ?? [];
    if (own.length > 0 && !own.includes(firstId))
      throw new RefusedError(
        `${id} belongs to another cluster (${own.join(', ')}); stop it, delete its raft directory, start it again`,
      );
  }
}

function originalServer(view: ClusterView, first: ServerConfig, journal: Journal): ServerConfig | null {
  const noted = journal.read('original');
  if (noted !== null) return findServer(view, noted).config;
  if (membershipOf(view).members.length > 1) return null;
  return sequencingServers(view).find(({ config }) => config !== first)?.config ?? null;
}

function raftAddress({ id, consensus }: ServerConfig): string {
  if (consensus !== null) return consensus;
  throw new OperatorUsageError(
    `the cluster file does not tell the raft address of ${id}: write consensus = "host:port"`,
  );
}
