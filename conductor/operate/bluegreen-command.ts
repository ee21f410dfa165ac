/**
 * `conductor bluegreen`: the procedure of the Conductor page for deployments while no conductor is in charge: one
 * op-node sequences, another one gets the new release, is moved to by hand, and the first follows.
 */
import { bringBack } from './bring-back.ts';
import type { ServerConfig } from './cluster-config.ts';
import {
  blocksSince,
  highestHead,
  leaderOf,
  membershipOf,
  seen,
  sequencingServers,
  serverOf,
  type ClusterView,
} from './cluster-view.ts';
import { deployStep, deploymentKey } from './deploy-step.ts';
import { deploymentDependencies, freshOption, type DeploymentDependencies } from './deployment-order.ts';
import { whyNotAtHead } from './eligibility.ts';
import type { ClusterAccess } from './observe.ts';
import { OperatorUsageError, RefusedError, type OperatorCommand } from './operator-command.ts';
import { MOVE_LAG_BLOCKS_MAX, moveSequencingSteps, whyNotStarting } from './sequencing-step.ts';
import { findServer } from './server-names.ts';
import { skippedOnce, type Step } from './step.ts';

/** Blocks that the new sequencer has to build, and the longest wait for them, milliseconds. */
const BLOCKS_SEEN = 3;
/** The chain stands while none come: a few blocks of the slowest chain, milliseconds. */
const BLOCKS_MS_MAX = 20_000;

export const bluegreenCommand: OperatorCommand = {
  name: 'bluegreen',
  description: 'deploy while no conductor is in charge: to another sequencer, move to it, then to the first',
  arguments: [{ name: '[id]', doc: 'who gets the release first; without it the other op-node that is furthest' }],
  options: [{ flags: '--back', doc: 'move sequencing back at the end' }, freshOption],
  kind: 'procedure',
  details: `Needs a cluster file with the URLs of the op-nodes, which offer their admin
methods. Deploys to the candidate (see "conductor rolling" for deploy commands),
waits until it follows the head, stops the active sequencer, waits until the
candidate has its last block, starts there, and sees blocks go on; if they do
not, sequencing moves back, once the candidate says that it has stopped or its
op-node is ended. Then deploys to the server that sequenced before. No op-node
may begin to sequence by itself: start them with --sequencer.stopped, or
--rpc.admin-state (OP_NODE_RPC_ADMIN_STATE), which remembers what it was told.
Refuses while a conductor is in charge, and for an op-node with its conductor
enabled, which sequences only while that conductor leads: "conductor canary" is
for both.`,
  examples: ['conductor bluegreen node-2 --dry-run', 'conductor bluegreen --yes --back'],
  async run(task) {
    const view = await task.access.observe();
    const candidate = candidateOf(view, task.words[0]);
    const dependencies = deploymentDependencies(task, { name: `bluegreen ${candidate.id}`, view });
    const original = originalOf(dependencies, view, candidate);
    const isBack = task.flags['back'] === true;
    const { access } = task;
    const { journal } = dependencies;
    const there = moveSequencingSteps(access, { from: original, to: candidate, journal, whyNot: whyInCharge });
    const back = moveSequencingSteps(access, { from: candidate, to: original, journal, whyNot: whyInCharge });
    const refusal = whyStuck(view, { candidate, original, isBack, isMoved: journal.read('seen') === 'done' });
    if (refusal !== null) throw new RefusedError(refusal);
    const isOver = (key: string): boolean => journal.read(key) === 'done';
    return task.execute({
      title: `deploy to ${candidate.id}, sequence there, deploy to ${original.id}`,
      steps: [
        deployAlone(dependencies, candidate),
        ...there.map((step) => skippedOnce(step, () => isOver('seen'))).map(alone),
        blocksStep(access, { candidate, original }),
        deployAlone(dependencies, original),
        ...(isBack ? back.map(alone) : []),
      ],
      command: ['bluegreen', candidate.id, ...(isBack ? ['--back'] : [])],
      journal,
      begin: () => journal.note('original', original.id),
    });
  },
};

/** Nobody votes here. */
function alone(step: Step): Step {
  return { ...step, quorum: 'irrelevant' };
}

interface Moves {
  readonly candidate: ServerConfig;
  readonly original: ServerConfig;
  readonly isBack: boolean;
  /** An earlier run saw the candidate build. */
  readonly isMoved: boolean;
}

/** Why sequencing could not be moved to where it is to go: asked before anything is deployed for it. */
function whyStuck(view: ClusterView, { candidate, original, isBack, isMoved }: Moves): string | null {
  const builds = (server: ServerConfig): boolean => seen(view, server).node?.isSequencing === true;
  const there = isMoved || builds(candidate) ? null : whyNotStarting(view, candidate);
  return there ?? (isBack && !(isMoved && builds(original)) ? whyNotStarting(view, original) : null);
}

/** The one that is named, or the node that follows and is furthest. */
function candidateOf(view: ClusterView, name: string | undefined): ServerConfig {
  if (name !== undefined) return findServer(view, name).config;
  const following = view.servers.filter(({ node }) => node !== null && node.isSequencing === false);
  const [first] = following.toSorted((a, b) => (b.node?.unsafeHead?.number ?? 0) - (a.node?.unsafeHead?.number ?? 0));
  if (first === undefined) throw new RefusedError('no op-node answers that does not sequence');
  return first.config;
}

/** Who sequenced when it began: as an earlier run noted it, if that still makes sense, because sequencing moves. */
function originalOf({ journal }: DeploymentDependencies, view: ClusterView, candidate: ServerConfig): ServerConfig {
  const noted = serverOf(view, journal.read('original') ?? '');
  if (noted !== null && noted.config !== candidate) return noted.config;
  const [active, second] = sequencingServers(view);
  if (active === undefined) throw new RefusedError('no op-node says that it sequences; are their URLs in the file?');
  if (second !== undefined) throw new RefusedError(`${active.id} and ${second.id} both sequence; stop one of them`);
  if (active.config === candidate)
    throw new OperatorUsageError(`${active.id} sequences; name another server to begin with`);
  const refusal = whyInCharge(view);
  if (refusal !== null) throw new RefusedError(refusal);
  return active.config;
}

/** Why no sequencer may be started or stopped by hand; null while no conductor would do so by itself. */
export function whyInCharge(view: ClusterView): string | null {
  // One that belongs to a cluster may be elected at any moment.
  const inCharge = view.servers.filter(
    ({ conductor }) =>
      conductor !== null &&
      conductor.isPaused !== true &&
      conductor.isStopped !== true &&
      (leaderOf(view) !== null || (conductor.membership?.members.length ?? 0) > 0),
  );
  // Where one answers for a cluster, those that do not may lead it.
  const isCluster = membershipOf(view).members.length > 0;
  const silent = view.servers.filter(({ conductor, isKnownIdle }) => conductor === null && isKnownIdle !== true);
  if (isCluster && inCharge.length === 0 && silent.length > 0)
    return `the conductor of ${silent.map(({ id }) => id).join(', ')} does not answer and may be in charge of sequencing: ${silent.map((server) => server.whySilent).join('; ')}`;
  if (inCharge.length === 0) return null;
  return `the conductor of ${inCharge.map(({ id }) => id).join(', ')} is in charge of sequencing; use conductor canary`;
}

/** It must not sequence afterwards: an op-node without a conductor begins by itself, unless its settings say otherwise. */
function deployAlone({ task, journal, clusterFile }: DeploymentDependencies, server: ServerConfig): Step {
  // Over runs: what is restarted with the op-node has to be back, too, but not what was never there.
  const conductorKey = `conductor of ${server.id}`;
  const step = deployStep(
    {
      server,
      output: task.output,
      clusterFile,
      whyNot: (view) =>
        whyInCharge(view) ??
        (seen(view, server).node?.isSequencing === true ? `${server.id} sequences; its blocks would stop` : null),
      asks: 'no conductor is in charge, and it does not sequence',
      whyUnwell: (view) =>
        whySequencingToo(view, server) ??
        whyNotFollowing(view, server) ??
        (journal.read(conductorKey) === 'answered' ? whyNoConductor(view, server) : null),
    },
    { journalKey: deploymentKey(server) },
  );
  return {
    ...step,
    quorum: 'irrelevant',
    execute(view, limits) {
      journal.note(conductorKey, whyNoConductor(view, server) === null ? 'answered' : 'silent');
      return step.execute(view, limits);
    },
    broken: (view) => whySequencingToo(view, server),
    undo: {
      title: [`stop the sequencer of ${server.id}`, step.undo?.title ?? []].flat().join(', '),
      isNeeded: (view) => step.undo !== undefined || whySequencingToo(view, server) !== null,
      async execute(view, limits) {
        if (whySequencingToo(view, server) !== null) await task.access.node(server)?.stopSequencer();
        await step.undo?.execute(view, limits);
      },
    },
  };
}

function whySequencingToo(view: ClusterView, server: ServerConfig): string | null {
  const { id, node } = seen(view, server);
  const other = sequencingServers(view).find(({ config }) => config !== server);
  return node?.isSequencing === true && other !== undefined
    ? `${id} has begun to sequence by itself, beside ${other.id}: its op-node needs --sequencer.stopped or --rpc.admin-state`
    : null;
}

function whyNoConductor(view: ClusterView, server: ServerConfig): string | null {
  const { id, conductor, whySilent } = seen(view, server);
  return conductor === null ? `the conductor of ${id}, which answered before, does not: ${whySilent}` : null;
}

function whyNotFollowing(view: ClusterView, server: ServerConfig): string | null {
  const { id, node, whyNodeSilent } = seen(view, server);
  if (node === null) return `the op-node of ${id} does not answer: ${whyNodeSilent}`;
  return whyNotAtHead(view, { id, node }, MOVE_LAG_BLOCKS_MAX);
}

/** What to do meanwhile about an op-node that answers nothing. */
function whyNotBuilding(view: ClusterView, server: ServerConfig): readonly string[] {
  const { id, node, whyNodeSilent } = seen(view, server);
  if (node !== null) return [];
  return [`the op-node of ${id} does not answer (${whyNodeSilent}); once it has ended, sequencing goes back`];
}

/** Sees the new sequencer build; sequencing goes back when it does not. */
function blocksStep(access: ClusterAccess, { candidate, original }: Pick<Moves, 'candidate' | 'original'>): Step {
  const server = candidate;
  let from: number | null = null;
  const heightOf = (view: ClusterView): number => seen(view, server).node?.unsafeHead?.number ?? 0;
  const count = (view: ClusterView): number => heightOf(view) - (from ?? heightOf(view));
  return {
    title: `see ${server.id} build ${BLOCKS_SEEN} blocks`,
    quorum: 'irrelevant',
    journalKey: 'seen',
    isDone: () => false,
    // Not refused: when it does not build, sequencing has to go back.
    guard: () => null,
    execute(view) {
      from = seen(view, server).node?.unsafeHead?.number ?? highestHead(view)?.number ?? 0;
      return Promise.resolve();
    },
    settled: (view) => count(view) >= BLOCKS_SEEN,
    broken: (view) => (seen(view, server).node?.isSequencing === false ? `${server.id} has stopped sequencing` : null),
    progress: (view) => [blocksSince(from, seen(view, server)), ...whyNotBuilding(view, server)].join('; '),
    deadlineMs: BLOCKS_MS_MAX,
    stopsSequencing: false,
    undo: {
      title: `move sequencing back from ${candidate.id} to ${original.id}`,
      // Somebody else may have begun on another.
      isNeeded: (view) => sequencingServers(view).every(({ config }) => config === candidate),
      execute: (_, limits) => bringBack(access, { from: original, to: candidate, isTold: true }, limits),
    },
  };
}
